import { isRecord } from '../common/is-record.js';
import {
  ServiceCredentialsError,
  ServiceFailureError,
  ServiceForbiddenError,
  ServiceNotFoundError,
  ServiceRequestInvalidError,
  ServiceTooManyRequestsError,
  ServiceUnexpectedAnswerError,
  type ServiceError,
  type ServiceErrorDetails,
} from './service-errors.js';
import { withoutCardNumbers } from './without-card-numbers.js';

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
    // The service may repeat card numbers of the request. They are masked before the text is cut: half a number would not be
    // recognized.
    return typeof value === 'string' ? withoutCardNumbers(value).slice(0, MAX_TEXT) : undefined;
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
  if (httpStatus === 429) return new ServiceTooManyRequestsError(message, details);
  if (httpStatus === 202 || httpStatus >= 500) return new ServiceFailureError(message, details);
  if (httpStatus === 405 || httpStatus === 415) return new ServiceRequestInvalidError(message, details);
  // Without the service's own error body the answer may come from a proxy or firewall in between: no refusal of the service.
  if (code === undefined) return new ServiceUnexpectedAnswerError(message, details);
  if (httpStatus === 400) return new ServiceRequestInvalidError(message, details);
  if (httpStatus === 401) return new ServiceCredentialsError(message, details);
  if (httpStatus === 403) return new ServiceForbiddenError(message, details);
  if (httpStatus === 404) return new ServiceNotFoundError(message, details);
  // Not a status the service is known to use: it proves nothing about what was done.
  return new ServiceUnexpectedAnswerError(message, details);
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
