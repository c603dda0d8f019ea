import { availableParallelism } from 'node:os';
import everyTest from './jest.config.js';

/** The specs that stand beside the pure functions they test: `npm run test:unit`, without a build, a database or a server. */
export default {
  ...everyTest,
  roots: everyTest.roots.filter((root) => root !== '<rootDir>/test'),
  globalSetup: null,
  globalTeardown: null,
  // One reads files while the others compute.
  maxWorkers: availableParallelism() + 1,
  // All files together leave less than that: a new worker costs a second of the ten.
  workerIdleMemoryLimit: '2GB',
};
