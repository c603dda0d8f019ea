import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';

import { formText } from '../../../src/pages/form-text.js';
import { errorAnswer } from './error-answer.js';

/** Every failed request of the platform's own pages ends in a page. */
@Catch()
export class ErrorPagesFilter implements ExceptionFilter {
  private readonly logger = new Logger('Platform');

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
    if (answer.status === 500)
      this.logger.error(
        `${request.method} ${request.path}`,
        error instanceof Error ? error.stack : String(error),
      );
    else if (answer.status > 500) this.logger.warn(`${request.method} ${request.path}: ${String(error)}`);
    response.status(answer.status).type('html').send(answer.page);
  }
}
