import {
  Catch,
  HttpException,
  InternalServerErrorException,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { HOUR_MS } from '../../common/durations.js';
import { isRecord } from '../../common/is-record.js';
import { andOthers, FAILURE_LOG_MS, LogLimit } from '../../common/log-limit.js';
import { messageOf, stackOf } from '../../common/message-of.js';
import { PaymentsLog } from '../../common/payments-log.js';

const TOO_MANY_REQUESTS = 429;

/**
 * Answers what the webhook's route throws, the host's guards included, with its own status. A global filter of the host's would come
 * otherwise, and may turn it into something else: the service would see a failure of the shop where it has to see a refusal, and nobody
 * the guard that refused. A filter among `webhookDecorators` comes before this one.
 */
@Catch()
export class WebhookFilter implements ExceptionFilter {
  readonly #logger = new PaymentsLog();
  readonly #limited = new LogLimit(HOUR_MS);
  readonly #failed = new LogLimit(FAILURE_LOG_MS);

  constructor(private readonly http: HttpAdapterHost) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const meant = refusalOf(thrown);
    if (meant === null) this.#tellFailed(thrown);
    const refusal = meant ?? new InternalServerErrorException();
    const status = refusal.getStatus();
    if (status === TOO_MANY_REQUESTS) this.#tellLimited(refusal.name);
    const { httpAdapter } = this.http;
    const response = host.switchToHttp().getResponse<object>();
    if (httpAdapter.isHeadersSent(response)) httpAdapter.end(response);
    else httpAdapter.reply(response, bodyOf(refusal), status);
  }

  #tellLimited(name: string): void {
    const count = this.#limited.take();
    if (count === null) return;
    this.#logger.warn(
      `A notification was answered 429 by a rate limiter of the application (${name})${andOthers(count)}: the service sends it again later, ` +
        'for 24 hours. Have the limiter leave the path of the webhook alone.',
    );
  }

  #tellFailed(thrown: unknown): void {
    const count = this.#failed.take();
    if (count === null) return;
    const line = `A notification was answered 500, by what a guard or interceptor of the application threw${andOthers(count)}: ${messageOf(thrown)}`;
    this.#logger.error(line, {}, stackOf(thrown));
  }
}

/** null: no refusal, but a failure. One that a guard throws by another package than Nest's, such as http-errors, has its status too. */
function refusalOf(thrown: unknown): HttpException | null {
  if (thrown instanceof HttpException) return thrown;
  const status = isRecord(thrown) ? thrown['statusCode'] : undefined;
  return typeof status === 'number' && Number.isInteger(status) && status >= 400 && status < 500
    ? new HttpException(messageOf(thrown), status)
    : null;
}

/** As Nest answers it. */
function bodyOf(refusal: HttpException): object {
  const body = refusal.getResponse();
  return typeof body === 'string' ? { statusCode: refusal.getStatus(), message: body } : body;
}
