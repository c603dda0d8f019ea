/**
 * Up to `slots` workers, each taking one piece of work at a time until there is none. A worker that finds some adds another, so
 * an idle process queries the database once per tick, and one slow piece delays no other.
 */
export class WorkLoop {
  readonly #workers = new Set<Promise<void>>();
  #again = false;
  #stopped = false;

  constructor(
    /** Takes and does one piece of work; false if there is none. */
    private readonly takeOne: () => Promise<boolean>,
    private readonly slots: number,
    private readonly onError: (error: unknown) => void,
  ) {}

  wake(): void {
    // All are busy: one of them may just have found nothing, so look once more when it ends.
    if (!this.#start()) this.#again = true;
  }

  /** Takes no more work and waits for the work in progress. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#workers);
  }

  /** Another worker, if there is a slot for it. */
  #start(): boolean {
    if (this.#stopped || this.#workers.size >= this.slots) return false;
    const worker = this.#work().finally(() => {
      this.#workers.delete(worker);
      if (!this.#again) return;
      this.#again = false;
      this.wake();
    });
    this.#workers.add(worker);
    return true;
  }

  async #work(): Promise<void> {
    try {
      while (!this.#stopped && (await this.takeOne())) this.#start();
    } catch (error) {
      this.onError(error);
    }
  }
}
