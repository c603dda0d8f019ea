/** One of those that share slots, by its name among them. */
export interface Sharer {
  readonly key: string;
  /** There is no other who could want a slot, so it may have all. */
  readonly alone: boolean;
}

/**
 * Decides who may take a slot: a key takes a free one only while more are free than it has. So whatever hangs holds at most half
 * of them, rounded up, and every other key finds one. Keys contain keys: what one may still take is shared by the same rule among
 * those within it.
 */
export class Shares {
  readonly #held = new Map<string, number>();
  #free: number;

  constructor(slots: number) {
    this.#free = slots;
  }

  /** How many slots it may still take, the outermost key first. */
  room(...path: readonly Sharer[]): number {
    return path.reduce(
      (room, { alone }, depth) =>
        alone ? room : Math.max(0, Math.ceil((room - this.#heldBy(nameOf(path.slice(0, depth + 1)))) / 2)),
      this.#free,
    );
  }

  /** Takes a slot and returns the function that frees it. The caller checks whether there is room. */
  take(...path: readonly Sharer[]): () => void {
    const names = path.map((_, depth) => nameOf(path.slice(0, depth + 1)));
    const add = (count: number) => {
      this.#free -= count;
      for (const name of names) {
        const held = this.#heldBy(name) + count;
        if (held === 0) this.#held.delete(name);
        else this.#held.set(name, held);
      }
    };
    add(1);
    let taken = true;
    return () => {
      if (taken) add(-1);
      taken = false;
    };
  }

  #heldBy(name: string): number {
    return this.#held.get(name) ?? 0;
  }
}

function nameOf(path: readonly Sharer[]): string {
  return path.map(({ key }) => key).join('\n');
}
