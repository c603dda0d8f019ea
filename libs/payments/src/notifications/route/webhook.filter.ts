import { Catch, HttpException, HttpStatus, type ArgumentsHost } from '@nestjs/common';
import { BaseExceptionFilter } from '@nestjs/core';
import { HOUR_MS } from '../../common/durations.js';
import { andOthers, LogLimit } from '../../common/log-limit.js';
import { PaymentsLog } from '../../common/payments-log.js';

/**
 * Answers what the webhook's route throws, the host's guards included, with its own status. A global filter of the host's would come
 * otherwise, and may turn it into something else: the service would see a failure of the shop where it has to see a refusal, and nobody
 * the guard that refused. A filter among `webhookDecorators` comes before this one.
 */
@Catch()
export class WebhookFilter extends BaseExceptionFilter {
  readonly #logger = new PaymentsLog();
  readonly #limited = new LogLimit(HOUR_MS);

  override catch(exception: unknown, host: ArgumentsHost): void {
    if (exception instanceof HttpException && exception.getStatus() === HttpStatus.TOO_MANY_REQUESTS)
      this.#tell(exception.name);
    super.catch(exception, host);
  }

  #tell(name: string): void {
    const count = this.#limited.take();
    if (count === null) return;
    this.#logger.warn(
      `A notification was answered 429 by a rate limiter of the application (${name})${andOthers(count)}: the service sends it again later, ` +
        'for 24 hours. Have the limiter leave the path of the webhook alone.',
    );
  }
}
