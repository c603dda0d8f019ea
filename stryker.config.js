// The tests are native ES modules, in the processes that Stryker starts too.
process.env.NODE_OPTIONS = '--experimental-vm-modules --disable-warning=ExperimentalWarning';

const source = 'libs/payments/src';

/** The deciders and the arithmetic of money, broken in every way that the tool knows, one at a time: `npm run mutants`. */
export default {
  testRunner: 'jest',
  jest: {
    configFile: 'jest.unit.config.js',
    config: {
      roots: [`<rootDir>/${source}`],
      // Nothing here opens anything that has to be closed, or knows a secret.
      testEnvironment: 'node',
      setupFilesAfterEnv: [],
    },
  },
  coverageAnalysis: 'perTest',
  mutate: [
    `${source}/apply/**/*.ts`,
    `${source}/**/decide-*.ts`,
    `${source}/{holds,payment}/**/{hold-plan,draft,queue,planned,refund-sums,*-change}.ts`,
    `${source}/send/answer-change.ts`,
    `${source}/reconcile/{keep-hold,settle-finishes,close-create}.ts`,
    `${source}/operations/{let-go,new-operation}.ts`,
    `${source}/{receipts/spread,common/money}.ts`,
    // They have a manager in hand.
    `!${source}/apply/**/{adoption,fact-reader,providers,receipt-adoption,wrongly-rejected}.ts`,
    '!**/*.spec.ts',
  ],
  reporters: ['clear-text', 'progress', 'html', 'json'],
  htmlReporter: { fileName: 'build/mutants/report.html' },
  jsonReporter: { fileName: 'build/mutants/report.json' },
  tempDirName: 'build/mutants/copy',
  thresholds: { high: 100, low: 95, break: 95 },
};
