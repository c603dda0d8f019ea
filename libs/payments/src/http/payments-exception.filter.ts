import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { isRecord } from '../common/is-record.js';
import { messageOf, nameOf, stackOf } from '../common/message-of.js';
import { PaymentsLog } from '../common/payments-log.js';
import { PaymentsError } from '../common/payments.errors.js';
import { DatabaseDeadlineError } from '../database/deadline-error.js';
import { problemOf } from './problem.js';

/**
 * Answers a request that ended in an error of this module: with the HTTP status that fits, a {@link Problem} as
 * `application/problem+json`, and `Retry-After` where it is known. What is the application's or the service's fault is logged, with
 * its causes; the body has none of that. Works on Express and Fastify. What is no HTTP request gets the error as it is.
 *
 * Nest asks the filter that was registered last: as the first provider of the root module this one gives way to each of the host's.
 * @example
 * const providers = [{ provide: APP_FILTER, useClass: PaymentsExceptionFilter }];
 */
@Catch(PaymentsError, DatabaseDeadlineError)
export class PaymentsExceptionFilter implements ExceptionFilter<PaymentsError | DatabaseDeadlineError> {
  readonly #logger = new PaymentsLog();

  constructor(private readonly http: HttpAdapterHost) {}

  catch(error: PaymentsError | DatabaseDeadlineError, host: ArgumentsHost): void {
    if (host.getType() !== 'http') throw error;
    const { httpAdapter } = this.http;
    const context = host.switchToHttp();
    const response = context.getResponse<object>();
    const problem = problemOf(error);
    this.#log(problem.status, `${routeOf(context.getRequest<object>())}: ${saidBy(error)}`, stackOf(error));
    if (httpAdapter.isHeadersSent(response)) {
      httpAdapter.end(response);
      return;
    }
    httpAdapter.setHeader(response, 'Content-Type', 'application/problem+json');
    if (problem.retryAfterSeconds !== undefined)
      httpAdapter.setHeader(response, 'Retry-After', String(problem.retryAfterSeconds));
    httpAdapter.reply(response, problem, problem.status);
  }

  /** What passes by itself is a warning; what a person has to look at is an error. */
  #log(status: number, line: string, stack: string | undefined): void {
    if (status >= 503) this.#logger.warn(line);
    else if (status >= 500) this.#logger.error(line, {}, stack);
  }
}

/** The pattern and not the address, in which there may be what nobody else should know. */
function routeOf(request: unknown): string {
  if (!isRecord(request)) return 'A request';
  const { method, route, routeOptions } = request;
  const onExpress = isRecord(route) ? route['path'] : undefined;
  const onFastify = isRecord(routeOptions) ? routeOptions['url'] : undefined;
  return [method, onExpress ?? onFastify].filter((part) => typeof part === 'string').join(' ');
}

/** With its causes, so that the log has what the network said. A failed connection to several addresses has a code and no message. */
function saidBy(error: Error): string {
  const said: string[] = [];
  for (let cause: unknown = error; cause instanceof Error; { cause } = cause) {
    const text = messageOf(cause) || ('code' in cause ? messageOf(cause.code) : '');
    said.push(`${nameOf(cause)}: ${text}`);
  }
  return said.join(' – because of ');
}
