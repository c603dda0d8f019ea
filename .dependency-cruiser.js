/** The floors of the library, from the ground up; each folder imports only from itself and from those before it. */
const floors = [
  'common',
  'api',
  'receipts',
  'schema',
  'views',
  'options',
  'database',
  'work',
  'stores',
  'payment',
  'holds',
  'operations',
  'apply',
  'send',
  'notifications',
  'reconcile',
  'calls',
  'card-data',
  'handlers',
  'partner',
  'retention',
  'operator',
];
const library = '^libs/payments/src/';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...floors.map((floor, index) => ({
      name: `${floor}-imports-only-what-is-below-it`,
      severity: 'error',
      comment: 'ARCHITECTURE.md says what stands on which floor. What both need belongs on the lower one.',
      from: { path: `${library}${floor}/` },
      to: { path: `${library}(?:(?:${floors.slice(index + 1).join('|') || '-'})/|[^/]+$)` },
    })),
    {
      name: 'every-folder-is-a-floor',
      severity: 'error',
      comment: 'A new folder takes its place among the floors of .dependency-cruiser.js.',
      from: {},
      to: { path: `${library}[^/]+/`, pathNot: `${library}(?:${floors.join('|')})/` },
    },
    {
      name: 'client-works-alone',
      severity: 'error',
      comment: "The entry for the service's own interface needs no database and no module.",
      from: { path: `${library}client\\.ts$` },
      to: { pathNot: `${library}(?:api|common)/` },
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
    includeOnly: library,
    exclude: { path: String.raw`\.spec\.ts$` },
    tsConfig: { fileName: 'tsconfig.json' },
    // Imports of types too.
    tsPreCompilationDeps: true,
  },
};
