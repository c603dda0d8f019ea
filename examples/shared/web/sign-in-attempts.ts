import { networkOf } from './network.js';

const WINDOW_MS = 15 * 60_000;
const FAILURES_OF_ONE = 10;
const FAILURES_OF_STRANGERS = 100;
const KNOWN = 100;

/**
 * How often a password may be tried, per address and overall, in this process. Users who have signed in from an address, or in a
 * browser, before are not shut out by the failures of strangers. The memory is bounded: strangers count up to their limit.
 */
export class SignInAttempts {
  readonly #failures = new Map<string, number>();
  readonly #known = new Set<string>();
  #failuresOfStrangers = 0;
  #windowEndsMs = 0;

  constructor(private readonly nowMs: () => number) {}

  /**
   * Call before checking a password: counts as a failure until `succeeded`. Returns how long to wait; 0: go on.
   * @param browser the id of one in which somebody has signed in before, which counts in place of its address
   */
  begin(address: string, browser: string | null = null): number {
    const nowMs = this.nowMs();
    const isOver = nowMs >= this.#windowEndsMs || nowMs < this.#windowEndsMs - WINDOW_MS;
    if (isOver) {
      this.#failures.clear();
      this.#failuresOfStrangers = 0;
      this.#windowEndsMs = nowMs + WINDOW_MS;
    }
    const from = browser ?? networkOf(address);
    const isStranger = browser === null && !this.#known.has(from);
    const failures = this.#failures.get(from) ?? 0;
    const isShutOut = isStranger && this.#failuresOfStrangers >= FAILURES_OF_STRANGERS;
    if (failures >= FAILURES_OF_ONE || isShutOut) return this.#windowEndsMs - nowMs;
    this.#failures.set(from, failures + 1);
    if (isStranger) this.#failuresOfStrangers += 1;
    return 0;
  }

  /** Takes the failure back that `begin` counted. */
  succeeded(address: string, browser: string | null = null): void {
    const from = browser ?? networkOf(address);
    const failures = this.#failures.get(from) ?? 0;
    if (failures > 1) this.#failures.set(from, failures - 1);
    else this.#failures.delete(from);
    if (browser !== null) return;
    // Signed in last, forgotten last.
    if (!this.#known.delete(from)) this.#failuresOfStrangers = Math.max(0, this.#failuresOfStrangers - 1);
    this.#known.add(from);
    const [oldest] = this.#known;
    if (oldest !== undefined && this.#known.size > KNOWN) this.#known.delete(oldest);
  }
}
