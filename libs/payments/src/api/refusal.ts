import { isRecord } from '../common/is-record.js';
import { shown } from '../common/shown.js';
import {
  ServiceCredentialsError,
  ServiceFailureError,
  ServiceForbiddenError,
  ServiceKeyReusedError,
  ServiceNotFoundError,
  ServiceRecurringNotAllowedError,
  ServiceRequestInvalidError,
  ServiceTooManyRequestsError,
  ServiceUnexpectedAnswerError,
  type ServiceError,
  type ServiceErrorDetails,
} from './service-errors.js';
import { beginningWithoutCardNumbers, readable, withoutCardNumbers } from './without-card-numbers.js';

/**
 * Which answers are refusals: 405, 415 and 429; 400, 401, 403 and 404 only with the service's own error body, since a proxy or
 * firewall in between answers with these too. All others leave open what was done (`outcome: 'unknown'`).
 */
function failureOf(
  httpStatus: number,
  isOfService: boolean,
  { description, parameter }: Pick<ServiceErrorDetails, 'description' | 'parameter'>,
): new (reason: string, details: ServiceErrorDetails) => ServiceError {
  if (httpStatus === 429) return ServiceTooManyRequestsError;
  if (httpStatus === 405 || httpStatus === 415) return ServiceRequestInvalidError;
  if (httpStatus === 202 || httpStatus >= 500) return ServiceFailureError;
  if (isOfService && httpStatus === 400)
    return isAboutKey(parameter) ? ServiceKeyReusedError : ServiceRequestInvalidError;
  if (isOfService && httpStatus === 401) return ServiceCredentialsError;
  if (isOfService && httpStatus === 403)
    return isAboutRecurring(description) ? ServiceRecurringNotAllowedError : ServiceForbiddenError;
  if (isOfService && httpStatus === 404) return ServiceNotFoundError;
  return ServiceUnexpectedAnswerError;
}

/**
 * assumed: the service has no code for it, and its words are no contract. Where they change, it is a ServiceForbiddenError again,
 * with those words.
 */
function isAboutRecurring(description = ''): boolean {
  return /^this store can['’]t make recurring payments/i.test(description);
}

/** assumed: keys of ours are never malformed, so what is wrong with one is that another request was sent under it. */
function isAboutKey(parameter = ''): boolean {
  return parameter.toLowerCase() === 'idempotence-key';
}

/** An answer that is not 200. */
export interface FailedAnswer {
  readonly httpStatus: number;
  readonly body: unknown;
  /** The Retry-After header, in seconds or as a date; used if the body names no time. */
  readonly retryAfter?: unknown;
}

/** The longest text that is kept of each field of an error body. */
const MAX_TEXT = 500;

/** The error for an answer that is not 200 (assumed: the interface leaves statuses and bodies open). */
export function errorFromAnswer(
  { httpStatus, body, retryAfter }: FailedAnswer,
  request: Pick<ServiceErrorDetails, 'request' | 'idempotenceKey'>,
): ServiceError {
  const text = (field: string): string | undefined => {
    const value = isRecord(body) ? body[field] : undefined;
    if (typeof value !== 'string') return undefined;
    // The service may repeat card numbers of the request, encoded as in an address too.
    const written = readable(value);
    const isEncoded = written !== value && withoutCardNumbers(written) !== written;
    // Whoever logs the error, or shows it, shows this.
    return shown(beginningWithoutCardNumbers(isEncoded ? written : value, MAX_TEXT));
  };
  const code = text('code');
  const description = text('description');
  const parameter = text('parameter');
  const requestId = text('id');
  const retryAfterMs = bodyRetryAfterMs(body) ?? headerRetryAfterMs(retryAfter);
  const details: ServiceErrorDetails = {
    ...request,
    httpStatus,
    ...(code !== undefined && { serviceCode: code }),
    ...(description !== undefined && { description }),
    ...(parameter !== undefined && { parameter }),
    ...(requestId !== undefined && { requestId }),
    ...(retryAfterMs !== null && { retryAfterMs }),
  };
  const said = [code, description, parameter && `(${parameter})`].filter(Boolean).join(' ');
  const message = `HTTP ${httpStatus}${said === '' ? '' : ` ${said}`}`;
  const Failure = failureOf(httpStatus, code !== undefined, details);
  return new Failure(message, details);
}

function bodyRetryAfterMs(body: unknown): number | null {
  const value = isRecord(body) ? body['retry_after'] : undefined;
  return typeof value === 'number' && value >= 0 ? value : null;
}

function headerRetryAfterMs(header: unknown): number | null {
  if (typeof header !== 'string') return null;
  if (/^\d+$/.test(header)) return Number(header) * 1_000;
  const at = /^[A-Z][a-z]{2}, /.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}
