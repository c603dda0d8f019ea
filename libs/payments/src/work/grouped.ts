import { isOfOneRow } from '../common/sql-state.js';
import { detached } from './detached.js';

/** There is no room for an item, or it has waited too long. */
export class GroupBusyError extends Error {
  override readonly name = 'GroupBusyError';
}

interface Limits {
  /** Items of one statement. */
  readonly most: number;
  /** How many items may wait for the next statement; a further item is refused. Default: any number. */
  readonly waiting?: number;
  /** How long an item waits, in ms, before it is refused; its statement may still commit. Default: as long as it takes. */
  readonly patienceMs?: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
  gaveUp: boolean;
  /** Cleared with the result: what a thousand notifications a second leave until it fires is 13 MiB after ten thousand. */
  timer?: NodeJS.Timeout;
}

/**
 * Writes items that arrive at the same time together: while one group is being written the next one gathers, so that no timer is
 * needed and a lone item waits for nothing. An item's result is its own: if the database refuses a group because of one of its
 * rows, its items go on one by one.
 */
export class Grouped<Item, Result> {
  #waiting: Waiting<Item, Result>[] = [];
  #isWriting = false;

  constructor(
    /** One result for each item, in their order. */
    private readonly write: (items: readonly Item[]) => Promise<readonly Result[]>,
    private readonly limits: Limits,
  ) {}

  /** @throws GroupBusyError */
  add(item: Item): Promise<Result> {
    const { waiting: room = Infinity, patienceMs } = this.limits;
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= room) throw new GroupBusyError('too many at once');
      const waiting: Waiting<Item, Result> = { item, resolve, reject, gaveUp: false };
      this.#waiting.push(waiting);
      if (patienceMs !== undefined) waiting.timer = this.#limit(waiting, patienceMs);
      // Not as a part of the request that happened to come first.
      if (!this.#isWriting) detached(() => void this.#writeAll());
    });
  }

  #limit(waiting: Waiting<Item, Result>, patienceMs: number): NodeJS.Timeout {
    return setTimeout(() => {
      waiting.gaveUp = true;
      this.#waiting = this.#waiting.filter((other) => other !== waiting);
      waiting.reject(new GroupBusyError('the database is too slow'));
    }, patienceMs).unref();
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    // Items that arrive within this turn of the event loop belong together.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) await this.#writeGroup(this.#waiting.splice(0, this.limits.most));
    this.#isWriting = false;
  }

  async #writeGroup(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.write(group.map(({ item }) => item));
      for (const [index, { resolve, reject, timer }] of group.entries()) {
        clearTimeout(timer);
        const result = results[index];
        if (result === undefined)
          reject(new Error('A group was written without a result for each of its items.'));
        else resolve(result);
      }
    } catch (error) {
      if (group.length > 1 && isOfOneRow(error)) {
        for (const one of group) if (!one.gaveUp) await this.#writeGroup([one]);
        return;
      }
      for (const { reject, timer } of group) {
        clearTimeout(timer);
        reject(error);
      }
    }
  }
}
