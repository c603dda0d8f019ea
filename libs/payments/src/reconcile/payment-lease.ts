import type { ObjectList } from '../api/object-list.js';
import { elapsedAtMostMs, thisMoment, type Moment } from '../common/moment.js';

/** A worker's lease on a payment, which lasts as long as its work does: a step never begins with too little time left. */
export class PaymentLease {
  #begunAt: Moment;
  #lastsMs: number;
  #requests = 0;

  /**
   * `extend`: makes it last this long from now; false if another worker has the payment. `requestMs`: how long a request may take;
   * `spareMs`: how far a step may exceed its time.
   */
  constructor(
    private readonly extend: (lastsMs: number) => Promise<boolean>,
    { begunAt, lastsMs }: { readonly begunAt: Moment; readonly lastsMs: number },
    private readonly times: { readonly requestMs: number; readonly spareMs: number },
  ) {
    this.#begunAt = begunAt;
    this.#lastsMs = lastsMs;
  }

  /** Requests that the work has made so far. */
  get requests(): number {
    return this.#requests;
  }

  /**
   * Call before each request.
   * @throws Error if the lease was lost
   */
  async request(): Promise<void> {
    this.#requests += 1;
    await this.outlive(this.times.requestMs);
  }

  /**
   * Call before each step that may take this long: the host's own code, for example.
   * @throws Error if the lease was lost
   */
  async outlive(stepMs: number): Promise<void> {
    const { spareMs } = this.times;
    if (this.#lastsMs - elapsedAtMostMs(this.#begunAt) >= stepMs + spareMs) return;
    const begunAt = thisMoment();
    const lastsMs = stepMs + 2 * spareMs;
    if (!(await this.extend(lastsMs))) throw new Error('Another worker has taken the payment over.');
    this.#begunAt = begunAt;
    this.#lastsMs = lastsMs;
  }
}

/** The items of a list, as long as the lease lasts. */
export async function* itemsUnder<T>(
  lease: PaymentLease,
  list: ObjectList<T>,
): AsyncGenerator<T, void, undefined> {
  await lease.request();
  for await (const { items, nextCursor } of list.pages()) {
    yield* items;
    if (nextCursor !== null) await lease.request();
  }
}
