import { createHash } from 'node:crypto';

/**
 * Decisions that follow from the seed alone. Each subject (a purchase, a fault) has dice of its own, so that its decisions do not
 * depend on how fast another is: the same seed always decides the same.
 */
export class Dice {
  #thrown = 0;

  constructor(
    private readonly seed: number,
    private readonly subject: string,
  ) {}

  /** A whole number between the two, both included. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.#throw() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.#throw() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    const choice = choices[this.whole(0, choices.length - 1)];
    if (choice === undefined) throw new Error('There is nothing to choose from.');
    return choice;
  }

  shuffled<T>(items: readonly T[]): T[] {
    return items
      .map((item) => ({ item, place: this.#throw() }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ item }) => item);
  }

  /** At least 0, below 1. */
  #throw(): number {
    this.#thrown += 1;
    const digest = createHash('sha256').update(`${this.seed} ${this.subject} ${this.#thrown}`).digest();
    return digest.readUInt32BE(0) / 2 ** 32;
  }
}
