/** Pauses between attempts, in seconds (assumed): at most seven repeats. */
const PAUSES_SECONDS = [10, 42, 84, 168, 672, 5_376, 86_016];

/** No repeat later than this after the event (section 6 of the service interface). */
const REDELIVERY_MS = 24 * 60 * 60 * 1000;

/**
 * When the service tries again after `attempts` failed ones; null: it has given up. The pause counts from the
 * previous attempt. After prompt attempts the seventh repeat would fall beyond the 24 hours, so it is not made.
 */
export function nextAttempt(eventAt: Date, attempts: number, previousAt: Date): Date | null {
  const pauseSeconds = PAUSES_SECONDS[attempts - 1];
  if (pauseSeconds === undefined) return null;
  const next = new Date(previousAt.getTime() + pauseSeconds * 1000);
  return next.getTime() - eventAt.getTime() <= REDELIVERY_MS ? next : null;
}
