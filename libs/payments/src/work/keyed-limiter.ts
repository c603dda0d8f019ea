/** One of those that share slots, by its name among them. */
export interface Sharer {
  readonly key: string;
  /** There is no other who could want a slot, so it may have all. */
  readonly alone: boolean;
}

/**
 * Counts who holds how many of some slots, and decides who may have more, so that whatever hangs leaves a part of them to every
 * other key. Keys contain keys: what one may still have is shared among those within it.
 */
export class KeyedLimiter {
  readonly #held = new Map<string, number>();
  #free: number;

  constructor(private readonly slots: number) {
    this.#free = slots;
  }

  /** Those that hold some. */
  get keys(): string[] {
    return [...this.#held.keys()];
  }

  /** What a key may still have of half of the slots: for work that leaves its slot if it takes long. */
  leftOfHalf(key: string): number {
    return Math.max(1, Math.floor(this.slots / 2)) - this.#heldBy(key);
  }

  /**
   * What may still be had, the outermost key first, of slots that are held to the end: a key takes a free one only while more are
   * free than it has. So the first one that hangs holds at most half of them, rounded up, and as long as one is free every other
   * key finds it.
   */
  room(...path: readonly Sharer[]): number {
    const keys = path.map(({ key }) => key);
    return path.reduce(
      (room, { alone }, depth) =>
        alone ? room : Math.max(0, Math.ceil((room - this.#heldBy(nameOf(keys.slice(0, depth + 1)))) / 2)),
      this.#free,
    );
  }

  /** Takes a slot or returns it, for a key within the keys before it. The caller checks whether there is room. */
  count(change: 1 | -1, ...keys: readonly string[]): void {
    this.#free -= change;
    for (const depth of keys.keys()) {
      const name = nameOf(keys.slice(0, depth + 1));
      const held = this.#heldBy(name) + change;
      if (held === 0) this.#held.delete(name);
      else this.#held.set(name, held);
    }
  }

  #heldBy(name: string): number {
    return this.#held.get(name) ?? 0;
  }
}

function nameOf(keys: readonly string[]): string {
  return keys.join('\n');
}
