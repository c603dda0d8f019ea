/** Lets this many through at once; the others queue. */
export class Gate {
  /** The maximum that were inside at once. */
  most = 0;
  #width = Infinity;
  #inside = 0;
  readonly #line: (() => void)[] = [];

  open(width: number): void {
    this.#width = width;
    this.#let();
  }

  forget(): void {
    this.most = this.#inside;
  }

  async pass(work: () => Promise<unknown>): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#line.push(resolve);
      this.#let();
    });
    try {
      await work();
    } finally {
      this.#inside -= 1;
      this.#let();
    }
  }

  #let(): void {
    while (this.#inside < this.#width && this.#line.length > 0) {
      this.#inside += 1;
      this.most = Math.max(this.most, this.#inside);
      this.#line.shift()?.();
    }
  }
}
