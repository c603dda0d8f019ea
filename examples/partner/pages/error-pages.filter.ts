import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';

import { formText } from '../../shared/pages/form.js';
import { reportFailure } from '../../shared/web/report-failure.js';
import type { Owner } from '../owners/owners.js';
import { Sessions } from '../owners/sessions.js';
import { errorAnswer } from './error-answer.js';
import { layout } from './layout.js';

/** Every failed request of the platform's own pages ends in a page. */
@Catch()
export class ErrorPagesFilter implements ExceptionFilter {
  readonly #logger = new Logger('Platform');

  constructor(private readonly sessions: Sessions) {}

  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const reference = formText(request.params, 'reference') || formText(request.body, 'reference');
    const answer = errorAnswer(error, reference || undefined);
    if ('redirectTo' in answer) {
      response.redirect(303, answer.redirectTo);
      return;
    }
    reportFailure(this.#logger, answer.status, request, error);
    response
      .status(answer.status)
      .type('html')
      .send(layout(answer.page, await this.#visitor(request)));
  }

  /** The database may be what failed: then the page is shown without the signed-in owner. */
  async #visitor(request: Request): Promise<Owner | null> {
    try {
      return await this.sessions.ownerOf(request);
    } catch {
      return null;
    }
  }
}
