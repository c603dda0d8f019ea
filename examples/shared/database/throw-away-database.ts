import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Client } from 'pg';

import type { CleanUp } from '../clean-up.js';
import { openPostgres } from './postgres.js';

export interface ThrowAwayDatabase {
  /** For the application. */
  readonly url: string;
  /** Of its server, for creating and dropping databases. */
  readonly adminUrl: string;
}

/**
 * An empty database that the clean-up removes, on the server of `DATABASE_URL` or on an embedded one with a data folder of its
 * own. Either way it is separate from the shop's data.
 */
export async function openThrowAwayDatabase(prefix: string, cleanUp: CleanUp): Promise<ThrowAwayDatabase> {
  const name = `${prefix}_${randomBytes(4).toString('hex')}`;
  const dataDir = join(tmpdir(), name);
  cleanUp.add(() => rm(dataDir, { recursive: true, force: true }));
  const server = await openPostgres({ dataDir, durable: false });
  cleanUp.add(() => server.close());

  const owner = await administer(server.url, 'SELECT quote_ident(current_user) AS value');
  await administer(server.adminUrl, `CREATE DATABASE ${name} OWNER ${owner}`);
  cleanUp.add(async () => {
    await administer(server.adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return { url: url.href, adminUrl: server.adminUrl };
}

async function administer(serverUrl: string, statement: string): Promise<string | undefined> {
  const admin = new Client(serverUrl);
  await admin.connect();
  try {
    return (await admin.query<{ value: string }>(statement)).rows[0]?.value;
  } finally {
    await admin.end();
  }
}
