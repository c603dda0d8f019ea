import { PaymentsError } from '../payments.errors.js';

/** What is known of a failed request. Nothing here is secret: it may be logged whole. */
export interface ServiceErrorDetails {
  /** e.g. `POST /v3/payments`. */
  readonly request: string;
  readonly httpStatus?: number;
  /** The service's own error code (assumed: section 7 leaves the error body open). */
  readonly serviceCode?: string;
  readonly description?: string;
  /** The field the service complains about. */
  readonly parameter?: string;
  /** The service's id of its error answer: quote it to the service's support. */
  readonly requestId?: string;
  readonly idempotenceKey?: string;
  readonly retryAfterMs?: number;
}

/**
 * A request to the service that brought no usable answer.
 *
 * `outcome` says whether the service can have acted: `refused`, it has not; `unknown`, it may have, and only the
 * same request under the same key, or a re-read, can tell.
 */
export abstract class ServiceError extends PaymentsError {
  abstract readonly outcome: 'refused' | 'unknown';
  /** Whether the very same request, same key and same bytes, may help when sent again. */
  readonly retryable: boolean = false;

  constructor(
    message: string,
    readonly details: ServiceErrorDetails,
  ) {
    super(`${details.request}: ${message}`);
  }
}

/** 400, 405, 415: the request is wrong. Mend it; the next one needs a new key. */
export class ServiceRequestInvalidError extends ServiceError {
  readonly code = 'service_request_invalid';
  readonly outcome = 'refused';
}

/** 401: shop identifier or secret key (or token) are wrong. Check the module's options. */
export class ServiceCredentialsError extends ServiceError {
  readonly code = 'service_credentials';
  readonly outcome = 'refused';
}

/** 403: the credentials lack the permission. */
export class ServiceForbiddenError extends ServiceError {
  readonly code = 'service_forbidden';
  readonly outcome = 'refused';
}

/** 404: the service knows no such object for this store. */
export class ServiceNotFoundError extends ServiceError {
  readonly code = 'service_not_found';
  readonly outcome = 'refused';
}

/** 429: wait, then send the same again. */
export class ServiceTooManyRequestsError extends ServiceError {
  readonly code = 'service_too_many_requests';
  readonly outcome = 'refused';
  override readonly retryable = true;
}

/** 5xx, or 202 “still working”: the service may have acted. */
export class ServiceFailureError extends ServiceError {
  readonly code = 'service_failure';
  readonly outcome = 'unknown';
  override readonly retryable = true;
}

/** The connection failed or broke off. */
export class ServiceNetworkError extends ServiceError {
  readonly code = 'service_network';
  readonly outcome = 'unknown';
  override readonly retryable = true;
}

/** No answer within the time allowed. */
export class ServiceTimeoutError extends ServiceError {
  readonly code = 'service_timeout';
  readonly outcome = 'unknown';
  override readonly retryable = true;
}

/** An answer that is not what the interface describes: truncated, not JSON, a redirect, an unknown status. */
export class ServiceUnexpectedAnswerError extends ServiceError {
  readonly code = 'service_unexpected_answer';
  readonly outcome = 'unknown';
  override readonly retryable = true;
}

/** The error for an answer that is not 200. */
export function errorFromAnswer(
  httpStatus: number,
  body: unknown,
  request: string,
  idempotenceKey?: string,
): ServiceError {
  const text = (field: string): string | undefined => {
    const value = isRecord(body) ? body[field] : undefined;
    return typeof value === 'string' ? value.slice(0, 500) : undefined;
  };
  const [id, code, description, parameter] = [
    text('id'),
    text('code'),
    text('description'),
    text('parameter'),
  ];
  const retryAfter = isRecord(body) ? body['retry_after'] : undefined;
  const details: ServiceErrorDetails = {
    request,
    httpStatus,
    ...(code === undefined ? {} : { serviceCode: code }),
    ...(description === undefined ? {} : { description }),
    ...(parameter === undefined ? {} : { parameter }),
    ...(id === undefined ? {} : { requestId: id }),
    ...(idempotenceKey === undefined ? {} : { idempotenceKey }),
    ...(typeof retryAfter === 'number' && retryAfter >= 0 ? { retryAfterMs: retryAfter } : {}),
  };
  const said = [code, description, parameter === undefined ? undefined : `(${parameter})`]
    .filter(Boolean)
    .join(' ');
  const message = `HTTP ${httpStatus}${said === '' ? '' : ` ${said}`}`;
  if (httpStatus === 429) return new ServiceTooManyRequestsError(message, details);
  if (httpStatus === 202 || httpStatus >= 500) return new ServiceFailureError(message, details);
  if (httpStatus === 405 || httpStatus === 415) return new ServiceRequestInvalidError(message, details);
  // Without the service's own error body it may be a proxy or firewall in between that answers: no refusal of the service.
  if (code === undefined) return new ServiceUnexpectedAnswerError(message, details);
  if (httpStatus === 400) return new ServiceRequestInvalidError(message, details);
  if (httpStatus === 401) return new ServiceCredentialsError(message, details);
  if (httpStatus === 403) return new ServiceForbiddenError(message, details);
  if (httpStatus === 404) return new ServiceNotFoundError(message, details);
  // Not a status the service is known to use: it proves nothing about what was done.
  return new ServiceUnexpectedAnswerError(message, details);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
