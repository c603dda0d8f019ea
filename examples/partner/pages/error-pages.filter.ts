import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';

import { formText } from '../../../src/pages/form-text.js';
import { Sessions } from '../owners/sessions.js';
import { errorAnswer } from './error-answer.js';
import { layout } from './layout.js';

/** Every failed request of the platform's own pages ends in a page. */
@Catch()
export class ErrorPagesFilter implements ExceptionFilter {
  private readonly logger = new Logger('Platform');

  constructor(private readonly sessions: Sessions) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const reference = formText(request.params, 'reference') || formText(request.body, 'reference');
    const answer = errorAnswer(error, reference || undefined);
    if ('redirectTo' in answer) {
      response.redirect(303, answer.redirectTo);
      return;
    }
    if (answer.status >= 500) this.log(answer.status, routeOf(request), error);
    response
      .status(answer.status)
      .type('html')
      .send(layout(answer.page, this.sessions.ownerOf(request)));
  }

  /** What a person has to look at is an error with its stack; a service that does not answer is a warning. */
  private log(status: number, route: string, error: unknown): void {
    if (status === 500) this.logger.error(route, error instanceof Error ? error.stack : String(error));
    else this.logger.warn(`${route}: ${String(error)}`);
  }
}

/** The pattern and not the address, which is a secret where it is a store's webhook. */
function routeOf({ method, route }: Request): string {
  const path: unknown = Reflect.get(Object(route), 'path');
  return typeof path === 'string' ? `${method} ${path}` : method;
}
