import { DelegateBackoff, handleWhen, retry } from 'cockatiel';
import { ServiceError } from '../api/service-errors.js';

/** How a request ended, as far as its operation is concerned. */
export type AttemptResult<T> =
  | { readonly kind: 'answered'; readonly answer: T }
  /** A definite no: the service has not acted and never will for this key. */
  | { readonly kind: 'refused'; readonly error: ServiceError }
  /** Every attempt was turned away (429); the same key stays good. */
  | { readonly kind: 'deferred'; readonly error: ServiceError }
  /** The service may have acted. */
  | { readonly kind: 'unknown'; readonly error: unknown };

const REPEATS = 3;
const FIRST_DELAY_MS = 200;

/**
 * Sends the same request, same key and same bytes, until it is answered or the time is up. `earlierUnknown`: an
 * attempt before these may have reached the service, and then no refusal is definite: a 401, a 403 or a complaint
 * about the key itself says nothing about what the lost attempt did (G2).
 */
export async function attemptRequest<T>(
  send: () => Promise<T>,
  { earlierUnknown, startBeforeMs }: { earlierUnknown: boolean; startBeforeMs: number },
): Promise<AttemptResult<T>> {
  let sawUnknown = earlierUnknown;
  const startedAt = performance.now();
  const policy = retry(
    handleWhen(
      (error) =>
        error instanceof ServiceError &&
        error.retryable &&
        // Asked to wait longer than there is time: the sweep comes back later, under the same key.
        performance.now() - startedAt + (error.details.retryAfterMs ?? 0) < startBeforeMs,
    ),
    { maxAttempts: REPEATS, backoff: new DelegateBackoff(({ attempt, result }) => delayMs(attempt, result)) },
  );
  try {
    const answer = await policy.execute(async () => {
      try {
        return await send();
      } catch (error) {
        sawUnknown ||= error instanceof ServiceError && error.outcome === 'unknown';
        throw error;
      }
    });
    return { kind: 'answered', answer };
  } catch (error) {
    if (sawUnknown || !(error instanceof ServiceError)) return { kind: 'unknown', error };
    return error.retryable ? { kind: 'deferred', error } : { kind: 'refused', error };
  }
}

/** Half as long to half as long again, so that callers who failed together do not come back together; `retry_after` where the service gave one. */
function delayMs(attempt: number, result: unknown): number {
  const error = typeof result === 'object' && result !== null && 'error' in result ? result.error : undefined;
  const asked = error instanceof ServiceError ? error.details.retryAfterMs : undefined;
  return asked ?? FIRST_DELAY_MS * (0.5 + Math.random()) * 2 ** (attempt - 1);
}
