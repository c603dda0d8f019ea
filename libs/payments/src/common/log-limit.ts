/** Decides when a repeated fact is logged: a flood of requests, or an outage, must not become a flood of log lines. */
export class LogLimit {
  #count = 0;
  #loggedAt = -Infinity;

  constructor(private readonly everyMs: number) {}

  /** How many there were since the last line, if one is due now; else null. */
  take(): number | null {
    this.#count += 1;
    const now = performance.now();
    if (now - this.#loggedAt < this.everyMs) return null;
    const count = this.#count;
    this.#count = 0;
    this.#loggedAt = now;
    return count;
  }
}

/** For what fails again and again: a service that is down fails all re-reads, a database that is away every look of the sweep. */
export const FAILURE_LOG_MS = 10_000;

/** The end of a line that stands for others, too. */
export function andOthers(count: number): string {
  return count > 1 ? ` (and ${count - 1} more since the last such line)` : '';
}
