import { paymentsEntities, paymentsMigrations } from '@holdfast/payments';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { bulkLoads, loadBulk } from './bulk.js';

const compiled = new URL('../../dist/examples/shared/database/postgres.js', import.meta.url).href;
const server = `
  const { openPostgres } = await import(${JSON.stringify(compiled)});
  const { adminUrl, close } = await openPostgres({ dataDir: process.argv[1], durable: false });
  console.log(adminUrl);
  process.stdin.once('data', () => close().then(() => process.exit(0)));
`;
/** Ignored by git, and kept from one run to the next. */
const dataDir = resolve('.data/plans');

export interface KeptDatabase {
  readonly url: string;
  close(): Promise<void>;
}

/** A database of this many payments on a server of its own, loaded again only if its tables or the loaded data have changed. */
export async function openKeptDatabase(payments: number): Promise<KeptDatabase> {
  const { DATABASE_URL: _, ...env } = process.env;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', server, dataDir], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const close = async () => {
    child.stdin.write('close\n');
    await exited;
  };
  const [adminUrl]: unknown[] = await once(createInterface({ input: child.stdout }), 'line');
  try {
    return { url: await filled(String(adminUrl), payments), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function filled(adminUrl: string, payments: number): Promise<string> {
  const tables = paymentsMigrations.map((migration) => String(migration)).join('\n');
  const print = createHash('sha256').update(`${payments}\n${bulkLoads}\n${tables}`).digest('hex');
  const name = `plans_${print.slice(0, 16)}`;
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  const admin = new Client(adminUrl);
  await admin.connect();
  try {
    const { rows } = await admin.query<{ datname: string }>(
      `SELECT datname FROM pg_database WHERE datname LIKE 'plans\\_%'`,
    );
    if (rows.some(({ datname }) => datname === name)) return url.href;
    for (const { datname } of rows) await admin.query(`DROP DATABASE ${datname} WITH (FORCE)`);
    // Under another name until it is complete.
    const loading = new URL(url);
    loading.pathname = '/plans_loading';
    await admin.query(
      `CREATE DATABASE plans_loading TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'`,
    );
    await fill(loading.href, payments);
    await admin.query(`ALTER DATABASE plans_loading RENAME TO ${name}`);
    return url.href;
  } finally {
    await admin.end();
  }
}

/** Keys and indexes are made after the load, as in an import. */
async function fill(url: string, payments: number): Promise<void> {
  const dataSource = new DataSource({
    type: 'postgres',
    url,
    entities: paymentsEntities,
    migrations: paymentsMigrations,
  });
  await dataSource.initialize();
  await dataSource.runMigrations();
  await dataSource.destroy();
  const client = new Client(url);
  await client.connect();
  try {
    const { rows: constraints } = await client.query<{ name: string; at: string; definition: string }>(
      `SELECT conname AS name, conrelid::regclass::text AS at, pg_get_constraintdef(oid) AS definition FROM pg_constraint
       WHERE connamespace = 'public'::regnamespace AND contype IN ('p', 'u', 'f') AND conrelid::regclass::text LIKE 'payments\\_%'
       -- What others refer to is made first.
       ORDER BY contype = 'f'`,
    );
    for (const { name, at } of constraints.toReversed())
      await client.query(`ALTER TABLE ${at} DROP CONSTRAINT ${name}`);
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      `SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE schemaname = 'public' AND tablename LIKE 'payments\\_%'`,
    );
    for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
    await loadBulk(client, payments);
    for (const { definition } of indexes) await client.query(definition);
    for (const { name, at, definition } of constraints)
      await client.query(`ALTER TABLE ${at} ADD CONSTRAINT ${name} ${definition}`);
  } finally {
    await client.end();
  }
}
