import { availableParallelism } from 'node:os';
import everyTest from './jest.config.js';

/** What is long by nature: `npm run test:deep`. */
export default {
  ...everyTest,
  roots: ['<rootDir>/test/deep'],
  testPathIgnorePatterns: ['/node_modules/'],
  // One more than cores: some wait for deadlines that pass in real time. Two more would keep the processes of all from the cores.
  maxWorkers: availableParallelism() + 1,
  // Each may start a whole shop several times.
  testTimeout: 300_000,
};
