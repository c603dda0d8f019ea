/** A key is valid for 24 hours (assumed); the last hour is left alone, because the request may be under way for minutes. */
export const KEY_LIFETIME_MS = 24 * 3_600_000;
const KEY_MARGIN_MS = 3_600_000;
/** A request may still be under way, or be worked on, this long after it was last sent. */
const IN_FLIGHT_MS = 5 * 60_000;

/** Whether the same request may still be sent under its key. A key that was never sent cannot have expired. */
export function mayResend(firstSentAt: Date | null, now: Date): boolean {
  return firstSentAt === null || now.getTime() - firstSentAt.getTime() < KEY_LIFETIME_MS - KEY_MARGIN_MS;
}

/** Whether the service can no longer be about to receive or finish it. */
export function isQuiet(lastSentAt: Date | null, now: Date): boolean {
  return lastSentAt === null || now.getTime() - lastSentAt.getTime() > IN_FLIGHT_MS;
}

/** The time in which a lost create must have been made, with room for clocks that differ. */
export function creationWindow(firstSentAt: Date, lastSentAt: Date): { createdFrom: Date; createdTo: Date } {
  return {
    createdFrom: new Date(firstSentAt.getTime() - IN_FLIGHT_MS),
    createdTo: new Date(lastSentAt.getTime() + IN_FLIGHT_MS),
  };
}
