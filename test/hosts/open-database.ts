import { Client } from 'pg';

import { createTestDatabase } from '../support/database.js';

export interface OpenDatabase {
  url: string;
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
  return { url: database.url, sql, close };
}

/** The same without any table. */
export async function openEmptyDatabase(): Promise<OpenDatabase> {
  const database = await openDatabase();
  await database.sql.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  return database;
}
