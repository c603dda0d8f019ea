import {
  ServiceCallAbortedError,
  ServiceCredentialsError,
  ServiceError,
  ServiceRequestInvalidError,
  ServiceUnexpectedAnswerError,
} from '../api/service-errors.js';

/**
 * Whether a list will be refused tomorrow too, so that nobody should wait for it: as to a key that may not list payments. Credentials
 * that are wrong take no payments either, and are corrected.
 */
export function isHopeless(error: unknown): boolean {
  return (
    error instanceof ServiceError &&
    error.outcome === 'refused' &&
    !error.retryable &&
    !(error instanceof ServiceCredentialsError || error instanceof ServiceCallAbortedError)
  );
}

/** Whether the service did not answer the list at all, as opposed to an answer of which nothing could be made. */
export function isOutage(error: unknown): boolean {
  return (
    error instanceof ServiceError &&
    !(error instanceof ServiceUnexpectedAnswerError || error instanceof ServiceRequestInvalidError)
  );
}
