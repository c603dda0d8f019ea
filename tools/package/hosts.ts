import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { neededBy } from '../../libs/payments/src/nest-add/dependencies.js';
import type { Manifest } from '../../libs/payments/src/nest-add/host.js';

/** An application as its scaffold makes it, with both packages and what they need beside it. */
export interface Host {
  readonly nest: 11 | 12;
  readonly typeorm: '0.3' | '1';
  /** `pnpm`: one of the projects of a workspace, whose packages see only what they declare. */
  readonly manager: 'npm' | 'pnpm';
}

/** What is installed beside the scaffold's own: what `nest add` writes for this Nest, Fastify, and what builds need. */
export async function packagesOf(root: string, { nest, typeorm }: Host): Promise<readonly string[]> {
  const own: Manifest = JSON.parse(await readFile(join(root, 'libs/payments/package.json'), 'utf8'));
  const needed = { ...neededBy({ nest }, own).dependencies, typeorm };
  return [
    ...Object.entries(needed).map(([name, range]) => `${name}@${range}`),
    `@nestjs/platform-fastify@${nest}`,
    '@swc/cli',
    '@swc/core',
  ];
}

/** Two rows with the same name share one application. */
export const nameOf = ({ nest, typeorm, manager }: Host): string =>
  `nest-${nest}-typeorm-${typeorm}-${manager}`;
