import { jest } from '@jest/globals';

const timers = process.getBuiltinModule('node:timers/promises');

/** Workers that wait for another ask again after this pause; here the other goes on when the schedule says so, and not before. */
const PAUSE_MS = 50;

/** Import this instead of what it exports, which must not be loaded before the pauses are gone. */
jest.unstable_mockModule('node:timers/promises', () => ({
  ...timers,
  setTimeout: (ms: number, ...rest: [value?: unknown, options?: object]) =>
    timers.setTimeout(ms <= PAUSE_MS ? 0 : ms, ...rest),
}));

export const { Stage } = await import('./stage.js');
export const { scenarios } = await import('./scenarios.js');
