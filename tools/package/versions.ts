import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Row } from './rows.js';

export const headings = [
  'Nest',
  'modules',
  'TypeORM',
  'does',
  'HTTP',
  'installed by',
  'build',
  'TypeScript',
  'tests',
  'Node',
  'PostgreSQL',
];

const versionOf = async (application: string, name: string): Promise<string> => {
  const text = await readFile(join(application, 'node_modules', name, 'package.json'), 'utf8');
  const { version }: { version: string } = JSON.parse(text);
  return version;
};

/** A row as it really ran, in the order of the headings. */
export async function cellsOf(
  application: string,
  row: Row,
  { node, postgres }: { node: string; postgres: string },
): Promise<string[]> {
  const runner = row.modules === 'cjs' ? 'jest' : 'vitest';
  return [
    await versionOf(application, '@nestjs/core'),
    row.modules,
    await versionOf(application, 'typeorm'),
    row.does,
    row.http,
    row.manager,
    row.build,
    await versionOf(application, 'typescript'),
    row.build === 'none' ? `${runner} ${await versionOf(application, runner)}` : '',
    node,
    postgres,
  ];
}
