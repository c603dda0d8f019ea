import { setMaxListeners } from 'node:events';

/** How long something may take. */
export interface TimeLimit {
  readonly timeoutMs: number;
  /** Ends it before its time. */
  readonly signal?: AbortSignal | undefined;
}

/** What {@link withinTime} ended did not finish in time, or its caller wanted no more. */
export class EndedError extends Error {
  constructor(readonly by: 'time' | 'signal') {
    super(`ended by its ${by}`);
  }
}

/**
 * Runs `work`, which is told by a signal of its own when to end, and waits no longer for it than the limit allows.
 * Leaves neither timer nor listener behind: AbortSignal.any would leave a reference on the caller's signal for every
 * request, and that one may live as long as the process.
 * @throws EndedError, or what `work` throws
 */
export async function withinTime<T>(
  { timeoutMs, signal }: TimeLimit,
  work: (end: AbortSignal) => T | Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const ended = new Promise<never>((_resolve, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason));
  });
  const timer = setTimeout(() => controller.abort(new EndedError('time')), timeoutMs);
  const aborted = (): void => controller.abort(new EndedError('signal'));
  // Many calls may share it, and Node warns of a leak from eleven on.
  if (signal) setMaxListeners(0, signal);
  signal?.addEventListener('abort', aborted);
  if (signal?.aborted) aborted();
  try {
    return await Promise.race([work(controller.signal), ended]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', aborted);
  }
}
