import { HttpException, HttpStatus } from '@nestjs/common';
import type { Response } from 'express';

/** Keys that are counted at once; beyond that the one counted first is forgotten, so that a flood of them takes no memory. */
const KEPT = 10_000;

/** How often something may be done in a span of time, for each key, in this process. */
export class RateLimit {
  readonly #counts = new Map<string, number>();
  #windowEndsMs = 0;

  constructor(
    private readonly limit: { readonly most: number; readonly windowMs: number },
    private readonly nowMs: () => number,
  ) {}

  /** Counts one more of this key. Returns how long to wait; 0: go on. */
  take(key: string): number {
    const nowMs = this.nowMs();
    const { most, windowMs } = this.limit;
    if (nowMs >= this.#windowEndsMs || nowMs < this.#windowEndsMs - windowMs) {
      this.#counts.clear();
      this.#windowEndsMs = nowMs + windowMs;
    }
    const count = (this.#counts.get(key) ?? 0) + 1;
    if (count > most) return this.#windowEndsMs - nowMs;
    this.#counts.set(key, count);
    const [first] = this.#counts.keys();
    if (this.#counts.size > KEPT && first !== undefined) this.#counts.delete(first);
    return 0;
  }
}

/**
 * Answers 429 if it takes any time to wait.
 * @throws HttpException
 */
export function mustNotWait(waitMs: number, response: Response): void {
  if (waitMs <= 0) return;
  response.setHeader('Retry-After', Math.ceil(waitMs / 1_000));
  throw new HttpException('Too many requests', HttpStatus.TOO_MANY_REQUESTS);
}
