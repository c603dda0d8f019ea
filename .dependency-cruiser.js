/** The floors of the library, from the ground up; each folder imports only from itself and from those before it. */
const libraryFloors = [
  'common',
  'api',
  'receipts',
  'schema',
  'telemetry',
  'views',
  'options',
  'database',
  'work',
  'stores',
  'payment',
  'rollback',
  'holds',
  'operations',
  'apply',
  'send',
  'notifications',
  'reconcile',
  'recovery',
  'calls',
  'card-data',
  'handlers',
  'partner',
  'retention',
  'operator',
  'health',
  'opentelemetry',
  'http',
  'cli',
  'testing',
];
/** They stand on the entries, which every other floor is put together by. */
const aboveEntries = ['cli', 'testing'];
const library = '^libs/payments/src/';
const schematics = '^libs/payments/schematics/';

/** The floors of the sandbox, likewise. */
const sandboxFloors = [
  'common',
  'wire',
  'clock',
  'ledger',
  'methods',
  'stores',
  'partnership',
  'receipts',
  'payments',
  'refunds',
  'invoices',
  'objects',
  'faults',
  'journal',
  'notifications',
  'books',
  'api',
  'endpoints',
  'pages',
  'checkout',
  'binding',
  'widget',
  'invoice-page',
  'oauth',
  'control',
  'control-api',
  'control-page',
  'state',
  'seed',
];
const sandbox = '^libs/sandbox/src/';
const style = '^libs/style/src/';

const keeping = (root, floors, name, listedIn) => [
  ...floors
    .filter((floor) => !aboveEntries.includes(floor))
    .map((floor, index) => ({
      name: `${name}-${floor}-imports-only-what-is-below-it`,
      severity: 'error',
      comment: `${listedIn} says what stands on which floor. What both need belongs on the lower one.`,
      from: { path: `${root}${floor}/` },
      to: { path: `${root}(?:(?:${floors.slice(index + 1).join('|') || '-'})/|[^/]+$)` },
    })),
  {
    name: `every-folder-of-the-${name}-is-a-floor`,
    severity: 'error',
    comment: 'A new folder takes its place among the floors of .dependency-cruiser.js.',
    from: {},
    to: { path: `${root}[^/]+/`, pathNot: `${root}(?:${floors.join('|')})/` },
  },
];

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...keeping(library, libraryFloors, 'library', 'ARCHITECTURE.md'),
    ...keeping(sandbox, sandboxFloors, 'sandbox', 'CONTRIBUTING.md'),
    {
      name: 'only-its-entry-imports-testing',
      severity: 'error',
      comment: 'What a shop runs must work without what it is tested with.',
      from: { path: library, pathNot: `${library}testing(?:/|\\.ts$)` },
      to: { path: `${library}testing(?:/|\\.ts$)` },
    },
    {
      name: 'only-its-entry-imports-cli',
      severity: 'error',
      comment: 'What a shop runs must work without what its operators type.',
      from: { path: library, pathNot: `${library}cli(?:/|\\.ts$)` },
      to: { path: `${library}cli(?:/|\\.ts$)` },
    },
    {
      name: 'schematics-work-alone',
      severity: 'error',
      comment: 'They run in the CLI of a host, before anything of the host does.',
      from: { path: schematics },
      to: { pathNot: schematics },
    },
    {
      name: 'nothing-imports-schematics',
      severity: 'error',
      comment: 'Nor does anything of the module need them.',
      from: { pathNot: schematics },
      to: { path: schematics },
    },
    {
      name: 'client-works-alone',
      severity: 'error',
      comment: "The entry for the service's own interface needs no database and no module.",
      from: { path: `${library}client\\.ts$` },
      to: { pathNot: `${library}(?:api|common)/` },
    },
    {
      name: 'style-works-alone',
      severity: 'error',
      comment: 'It is compiled into the board and into the sandbox, which have nothing else in common.',
      from: { path: style },
      to: { pathNot: style },
    },
    {
      name: 'no-cycle',
      severity: 'error',
      comment: 'Nor between files of one floor.',
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    includeOnly: [library, schematics, sandbox, style],
    exclude: { path: String.raw`\.spec\.ts$` },
    tsConfig: { fileName: 'tsconfig.json' },
    // Imports of types too.
    tsPreCompilationDeps: true,
  },
};
