import { Client } from 'pg';

/** Makes every insert into the table fail until it is fixed, and with it a handler that writes there. */
export async function breakTable(databaseUrl: string, table: string): Promise<{ fix(): Promise<void> }> {
  await run(databaseUrl, `ALTER TABLE ${table} ADD CONSTRAINT broken CHECK (false) NOT VALID`);
  return { fix: () => run(databaseUrl, `ALTER TABLE ${table} DROP CONSTRAINT broken`) };
}

async function run(databaseUrl: string, statement: string): Promise<void> {
  const client = new Client(databaseUrl);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
