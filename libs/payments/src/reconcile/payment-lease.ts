/** A worker's lease on a payment, which lasts as long as its work does: a step never begins with too little time left. */
export class PaymentLease {
  #endsAtMs: number;
  #requests = 0;

  /**
   * `extend`: makes it last this long from now; false if another worker has the payment. `spareMs`: how far a step may exceed its
   * time.
   */
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
   * Call before each request that may take this long.
   * @throws Error if the lease was lost
   */
  async request(timeoutMs: number): Promise<void> {
    this.#requests += 1;
    await this.outlive(timeoutMs);
  }

  /**
   * Call before each step that may take this long: the host's own code, for example.
   * @throws Error if the lease was lost
   */
  async outlive(stepMs: number): Promise<void> {
    const now = Date.now();
    if (this.#endsAtMs - now >= stepMs + this.spareMs) return;
    const lastsMs = stepMs + 2 * this.spareMs;
    if (!(await this.extend(lastsMs))) throw new Error('Another worker has taken the payment over.');
    this.#endsAtMs = now + lastsMs;
  }
}
