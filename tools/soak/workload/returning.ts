/** Copies that are restored are younger. */
const RECENT_MS = 3 * 60_000;

interface Visit {
  readonly boughtAt: number;
  readonly askAgain: () => Promise<void>;
}

/** Who asks for the same again: once in any case, and whenever the database has forgotten what happened lately. */
export class Returning {
  readonly #visits: Visit[] = [];
  readonly #underWay = new Set<Promise<void>>();

  add(askAgain: () => Promise<void>): void {
    this.#visits.push({ boughtAt: performance.now(), askAgain });
    this.#begin(askAgain);
  }

  /** Call when the database has forgotten something. */
  all(): void {
    const since = performance.now() - RECENT_MS;
    for (const { boughtAt, askAgain } of this.#visits) if (boughtAt > since) this.#begin(askAgain);
  }

  async ended(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  #begin(askAgain: () => Promise<void>): void {
    const ended = askAgain().finally(() => this.#underWay.delete(ended));
    this.#underWay.add(ended);
  }
}
