import { ServiceCircuitOpenError, ServiceError } from './service-errors.js';
import { withinTime } from './within-time.js';

const REPEATS = 3;
const FIRST_DELAY_MS = 200;

interface RetryLimits {
  /** No repeat starts later than this after the first attempt. */
  readonly startBeforeMs: number;
  /** Ends a wait: the next attempt is made at once and finds its signal aborted. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends the same request, with the same key and bytes, until it is answered, refused for good, or out of time: at most four
 * attempts, about 200, 400 and 800 ms apart, or as long as the service asks.
 * @throws the last attempt's error
 */
export async function sendWithRetries<T>(
  send: (attempt: number) => Promise<T>,
  { startBeforeMs, signal }: RetryLimits,
): Promise<T> {
  const startedAt = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send(attempt);
    } catch (error) {
      if (attempt > REPEATS || !mayHelp(error)) throw error;
      const waitMs = error.details.retryAfterMs ?? jitteredMs(attempt);
      if (performance.now() - startedAt + waitMs >= startBeforeMs) throw error;
      await withinTime({ timeoutMs: waitMs, signal }, never).catch(() => undefined);
    }
  }
}

const never = (): Promise<void> => new Promise(() => undefined);

/** An open circuit fails at once: waiting for it would block the caller as the dead service did. */
function mayHelp(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.retryable && !(error instanceof ServiceCircuitOpenError);
}

/** Between half as long and half as long again, so that callers who failed together do not come back together. */
function jitteredMs(attempt: number): number {
  return FIRST_DELAY_MS * (0.5 + Math.random()) * 2 ** (attempt - 1);
}
