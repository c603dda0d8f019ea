/** A request may still be under way, or be worked on, this long after it was last sent. */
export const IN_FLIGHT_MS = 5 * 60_000;
