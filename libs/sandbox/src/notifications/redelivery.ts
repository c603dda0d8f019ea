/**
 * When the service repeats, in seconds from the event (assumed): seven times, the last just within the 24 hours of the interface.
 */
const REPEATS_SECONDS = [10, 42, 84, 168, 672, 5_376, 86_016];

/** When the service tries again after an attempt that failed; null: it gives up. */
export function nextAttempt(eventAt: Date, previousAt: Date): Date | null {
  const passedMs = previousAt.getTime() - eventAt.getTime();
  const seconds = REPEATS_SECONDS.find((repeat) => repeat * 1000 > passedMs);
  return seconds === undefined ? null : new Date(eventAt.getTime() + seconds * 1000);
}
