import type { Sandbox } from '@holdfast/sandbox';
import { Database } from '../database/database.js';
import type { RunningApplication } from './companion.js';
import { nextDueMs } from './next-due.js';
import { settle } from './settle.js';

/** The time of the module and its twin. */
export interface TestClock {
  /** What both take it for. */
  now(): Date;
  /** How far that is ahead of real time, in ms. */
  offsetMs(): number;
  /**
   * Moves both on by whole milliseconds, at most a century, and resolves when everything that became due meanwhile is done, each
   * thing at its own time and in its order: polls, repeats of deliveries and notifications, the ends of holds and payments.
   * @throws TestPaymentsNotStartedError
   */
  advance(ms: number): Promise<void>;
}

/** `running`: the application, or an error if there is none. */
export function testClock(sandbox: Pick<Sandbox, 'clock'>, running: () => RunningApplication): TestClock {
  const { clock } = sandbox;
  return {
    now: () => clock.now(),
    offsetMs: () => clock.offsetMs(),
    async advance(ms) {
      const application = running();
      const untilMs = clock.offsetMs() + ms;
      await settle(sandbox, application);
      for (;;) {
        const leftMs = untilMs - clock.offsetMs();
        const nextMs = leftMs > 0 ? await nextDueMs(application.get(Database)) : null;
        await clock.advance(Math.min(leftMs, Math.max(1, nextMs ?? leftMs)));
        await settle(sandbox, application);
        if (clock.offsetMs() >= untilMs) return;
      }
    },
  };
}
