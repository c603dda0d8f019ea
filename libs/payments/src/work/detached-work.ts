import { Logger } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../common/message-of.js';
import type { Shutdown } from './shutdown.js';

/** Longer than a healthy service takes, and far shorter than a request that is never answered. */
const PATIENCE_MS = 2_000;

/**
 * Work for one store among many. Work that takes long continues beside the loop's slots, so that stores that hang leave them to
 * the others; up to `most` pieces, since each of them has a socket. The process does not end before them.
 */
export class DetachedWork {
  readonly #logger = new Logger('Payments');
  #count = 0;

  constructor(
    private readonly shutdown: Shutdown,
    private readonly most: number,
  ) {}

  /** Resolves when the work is done, or takes long. */
  async awaitBriefly(work: Promise<void>): Promise<void> {
    const done = this.shutdown.waitFor(work);
    if (this.#count >= this.most) return done;
    const ended = new AbortController();
    const late = delay(PATIENCE_MS, true, { signal: ended.signal }).catch(() => false);
    try {
      if (!(await Promise.race([done.then(() => false), late]))) return;
    } finally {
      ended.abort();
    }
    this.#count += 1;
    void this.#goOn(done);
  }

  async #goOn(done: Promise<void>): Promise<void> {
    try {
      await done;
    } catch (error) {
      const reason = messageOf(error);
      this.#logger.error(`The sweep of a slow store was interrupted and continues later: ${reason}`);
    } finally {
      this.#count -= 1;
    }
  }
}
