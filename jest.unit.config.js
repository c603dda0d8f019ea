import { availableParallelism } from 'node:os';
import everyTest from './jest.config.js';

/** The specs that stand beside the pure functions they test: `npm run test:unit`, without a build, a database or a server. */
export default {
  ...everyTest,
  roots: everyTest.roots.filter((root) => root !== '<rootDir>/test'),
  globalSetup: null,
  globalTeardown: null,
  // Nobody waits for anything here.
  maxWorkers: availableParallelism(),
};
