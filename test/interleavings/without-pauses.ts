import { jest } from '@jest/globals';

const timers = process.getBuiltinModule('node:timers/promises');

/** Whoever waits for another asks again after this; here the other goes on when the schedule says, and not before. */
const PAUSE_MS = 50;

/** To be imported in place of what it hands on, which must not be there before the pauses are gone. */
jest.unstable_mockModule('node:timers/promises', () => ({
  ...timers,
  setTimeout: (ms: number, ...rest: [value?: unknown, options?: object]) =>
    timers.setTimeout(ms <= PAUSE_MS ? 0 : ms, ...rest),
}));

export const { Stage } = await import('./stage.js');
export const { scenarios } = await import('./scenarios.js');
