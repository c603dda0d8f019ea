import { ConstantBackoff, handleWhen, retry } from 'cockatiel';
import { ServiceCircuitOpenError, ServiceError } from './service-errors.js';

const REPEATS = 3;
const FIRST_DELAY_MS = 200;

export interface RetryLimits {
  /** No repeat starts later than this after the first attempt. */
  readonly startBeforeMs: number;
  /** Ends a wait: the next attempt is made at once and finds its signal aborted. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends the same request, same key and same bytes, until it is answered, refused for good, or out of time: at most
 * four attempts, about 200, 400 and 800 ms apart, or as long as the service asks.
 * @throws the last attempt's error
 */
export async function sendWithRetries<T>(
  send: (attempt: number) => Promise<T>,
  { startBeforeMs, signal }: RetryLimits,
): Promise<T> {
  const startedAt = performance.now();
  let attempts = 0;
  let waitMs = 0;
  const mayRepeat = (error: unknown): boolean => {
    // An open circuit fails at once: waiting for it would hold the caller up as the dead service did.
    if (!(error instanceof ServiceError) || !error.retryable || error instanceof ServiceCircuitOpenError)
      return false;
    waitMs = error.details.retryAfterMs ?? jitteredMs(attempts);
    return performance.now() - startedAt + waitMs < startBeforeMs;
  };
  // The policy's own backoff cannot be ended by a signal, so the wait stands before the attempt.
  const policy = retry(handleWhen(mayRepeat), { maxAttempts: REPEATS, backoff: new ConstantBackoff(0) });
  return policy.execute(async () => {
    if (attempts > 0) await wait(waitMs, signal);
    attempts += 1;
    return send(attempts);
  });
}

/** Half as long to half as long again, so that callers who failed together do not come back together. */
function jitteredMs(attempts: number): number {
  return FIRST_DELAY_MS * (0.5 + Math.random()) * 2 ** (attempts - 1);
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end);
  });
}
