import everyTest from './jest.config.js';

/** What is long by nature: `npm run test:deep`. */
export default {
  ...everyTest,
  roots: ['<rootDir>/test/deep'],
  testPathIgnorePatterns: ['/node_modules/'],
  // Its processes need the cores themselves.
  maxWorkers: '100%',
  // Each may start a whole shop several times.
  testTimeout: 300_000,
};
