import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';

const PAUSE_MS = 50;

/** Commits next to nothing, again and again, and measures how long each commit takes. */
export class CommitProbe {
  #times: number[] = [];
  #isOver = false;
  readonly #ended: Promise<void>;

  constructor(private readonly client: Client) {
    this.#ended = this.#run();
  }

  /** Those since the last call, in ms. */
  take(): readonly number[] {
    const times = this.#times;
    this.#times = [];
    return times;
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#ended;
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      const startedAt = performance.now();
      // Leaves no row, but something that the commit has to bring to the disk.
      await this.client.query(`SELECT pg_logical_emit_message(true, 'bench', '')`);
      this.#times.push(performance.now() - startedAt);
      await delay(PAUSE_MS);
    }
  }
}
