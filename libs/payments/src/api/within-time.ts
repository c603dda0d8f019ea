import type { GenericAbortSignal } from 'axios';
import { setMaxListeners } from 'node:events';

/** How long something may take. */
export interface TimeLimit {
  readonly timeoutMs: number;
  /** Ends it before its time. */
  readonly signal?: AbortSignal | undefined;
}

/** The work that {@link withinTime} ended did not finish in time, or was aborted by its caller. */
export class EndedError extends Error {
  constructor(readonly by: 'time' | 'signal') {
    super(`ended by its ${by}`);
  }
}

type Listener = (this: EndSignal, event: { readonly type: 'abort' }) => unknown;

/** What axios accepts as a signal. Each request needs its own, and an AbortSignal would take a tenth of the request's cost. */
class EndSignal implements GenericAbortSignal {
  #listeners: Listener[] = [];
  reason: EndedError | undefined;

  get aborted(): boolean {
    return this.reason !== undefined;
  }

  addEventListener(_type: 'abort', listener: Listener): void {
    this.#listeners.push(listener);
  }

  removeEventListener(_type: 'abort', listener: Listener): void {
    this.#listeners = this.#listeners.filter((other) => other !== listener);
  }

  abort(reason: EndedError): void {
    if (this.aborted) return;
    this.reason = reason;
    for (const listener of this.#listeners) listener.call(this, { type: 'abort' });
  }
}

/**
 * Runs `work` with a signal of its own that says when to end, and waits no longer for it than the limit allows. Leaves neither
 * timer nor listener behind: AbortSignal.any would leave a reference on the caller's signal for every request, and that one may
 * live as long as the process.
 * @throws EndedError, or what `work` throws
 */
export async function withinTime<T>(
  { timeoutMs, signal }: TimeLimit,
  work: (end: GenericAbortSignal) => T | Promise<T>,
): Promise<T> {
  const ending = new EndSignal();
  const ended = new Promise<never>((_resolve, reject) => {
    ending.addEventListener('abort', () => reject(ending.reason));
  });
  const timer = setTimeout(() => ending.abort(new EndedError('time')), timeoutMs);
  const aborted = (): void => ending.abort(new EndedError('signal'));
  // Many calls may share it, and Node warns of a leak from eleven on.
  if (signal) setMaxListeners(0, signal);
  signal?.addEventListener('abort', aborted);
  if (signal?.aborted) aborted();
  // An error thrown at once must not leave the other end of the race without a listener.
  const run = async (): Promise<T> => work(ending);
  try {
    return await Promise.race([run(), ended]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', aborted);
  }
}
