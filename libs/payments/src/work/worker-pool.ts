/** One kind of work: pieces that are claimed, and then done. */
export interface Work<Claim> {
  /** How many pieces are done at once. */
  readonly slots: number;
  /** How many are claimed before there is a slot for them. Default: none. */
  readonly ahead?: number;
  /** How many that take long continue beside the slots. Default: none. */
  readonly aside?: number;
  /** What is claimed and finds no slot for this long is returned. Default: it waits for one. */
  readonly patienceMs?: number;
  /** Claims about `most` pieces; fewer: there are no more for now. */
  readonly take: (most: number) => Promise<readonly Claim[]>;
  /** Whether a slot may be given to this one now. Default: always. */
  readonly mayBegin?: (claim: Claim) => boolean;
  readonly run: (claim: Claim) => Promise<void>;
  /** Whether there may be more to claim once this one is done: left out before, or made by it. Default: no. */
  readonly leadsToMore?: (claim: Claim) => boolean;
  /** Returns what was claimed and not begun. Default: it is done. */
  readonly giveBack?: (claims: readonly Claim[]) => Promise<void>;
}

/** Longer than a healthy service takes, and far shorter than a request that is never answered. */
const LONG_MS = 500;

/** Work whose claim does it already, one piece after the other; false: there is none. */
export function stepwise(step: () => Promise<boolean>): Work<true> {
  return { slots: 1, take: async () => ((await step()) ? [true] : []), run: () => Promise.resolve() };
}

/**
 * Does one kind of work once it is woken, until there is no more of it. It claims for itself, one claim at a time, and only what
 * it has room for; an idle one sends no queries. What takes long leaves its slot and continues beside it, so that what hangs
 * leaves the slots to the rest.
 */
export class WorkerPool<Claim> {
  readonly #running = new Set<Promise<void>>();
  #claimed: readonly Claim[] = [];
  #busy = 0;
  #aside = 0;
  #mayBeMore = false;
  #claiming: Promise<void> | null = null;
  /** Pieces that it ever claimed. */
  #taken = 0;
  #stopped = false;

  constructor(
    private readonly work: Work<Claim>,
    private readonly onError: (error: unknown) => void,
  ) {}

  wake(): void {
    this.#mayBeMore = true;
    this.#fill();
  }

  /** Does what there is to do now, and resolves once nothing of it is under way; whether there was anything. */
  async drain(): Promise<boolean> {
    const before = this.#taken;
    this.wake();
    for (;;) {
      const underWay = [...(this.#claiming ? [this.#claiming] : []), ...this.#running];
      if (underWay.length === 0) return this.#taken > before;
      await Promise.race(underWay);
    }
  }

  /** Claims no more, returns what was not begun, and waits for the work in progress, a claim included. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#claiming;
    await this.#giveBack(this.#claimed);
    await Promise.all(this.#running);
  }

  #fill(): void {
    this.#begin();
    const { slots, ahead = 0 } = this.work;
    const hasRoom = this.#busy < slots || this.#claimed.length < ahead / 2;
    // A wake-up during a claim is handled when that is done.
    if (this.#stopped || this.#claiming || !this.#mayBeMore || !hasRoom) return;
    this.#mayBeMore = false;
    const most = Math.max(1, ahead - this.#claimed.length);
    this.#claiming = this.#quietly(() => this.#claim(most)).finally(() => {
      this.#claiming = null;
      this.#fill();
    });
  }

  async #claim(most: number): Promise<void> {
    const { take, patienceMs } = this.work;
    const claims = await take(most);
    this.#taken += claims.length;
    if (claims.length >= most) this.#mayBeMore = true;
    this.#claimed = [...this.#claimed, ...claims];
    if (patienceMs !== undefined && claims.length > 0)
      setTimeout(() => void this.#giveBack(claims), patienceMs).unref();
  }

  #begin(): void {
    const { slots, mayBegin = () => true, giveBack } = this.work;
    if (this.#stopped && giveBack) return;
    while (this.#busy < slots) {
      const claim = this.#claimed.find(mayBegin);
      if (claim === undefined) return;
      this.#claimed = this.#claimed.filter((other) => other !== claim);
      const run = this.#run(claim).finally(() => this.#running.delete(run));
      this.#running.add(run);
    }
  }

  async #run(claim: Claim): Promise<void> {
    const { run, leadsToMore, aside = 0 } = this.work;
    let isAside = false;
    this.#busy += 1;
    const late = setTimeout(() => {
      if (this.#aside >= aside) return;
      isAside = true;
      this.#aside += 1;
      this.#busy -= 1;
      this.#fill();
    }, LONG_MS);
    await this.#quietly(() => run(claim));
    clearTimeout(late);
    if (leadsToMore?.(claim)) this.#mayBeMore = true;
    if (isAside) this.#aside -= 1;
    else this.#busy -= 1;
    this.#fill();
  }

  /** Of these, what has not been begun. */
  async #giveBack(claims: readonly Claim[]): Promise<void> {
    const left = this.#claimed.filter((claim) => claims.includes(claim));
    this.#claimed = this.#claimed.filter((claim) => !left.includes(claim));
    if (left.length > 0) await this.#quietly(async () => this.work.giveBack?.(left));
  }

  async #quietly(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.onError(error);
    }
  }
}
