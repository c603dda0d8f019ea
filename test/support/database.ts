import { randomBytes } from 'node:crypto';

import { Client } from 'pg';

export interface TestDatabase {
  /** As the owner of the tables. */
  url: string;
  /** As the role that owns nothing and has what the module needs, and every right to tables that tests make. */
  moduleUrl: string;
  /** As the role that removes old rows. */
  retentionUrl: string;
  /** Fails when a connection is still open: whoever opened it has to close it first. */
  drop(): Promise<void>;
}

/** A database of the test's own with every migration applied, cloned from the run's template. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = process.env['TEST_SERVER_URL'];
  const template = process.env['TEST_TEMPLATE'];
  if (!serverUrl || !template)
    throw new Error('There is no test server: test/support/global-setup.js starts it.');

  const name = `${template}_${randomBytes(4).toString('hex')}`;
  await query(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const as = (role: string): string => {
    const other = new URL(url);
    other.username = other.password = `${template}_${role}`;
    return other.href;
  };
  return {
    url: url.href,
    moduleUrl: as('module'),
    retentionUrl: as('retention'),
    drop: async () => void (await query(serverUrl, `DROP DATABASE ${name}`)),
  };
}

/** One statement over a connection of its own. */
export async function query<Row extends object>(
  url: string,
  sql: string,
  parameters: unknown[] = [],
): Promise<Row[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query<Row>(sql, parameters)).rows;
  } finally {
    await client.end();
  }
}
