import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  openServerOf,
  type EmbeddedPostgres,
} from '../../libs/payments/src/testing/embedded/embedded-postgres.js';
import { run } from './run.js';

/** Installs the program of another Node; resolves to its folder. `range`: of versions, as npm reads it. */
export async function nodeOf(folder: string, range: string): Promise<string> {
  const place = join(folder, `node-${range}`);
  const name = `node-${process.platform}-${process.arch}`;
  await project(place, [`${name}@${range}`]);
  return join(place, 'node_modules', name, 'bin');
}

/** Starts a PostgreSQL of another version. */
export async function postgresOf(folder: string, version: string): Promise<EmbeddedPostgres> {
  const place = join(folder, `postgres-${version}`);
  await project(place, [`embedded-postgres@${version}`]);
  return openServerOf([place], { dataDir: join(place, 'data'), durable: false });
}

async function project(place: string, packages: readonly string[]): Promise<void> {
  await mkdir(place, { recursive: true });
  await writeFile(join(place, 'package.json'), '{ "private": true, "type": "module" }\n');
  await run(place, 'npm', ['install', ...packages]);
}
