/**
 * Moves business time: due times, holds and the age of keys are judged by the database's time plus this offset.
 * Leases are not: they follow the database's time alone, so that moving the clock never frees a lease that a
 * running process holds.
 */
export interface Clock {
  /** Whole milliseconds added to the database's time. Zero in production. */
  offsetMs(): number;
}

export const systemClock: Clock = { offsetMs: () => 0 };

/** SQL for business time. The offset is written into the text: it is checked to be an integer, and it needs no parameter. */
export function businessNow(clock: Clock): string {
  const offsetMs = clock.offsetMs();
  if (!Number.isSafeInteger(offsetMs))
    throw new RangeError(`Clock.offsetMs() must be whole milliseconds, not ${offsetMs}.`);
  return offsetMs === 0 ? 'clock_timestamp()' : `(clock_timestamp() + interval '${offsetMs} milliseconds')`;
}

/** SQL for `base` plus whole milliseconds. */
export function plusMs(base: string, ms: number): string {
  return `(${base} + interval '${Math.round(ms)} milliseconds')`;
}
