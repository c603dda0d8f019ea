import { Client } from 'pg';

import { createTestDatabase, type TestDatabase } from '../support/database.js';

export interface OpenDatabase extends Omit<TestDatabase, 'drop'> {
  /** The test's own connection, to see what is really stored. */
  sql: Client;
  close(): Promise<void>;
}

/** A migrated database of the test's own with a connection to look into it. */
export async function openDatabase(): Promise<OpenDatabase> {
  const database = await createTestDatabase();
  const sql = new Client(database.url);
  await sql.connect();
  const close = async (): Promise<void> => {
    await sql.end();
    await database.drop();
  };
  return { ...database, sql, close };
}

/** The same without any tables. */
export async function openEmptyDatabase(): Promise<OpenDatabase> {
  const database = await openDatabase();
  await database.sql.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  return database;
}
