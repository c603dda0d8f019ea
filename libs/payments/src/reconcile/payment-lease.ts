/** A worker's lease on a payment, which goes on for as long as its work does: what comes next never begins on too short a rest. */
export class PaymentLease {
  #endsAtMs: number;
  #requests = 0;

  /** `extend`: makes it last so long from now; false where another worker has the payment. `spareMs`: what a step may take beyond its time. */
  constructor(
    private readonly extend: (lastsMs: number) => Promise<boolean>,
    endsAtMs: number,
    private readonly spareMs: number,
  ) {
    this.#endsAtMs = endsAtMs;
  }

  /** Requests that the work has made so far. */
  get requests(): number {
    return this.#requests;
  }

  /**
   * To be called before each request that may take so long.
   * @throws Error where the lease was lost
   */
  async request(timeoutMs: number): Promise<void> {
    this.#requests += 1;
    await this.outlive(timeoutMs);
  }

  /**
   * To be called before each step that may take so long: the host's own code, say.
   * @throws Error where the lease was lost
   */
  async outlive(stepMs: number): Promise<void> {
    const now = Date.now();
    if (this.#endsAtMs - now >= stepMs + this.spareMs) return;
    const lastsMs = stepMs + 2 * this.spareMs;
    if (!(await this.extend(lastsMs))) throw new Error('Another worker has taken the payment over.');
    this.#endsAtMs = now + lastsMs;
  }
}
