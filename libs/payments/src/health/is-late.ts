/** A sweep may miss ticks while a statement takes its time. */
const MISSED_TICKS = 6;
const SHORTEST_MS = 60_000;

/** Whether a process that sweeps so often does so no more; `sinceMs`: since its last look, null: it has not looked yet. */
export function isLate(sinceMs: number | null, intervalMs: number): boolean {
  return sinceMs === null || sinceMs > Math.max(SHORTEST_MS, MISSED_TICKS * intervalMs);
}
