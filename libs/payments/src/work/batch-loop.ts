/** One kind of work that is claimed several pieces at a time. */
interface BatchWork<Claim> {
  /** Claims up to this many pieces; fewer: there are no more for now. */
  readonly take: (most: number) => Promise<readonly Claim[]>;
  readonly run: (claim: Claim) => Promise<void>;
  /** Returns what was claimed and not begun. */
  readonly giveBack: (claim: Claim) => Promise<void>;
}

/** Longer than a healthy service takes, and far shorter than a request that is never answered. */
const PATIENCE_MS = 500;
/** For each slot, how much work may continue beside it. */
const ASIDE_PER_SLOT = 2;

/**
 * Does up to `slots` pieces of work at once. The next ones are claimed while those before them are still being done, so that no
 * slot waits for a claim; an idle loop sends no queries. Work that takes long continues beside the slots, so that hanging work
 * leaves them to the rest.
 */
export class BatchLoop<Claim> {
  readonly #running = new Set<Promise<void>>();
  readonly #claimed: Claim[] = [];
  #busy = 0;
  #detached = 0;
  #mayBeMore = false;
  #filling: Promise<void> | null = null;
  #stopped = false;

  constructor(
    private readonly work: BatchWork<Claim>,
    private readonly slots: number,
    private readonly onError: (error: unknown) => void,
  ) {}

  wake(): void {
    this.#mayBeMore = true;
    this.#fill();
  }

  /** Claims no more, returns what was not begun, and waits for the work in progress, a claim included. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#filling;
    const left = this.#claimed.splice(0).map((claim) => this.#quietly(() => this.work.giveBack(claim)));
    await Promise.all([...this.#running, ...left]);
  }

  #fill(): void {
    if (this.#stopped) return;
    this.#begin();
    // Half a load is waiting: time to claim the next one. A wake-up during a claim is handled when that is done.
    if (this.#filling || !this.#mayBeMore || this.#claimed.length > this.slots / 2) return;
    this.#mayBeMore = false;
    this.#filling = this.#quietly(() => this.#claim(this.slots - this.#claimed.length)).finally(() => {
      this.#filling = null;
      this.#fill();
    });
  }

  async #claim(most: number): Promise<void> {
    const claims = await this.work.take(most);
    if (claims.length >= most) this.#mayBeMore = true;
    this.#claimed.push(...claims);
  }

  #begin(): void {
    while (this.#busy < this.slots) {
      const claim = this.#claimed.shift();
      if (claim === undefined) return;
      const run = this.#run(claim).finally(() => this.#running.delete(run));
      this.#running.add(run);
    }
  }

  async #run(claim: Claim): Promise<void> {
    this.#busy += 1;
    let isAside = false;
    const late = setTimeout(() => {
      if (this.#detached >= this.slots * ASIDE_PER_SLOT) return;
      isAside = true;
      this.#detached += 1;
      this.#busy -= 1;
      this.#fill();
    }, PATIENCE_MS);
    await this.#quietly(() => this.work.run(claim));
    clearTimeout(late);
    if (isAside) this.#detached -= 1;
    else this.#busy -= 1;
    this.#fill();
  }

  async #quietly(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.onError(error);
    }
  }
}
