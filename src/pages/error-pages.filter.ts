import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';

import { errorAnswer } from './error-answer.js';

/** Every failed request of the shop's own pages ends in a page. */
@Catch()
export class ErrorPagesFilter implements ExceptionFilter {
  private readonly logger = new Logger('Shop');

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const { reference } = request.params;
    const answer = errorAnswer(error, typeof reference === 'string' ? reference : undefined);
    if ('redirectTo' in answer) {
      response.redirect(303, answer.redirectTo);
      return;
    }
    if (answer.status >= 500) this.log(answer.status, `${request.method} ${request.path}`, error);
    response.status(answer.status).type('html').send(answer.page);
  }

  /** What a person has to look at is an error with its stack; a service that does not answer is a warning. */
  private log(status: number, request: string, error: unknown): void {
    if (status === 500) this.logger.error(request, error instanceof Error ? error.stack : String(error));
    else this.logger.warn(`${request}: ${String(error)}`);
  }
}
