import { randomBytes } from 'node:crypto';

import { Client } from 'pg';

export interface TestDatabase {
  url: string;
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
  await administer(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => administer(serverUrl, `DROP DATABASE ${name}`) };
}

async function administer(serverUrl: string, statement: string): Promise<void> {
  const admin = new Client(serverUrl);
  await admin.connect();
  try {
    await admin.query(statement);
  } finally {
    await admin.end();
  }
}
