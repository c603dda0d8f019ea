import { sendWithRetries } from '../api/retry.js';
import { ServiceError } from '../api/service-errors.js';
import { PaymentsError } from '../common/payments.errors.js';

/** How a request ended, for its operation. */
export type AttemptResult<T> =
  | { readonly kind: 'answered'; readonly answer: T }
  /** A definite no: the service has not acted and never will for this key. */
  | { readonly kind: 'refused'; readonly error: ServiceError }
  /** Every attempt was turned away (429) or not sent at all (open circuit); the same key stays good. */
  | { readonly kind: 'deferred'; readonly error: ServiceError }
  /** Nothing could be sent: there are no credentials, as where a store's token has ended. */
  | { readonly kind: 'unsent'; readonly error: PaymentsError }
  /** The service may have acted. */
  | { readonly kind: 'unknown'; readonly error: unknown };

/**
 * Sends the same request, with the same key and bytes, until it is answered or the time is up. `earlierUnknown`: an attempt
 * before these may have reached the service, and then no refusal is definite: a 401, a 403 or a complaint about the key itself
 * says nothing about what the lost attempt did (G2).
 */
export async function attemptRequest<T>(
  send: (attempt: number) => Promise<T>,
  { earlierUnknown, startBeforeMs }: { earlierUnknown: boolean; startBeforeMs: number },
): Promise<AttemptResult<T>> {
  let sawUnknown = earlierUnknown;
  const tracked = async (attempt: number): Promise<T> => {
    try {
      return await send(attempt);
    } catch (error) {
      sawUnknown ||= error instanceof ServiceError && error.outcome === 'unknown';
      throw error;
    }
  };
  try {
    return { kind: 'answered', answer: await sendWithRetries(tracked, { startBeforeMs }) };
  } catch (error) {
    return failedAttempt(error, sawUnknown);
  }
}

/** What an attempt came to that ended with this error; `sawUnknown`: it, or one before it, may have reached the service. */
export function failedAttempt(
  error: unknown,
  sawUnknown: boolean,
): Exclude<AttemptResult<never>, { kind: 'answered' }> {
  if (sawUnknown || !(error instanceof PaymentsError)) return { kind: 'unknown', error };
  if (!(error instanceof ServiceError)) return { kind: 'unsent', error };
  return error.retryable ? { kind: 'deferred', error } : { kind: 'refused', error };
}
