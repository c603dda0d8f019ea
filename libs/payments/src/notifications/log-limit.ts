/** Says of a repeated fact when it is to be logged: a flood of requests must not become a flood of log lines. */
export class LogLimit {
  #count = 0;
  #loggedAt = -Infinity;

  constructor(private readonly everyMs: number) {}

  /** How many there were since the last line, if one is due now; null where it is not. */
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
