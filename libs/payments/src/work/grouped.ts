interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes items that arrive at the same time together: while one group is being written the next one gathers, so that no timer is
 * needed and a lone item waits for nothing.
 */
export class Grouped<Item, Result> {
  #waiting: Waiting<Item, Result>[] = [];
  #isWriting = false;

  constructor(
    /** One result for each item, in their order. */
    private readonly write: (items: readonly Item[]) => Promise<readonly Result[]>,
    private readonly most: number,
  ) {}

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (!this.#isWriting) void this.#writeAll();
    });
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    // Items that arrive within this turn of the event loop belong together.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) await this.#writeGroup(this.#waiting.splice(0, this.most));
    this.#isWriting = false;
  }

  async #writeGroup(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.write(group.map(({ item }) => item));
      for (const [index, { resolve, reject }] of group.entries()) {
        const result = results[index];
        if (result === undefined)
          reject(new Error('A group was written without a result for each of its items.'));
        else resolve(result);
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}
