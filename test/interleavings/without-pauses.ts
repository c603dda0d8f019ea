import { jest } from '@jest/globals';

const timers = process.getBuiltinModule('node:timers/promises');

/**
 * Workers that wait for another ask again after pauses of at most this long; here the other goes on when the schedule says so, and
 * not before.
 */
const PAUSE_MS = 500;
/** And a lock is waited for until its owner has gone on, however long the schedule makes that. */
const LOCK_WAIT_MS = 60_000;

const locks = await import('../../libs/payments/src/database/lock-wait.js');

jest.unstable_mockModule('../../libs/payments/src/database/lock-wait.js', () => ({ ...locks, LOCK_WAIT_MS }));

/** Import this instead of what it exports, which must not be loaded before the pauses are gone. */
jest.unstable_mockModule('node:timers/promises', () => ({
  ...timers,
  setTimeout: (ms: number, ...rest: [value?: unknown, options?: object]) =>
    timers.setTimeout(ms <= PAUSE_MS ? 0 : ms, ...rest),
}));

export const { Stage } = await import('./stage.js');
export const { scenarios } = await import('./scenarios.js');
