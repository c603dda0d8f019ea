import { Injectable } from '@nestjs/common';

/** When this process last looked for what there is to do: kept in memory, for whoever asks whether its sweeps go on. */
@Injectable()
export class SweepPulse {
  #lookedAtMs: number | null = null;

  /** A look has ended well. */
  beat(): void {
    this.#lookedAtMs = performance.now();
  }

  /** Time since then, in ms, by a clock that nobody sets; null: this process has not looked yet, or does not sweep. */
  sinceMs(): number | null {
    return this.#lookedAtMs === null ? null : performance.now() - this.#lookedAtMs;
  }
}
