/** A worker's lease on a payment, which goes on for as long as its work does: what comes next never begins on too short a rest. */
export class PaymentLease {
  #endsAtMs: number;

  /** `extend`: makes it last so long from now; false where another worker has the payment. `spareMs`: what a step may take beyond its time. */
  constructor(
    private readonly extend: (lastsMs: number) => Promise<boolean>,
    endsAtMs: number,
    private readonly spareMs: number,
  ) {
    this.#endsAtMs = endsAtMs;
  }

  /**
   * To be called before each step that may take so long: a request with its repeats, a page of a list, the host's own code.
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
