import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { neededBy } from '../../libs/payments/schematics/dependencies.js';
import type { Manifest } from '../../libs/payments/schematics/host.js';

/** An application as its scaffold makes it, with both packages and what they need beside it. */
export interface Host {
  readonly nest: 11 | 12;
  /** How it is compiled. Nest 11 scaffolds CommonJS, tested by Jest; Nest 12 that or ES modules, tested by Vitest, as one chooses. */
  readonly modules: 'cjs' | 'esm';
  readonly typeorm: '0.3' | '1';
  /** `pnpm`: one of the projects of a workspace, whose packages see only what they declare. */
  readonly manager: 'npm' | 'pnpm';
}

/** What the command line of Nest 12 asks for before it bundles; that of Nest 11 brings webpack along. */
const bundlers = {
  cjs: ['webpack', 'ts-loader', 'fork-ts-checker-webpack-plugin'],
  esm: ['@rspack/core'],
} as const;

/** What is installed beside the scaffold's own: what `nest add` writes for this Nest, Fastify, what every entry is for, and what builds need. */
export async function packagesOf(root: string, { nest, modules, typeorm }: Host): Promise<readonly string[]> {
  const own: Manifest = JSON.parse(await readFile(join(root, 'libs/payments/package.json'), 'utf8'));
  const needed = { ...neededBy({ nest }, own).dependencies, typeorm };
  return [
    ...Object.entries(needed).map(([name, range]) => `${name}@${range}`),
    `@nestjs/platform-fastify@${nest}`,
    // What two of the entries are for.
    `@nestjs/terminus@${nest}`,
    '@opentelemetry/api@1',
    '@swc/cli',
    '@swc/core',
    ...(nest === 11 ? [] : [...bundlers[modules], 'webpack-node-externals', 'tsconfig-paths-webpack-plugin']),
  ];
}

/** Two rows with the same name share one application. */
export const nameOf = ({ nest, modules, typeorm, manager }: Host): string =>
  `nest-${nest}-${modules}-typeorm-${typeorm}-${manager}`;
