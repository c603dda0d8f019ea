import everyTest from '../../../jest.config.js';

/** Runs the fixture beside it, on the server of the run that starts this one. */
export default {
  ...everyTest,
  rootDir: new URL('../../../', import.meta.url).pathname,
  roots: ['<rootDir>/test/deep/failed-set-up'],
  testMatch: ['**/*.fixture.ts'],
  testPathIgnorePatterns: [],
  globalSetup: null,
  globalTeardown: null,
};
