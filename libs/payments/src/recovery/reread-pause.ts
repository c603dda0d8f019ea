import { HOUR_MS, MINUTE_MS } from '../common/durations.js';

/** What is to be re-read was asked for by the window itself, and takes a second or two. */
const SHORTEST_MS = 5_000;
const LONGEST_MS = 3 * MINUTE_MS;
/** A refund that does not fit its payment never becomes known. */
const PATIENCE_MS = HOUR_MS;

/**
 * How long a window waits for payments to be re-read before their refunds are listed again; null: it has waited long enough. As long
 * as it has been read so far (`readForMs`), so each pause is about twice the one before, and lists take half of the time at most.
 * `readForMs`: null in the first list.
 */
export function rereadPauseMs(readForMs: number | null): number | null {
  if (readForMs === null) return SHORTEST_MS;
  if (readForMs > PATIENCE_MS) return null;
  return Math.min(Math.max(readForMs, SHORTEST_MS), LONGEST_MS);
}
