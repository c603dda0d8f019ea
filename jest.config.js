import { availableParallelism } from 'node:os';

/** `transform`: what a file with markup needs besides. */
const compiled = (transform = null) => ({
  jsc: {
    parser: { syntax: 'typescript', decorators: true, tsx: transform !== null },
    transform: { legacyDecorator: true, decoratorMetadata: true, ...transform },
    target: 'es2023',
    keepClassNames: true,
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
});

/** Jest runs the TypeScript sources as native ES modules; swc keeps the decorator metadata Nest needs. */
export default {
  testEnvironment: '<rootDir>/test/support/environment.js',
  roots: ['<rootDir>/examples', '<rootDir>/libs', '<rootDir>/src', '<rootDir>/test', '<rootDir>/tools'],
  globalSetup: '<rootDir>/test/support/global-setup.js',
  setupFilesAfterEnv: ['<rootDir>/test/support/canary-watch.ts'],
  globalTeardown: '<rootDir>/test/support/global-teardown.js',
  testSequencer: '<rootDir>/test/support/sequencer.js',
  testMatch: ['**/*.spec.ts'],
  // Long by nature: jest.deep.config.js.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/deep/'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: {
    '^.+\\.ts$': ['@swc/jest', compiled()],
    '^.+\\.tsx$': ['@swc/jest', compiled({ react: { runtime: 'automatic', importSource: 'preact' } })],
  },
  moduleNameMapper: {
    '^@holdfast/(board|payments|sandbox)$': '<rootDir>/libs/$1/src/index.ts',
    '^@holdfast/payments/([\\w-]+)$': '<rootDir>/libs/payments/src/$1.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/libs/.*/dist', '<rootDir>/tools/bench/rivals'],
  // Much of the time goes into waiting for servers and processes, so there are twice as many workers as cores.
  maxWorkers: availableParallelism() * 2,
  // Node keeps what ended files imported, some 70 MB each; a worker that carries two gigabytes of it takes four times as long for the next
  // one, and at 1,200 MB a run takes a fifth longer than at 500.
  workerIdleMemoryLimit: '500MB',
  // For what will never end; a busy machine takes its time.
  testTimeout: 90_000,
};
