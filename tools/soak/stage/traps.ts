import { setTimeout as delay } from 'node:timers/promises';

import type { Point } from './steps.js';

/** What can be done to a shop process at a failpoint. `stop`: SIGSTOP until all its leases have expired. */
export type Action = 'kill' | 'stop' | 'cut' | 'freeze';

interface Trap {
  readonly point: Point;
  readonly action: Action;
  readonly sprung: () => void;
}

/** Failpoints that are armed: the first shop process that passes one is hit. */
export class Traps {
  readonly #armed = new Set<Trap>();

  /** False if no process passed within the time, or before the run ended. */
  async set(point: Point, action: Action, withinMs: number, ended: AbortSignal): Promise<boolean> {
    const sprung = new AbortController();
    const trap: Trap = { point, action, sprung: () => sprung.abort() };
    this.#armed.add(trap);
    const signal = AbortSignal.any([sprung.signal, ended]);
    await delay(withinMs, undefined, { signal }).catch(() => undefined);
    this.#armed.delete(trap);
    return sprung.signal.aborted;
  }

  /** What happens to the process that passes here; null: nothing. */
  spring(point: Point): Action | null {
    for (const trap of this.#armed) {
      if (trap.point !== point) continue;
      this.#armed.delete(trap);
      trap.sprung();
      return trap.action;
    }
    return null;
  }
}
