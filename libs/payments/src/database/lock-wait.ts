import { setTimeout as delay } from 'node:timers/promises';
import { sqlState } from '../common/sql-state.js';
import { DatabaseDeadlineError } from './deadline-error.js';

/** How long a statement waits for a lock with its connection: as long as transactions last that do nothing but write. */
export const LOCK_WAIT_MS = 50;
const LONGEST_PAUSE_MS = 500;
/** lock_not_available: it waited for as long as its terms let it, and did nothing. */
const LOCKED = '55P03';
/**
 * query_canceled: what PostgreSQL says instead, twice in 37,000 waits of a contended row, where the lock is free at the very moment
 * of the timeout and the next wait of the same statement begins. It is also the end of a statement that took too long.
 */
const CANCELED = '57014';
const LOCKED_ALL_THE_TIME =
  'since another transaction held a lock that it needs. Look in pg_stat_activity for one that is open for long: a handler, or a tool';

/** Somebody else has something locked that the statement needs. */
export function isLocked(error: unknown): boolean {
  const state = sqlState(error);
  return state === LOCKED || state === CANCELED;
}

/** Until the next try of what somebody else has, after this time: longer and longer. */
export function pauseMs(waitedMs: number): number {
  return Math.min(Math.max(waitedMs, LOCK_WAIT_MS), LONGEST_PAUSE_MS);
}

/** Does it with each that nobody has locked, and returns the others: one of them must keep it from none. */
export async function unlocked<T>(
  items: readonly T[],
  work: (item: T, bounds: { readonly waitMs: number }) => Promise<unknown>,
): Promise<T[]> {
  const locked: T[] = [];
  for (const item of items)
    try {
      await work(item, { waitMs: 0 });
    } catch (error) {
      if (!isLocked(error)) throw error;
      locked.push(item);
    }
  return locked;
}

/**
 * Waits for locks without a connection: a handler may hold them for as long as it runs, and everything else needs the connections.
 * Each try has one for a moment, and only so many at a time are another try.
 */
export class LockWait {
  #tries = 0;
  /** Whose turn is next. */
  readonly #line: (() => void)[] = [];

  constructor(private readonly mostTries: () => number) {}

  /** `forMs`: how long it goes on trying; 0: it does not, and what the database said is thrown. */
  async run<T>(work: () => Promise<T>, forMs: number): Promise<T> {
    const began = performance.now();
    const waitedMs = () => performance.now() - began;
    let attempt = work;
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        const isTooLong = sqlState(error) === CANCELED && waitedMs() >= forMs;
        if (!isLocked(error) || isTooLong || forMs === 0) throw error;
      }
      await delay(pauseMs(waitedMs()));
      attempt = () =>
        this.#inTurn(() => {
          if (waitedMs() < forMs) return work();
          throw new DatabaseDeadlineError(forMs, LOCKED_ALL_THE_TIME);
        });
    }
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#tries < this.mostTries()) this.#tries += 1;
    else await new Promise<void>((resolve) => this.#line.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#line.shift();
      if (next) next();
      else this.#tries -= 1;
    }
  }
}
