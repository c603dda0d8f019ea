/** A token bucket: `perSecond` in the long run, `burst` at once. */
export class RateLimit {
  #left: number;
  #at = performance.now();

  constructor(
    private readonly perSecond: number,
    private readonly burst: number,
  ) {
    this.#left = burst;
  }

  /** Whether one more may run now. */
  take(): boolean {
    const now = performance.now();
    this.#left = Math.min(this.burst, this.#left + ((now - this.#at) / 1_000) * this.perSecond);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
