import everyTest from './jest.config.js';

/** One spec of a copy with a broken line: `npm run guards` has started the server that all of them use. */
export default {
  ...everyTest,
  globalSetup: null,
  globalTeardown: null,
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};
