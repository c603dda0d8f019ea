import { PaymentsError } from '../common/payments.errors.js';

/** What is known of a failed request. Nothing here is secret: it may be logged completely. */
export interface ServiceErrorDetails {
  /** e.g. `POST /v3/payments`. */
  readonly request: string;
  readonly httpStatus?: number;
  /** The service's own error code (assumed: the interface leaves the error body open). */
  readonly serviceCode?: string;
  readonly description?: string;
  /** The field the service complains about. */
  readonly parameter?: string;
  /** The service's id of its error answer: quote it to the service's support. */
  readonly requestId?: string;
  readonly idempotenceKey?: string;
  readonly retryAfterMs?: number;
}

const SEND_AGAIN = 'Send the same again under the same idempotence key, or read the object.';

/**
 * A request to the service that brought no usable answer.
 *
 * `outcome` says whether the service can have acted: `refused`, it has not; `unknown`, it may have, and only the same request
 * under the same key, or a re-read, finds out.
 */
export abstract class ServiceError extends PaymentsError {
  /** What to do next; ends every message. */
  protected static readonly advice: string = '';

  abstract readonly outcome: 'refused' | 'unknown';
  /** Whether the very same request, with the same key and bytes, may succeed when sent again. */
  readonly retryable: boolean = false;

  constructor(
    /** What happened, in words that fit inside a sentence: the message without the request and the advice. */
    readonly reason: string,
    readonly details: ServiceErrorDetails,
  ) {
    super(`${details.request}: ${reason}. ${new.target.advice}`);
  }
}

/** 400, 405, 415: the request is wrong. Fix it; the next one needs a new key. */
export class ServiceRequestInvalidError extends ServiceError {
  protected static override readonly advice: string =
    'Fix the request and send it under a new idempotence key.';
  readonly code: 'service_request_invalid' | 'service_key_reused' = 'service_request_invalid';
  readonly outcome = 'refused';
}

/** 400 about the idempotence key: another request was sent under it, and this one was not acted on. */
export class ServiceKeyReusedError extends ServiceRequestInvalidError {
  protected static override readonly advice =
    'Another request was sent under this key: find what it made before sending this one under a new key.';
  override readonly code = 'service_key_reused';
}

/** 401: shop identifier or secret key (or token) are wrong, or the token is expired or revoked. */
export class ServiceCredentialsError extends ServiceError {
  protected static override readonly advice =
    'Check the shop identifier and secret key, or the access token.';
  readonly code = 'service_credentials';
  readonly outcome = 'refused';
}

/**
 * The host's `secretKey` function failed or returned no key: nothing was sent. Its error is not kept, since it may contain the
 * key.
 */
export class ServiceCredentialsUnavailableError extends ServiceError {
  protected static override readonly advice = 'Nothing was sent. Fix the function, then send the same again.';
  readonly code = 'service_credentials_unavailable';
  readonly outcome = 'refused';
  override readonly retryable = true;
}

/** 403: the credentials lack the permission. */
export class ServiceForbiddenError extends ServiceError {
  protected static override readonly advice: string =
    'Have the missing permission granted to these credentials.';
  readonly code: 'service_forbidden' | 'service_recurring_not_allowed' = 'service_forbidden';
  readonly outcome = 'refused';
}

/** 403: the store may neither save methods nor charge them again. */
export class ServiceRecurringNotAllowedError extends ServiceForbiddenError {
  protected static override readonly advice =
    "Have recurring payments enabled for the store by the service's manager, or save and charge no method.";
  override readonly code = 'service_recurring_not_allowed';
}

/** 404: the service knows no such object for this store. */
export class ServiceNotFoundError extends ServiceError {
  protected static override readonly advice = "Check the service's id and the store it belongs to.";
  readonly code = 'service_not_found';
  readonly outcome = 'refused';
}

/** Shop credentials for a request that needs a token. Refused here: nothing was sent. */
export class ServiceTokenRequiredError extends ServiceError {
  protected static override readonly advice = 'Use tokenCredentials() with an access token of the store.';
  readonly code = 'service_token_required';
  readonly outcome = 'refused';
}

/** 429: wait, then send the same again. */
export class ServiceTooManyRequestsError extends ServiceError {
  protected static override readonly advice =
    'Wait, then send the same again under the same idempotence key.';
  readonly code = 'service_too_many_requests';
  readonly outcome = 'refused';
  override readonly retryable = true;
}

/**
 * Too many requests in a row have failed, so this one was not sent. `outcome` is about this attempt only: it is no refusal by the
 * service.
 */
export class ServiceCircuitOpenError extends ServiceError {
  protected static override readonly advice = 'Nothing was sent. Wait, then send the same again.';
  readonly code = 'service_circuit_open';
  readonly outcome = 'refused';
  override readonly retryable = true;
}

/** 5xx, or 202 “still working”: the service may have acted. */
export class ServiceFailureError extends ServiceError {
  protected static override readonly advice = SEND_AGAIN;
  readonly code = 'service_failure';
  readonly outcome = 'unknown';
  override readonly retryable = true;
}

/** The connection failed or broke off. */
export class ServiceNetworkError extends ServiceError {
  protected static override readonly advice = SEND_AGAIN;
  readonly code = 'service_network';
  readonly outcome = 'unknown';
  override readonly retryable = true;
}

/** No answer within the time allowed. `outcome` is `refused` if the credentials did not arrive in time: nothing was sent. */
export class ServiceTimeoutError extends ServiceError {
  protected static override readonly advice = SEND_AGAIN;
  readonly code = 'service_timeout';
  override readonly retryable = true;

  constructor(
    reason: string,
    details: ServiceErrorDetails,
    readonly outcome: 'refused' | 'unknown' = 'unknown',
  ) {
    super(reason, details);
  }
}

/** An answer that is not what the interface describes: truncated, not JSON, a redirect, an unknown status. */
export class ServiceUnexpectedAnswerError extends ServiceError {
  protected static override readonly advice = `Check the service's address. ${SEND_AGAIN}`;
  readonly code = 'service_unexpected_answer';
  readonly outcome = 'unknown';
  override readonly retryable = true;
}

/** The caller's signal ended the call. `outcome` is `refused` if nothing had been sent that the service could act on. */
export class ServiceCallAbortedError extends ServiceError {
  protected static override readonly advice =
    'If its outcome is unknown, send the same again under the same idempotence key, or read the object.';
  readonly code = 'service_call_aborted';

  constructor(
    reason: string,
    details: ServiceErrorDetails,
    readonly outcome: 'refused' | 'unknown',
  ) {
    super(reason, details);
  }
}
