import { randomBytes } from 'node:crypto';

import { Client, DatabaseError, Pool } from 'pg';

import { anyCanary, canariesIn } from './canaries.js';

export interface TestDatabase {
  /** As the owner of the tables. */
  url: string;
  /** As the role that owns nothing and has what the module needs, and every right to tables that tests make. */
  moduleUrl: string;
  /** As the role that removes old rows. */
  retentionUrl: string;
  /** Runs SQL as the owner of the tables, over connections that stay: logging in costs more than most questions. */
  readonly asOwner: <Row extends object>(sql: string, parameters?: unknown[]) => Promise<Row[]>;
  /** Fails if a connection is still open: whoever opened it has to close it first. */
  drop(): Promise<void>;
}

/** A database of the test's own with every migration applied, cloned from the run's template. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = process.env['TEST_SERVER_URL'];
  const template = process.env['TEST_TEMPLATE'];
  if (!serverUrl || !template)
    throw new Error('There is no test server: test/support/global-setup.js starts it.');

  const name = `${template}_${randomBytes(4).toString('hex')}`;
  // A third of the cost of writing every block to the log.
  await query(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const as = (role: string): string => {
    const other = new URL(url);
    other.username = other.password = `${template}_${role}`;
    return other.href;
  };
  const owner = new Pool({ connectionString: url.href });
  // A test may end all sessions of its database.
  owner.on('error', () => undefined);
  const asOwner: TestDatabase['asOwner'] = <Row extends object>(sql: string, parameters: unknown[] = []) =>
    againAfterDeadlock(async () => (await owner.query<Row>(sql, parameters)).rows);
  const drop = async (): Promise<void> => {
    // Over a connection that is there: two more for each database of the run cost more than the search.
    const found = await canariesFound(asOwner);
    await owner.end();
    await query(serverUrl, `DROP DATABASE ${name}`);
    if (found.length > 0) throw new Error(`Secrets stand in the database: ${found.join(', ')}`);
  };
  return {
    url: url.href,
    moduleUrl: as('module'),
    retentionUrl: as('retention'),
    asOwner,
    drop,
  };
}

/** Which canaries occur in which of its tables, whatever the type of the column. */
export function canariesInDatabase(url: string): Promise<string[]> {
  return canariesFound((sql, parameters) => query(url, sql, parameters));
}

async function canariesFound(ask: TestDatabase['asOwner']): Promise<string[]> {
  const tables = await ask<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
  );
  if (tables.length === 0) return [];
  const each = tables.map(
    ({ name }) => `SELECT '${name}' AS name, t::text AS row FROM ${name} t WHERE t::text ~ $1`,
  );
  const rows = await ask<{ name: string; row: string }>(each.join(' UNION ALL '), [anyCanary]);
  const found = rows.flatMap(({ name, row }) => canariesIn(row).map((canary) => `${canary} in ${name}`));
  return [...new Set(found)];
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
    return await againAfterDeadlock(async () => (await client.query<Row>(sql, parameters)).rows);
  } finally {
    await client.end();
  }
}

/** Processes lock rows and tables in an order of their own: what loses has done nothing. */
async function againAfterDeadlock<T>(run: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof DatabaseError && error.code === '40P01')) throw error;
    }
}
