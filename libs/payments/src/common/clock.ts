/**
 * Moves business time: due times, holds and the age of keys are judged by the database's time plus this offset. Leases are not:
 * they follow only the database's time, so that moving the clock never frees a lease that a running process holds.
 */
export interface Clock {
  /** Whole milliseconds added to the database's time. Zero in production. */
  offsetMs(): number;
  /**
   * What this process has waited, in milliseconds from any moment on, never less than before. A test that moves time on moves it
   * with `offsetMs()`; where that one moves alone, the clock has jumped. Default: `performance.now()`.
   */
  elapsedMs?(): number;
}

export const systemClock: Clock = { offsetMs: () => 0 };

/** What this process has waited, by a clock that nobody sets. */
export function waitedMs(clock: Clock): number {
  return clock.elapsedMs?.() ?? performance.now();
}

/**
 * SQL for the database's own time: the statement's, which an index condition can use, unlike clock_timestamp(). It is older
 * after a wait for a lock, so a lease that is judged by it ends late rather than early.
 */
export const DATABASE_NOW = 'statement_timestamp()';

/** SQL for business time. The offset is part of the text: it is checked to be an integer, and it needs no parameter. */
export function businessNow(clock: Clock): string {
  return inBusinessTime(clock, DATABASE_NOW);
}

/** SQL for a moment of the database's own time, in business time. */
export function inBusinessTime(clock: Clock, databaseTime: string): string {
  const offsetMs = clock.offsetMs();
  if (!Number.isSafeInteger(offsetMs))
    throw new RangeError(`Clock.offsetMs() must be whole milliseconds, not ${offsetMs}.`);
  return offsetMs === 0 ? databaseTime : `(${databaseTime} + interval '${offsetMs} milliseconds')`;
}

/** SQL for `base` plus whole milliseconds. */
export function plusMs(base: string, ms: number): string {
  return `(${base} + interval '${Math.round(ms)} milliseconds')`;
}
