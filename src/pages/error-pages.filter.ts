import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';

import { reportFailure } from '../../examples/shared/web/report-failure.js';
import { errorAnswer, type AskedOrder } from './error-answer.js';

/** Every failed request of the shop's own pages ends in a page. */
@Catch()
export class ErrorPagesFilter implements ExceptionFilter {
  readonly #logger = new Logger('Shop');

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const answer = errorAnswer(error, askedOrder(request));
    if ('redirectTo' in answer) {
      response.redirect(303, answer.redirectTo);
      return;
    }
    reportFailure(this.#logger, answer.status, request, error);
    response.status(answer.status).type('html').send(answer.page);
  }
}

function askedOrder({ params: { reference }, path }: Request): AskedOrder | undefined {
  return typeof reference === 'string' ? { reference, byStaff: path.startsWith('/staff/') } : undefined;
}
