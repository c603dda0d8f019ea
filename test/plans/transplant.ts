import type { ClientBase } from 'pg';
import { query } from '../support/database.js';

/** In the order in which they refer to each other; rows that do not exist are skipped. */
const TABLES = [
  'stores',
  'oauth_states',
  'handlers',
  'orders',
  'payments',
  'due',
  'refunds',
  'receipts',
  'receipt_problems',
  'incidents',
  'operations',
  'events',
  'deliveries',
  'notifications',
].map((name) => `payments_${name}`);

/**
 * Copies the rows of one database into the open transaction on another, so that statements recorded on the first find the rows
 * that they name. `renamed` maps the first one's stores to those they replace.
 */
export async function transplant(
  fromUrl: string,
  to: ClientBase,
  renamed: (text: string) => string,
): Promise<void> {
  await to.query('SET LOCAL session_replication_role = replica');
  const present = await query<{ name: string }>(
    fromUrl,
    `SELECT table_name AS name FROM information_schema.tables WHERE table_name = ANY($1)`,
    [TABLES],
  );
  for (const table of TABLES.filter((name) => present.some((found) => found.name === name))) {
    const [dumped] = await query<{ rows: string | null }>(
      fromUrl,
      `SELECT json_agg(t)::text AS rows FROM ${table} t`,
    );
    const rows = renamed(dumped?.rows ?? '[]');
    if (['payments_stores', 'payments_handlers'].includes(table))
      await to.query(
        `DELETE FROM ${table} WHERE id IN (SELECT id FROM json_populate_recordset(NULL::${table}, $1))`,
        [rows],
      );
    await to.query(
      `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::${table}, $1)`,
      [rows],
    );
  }
  await to.query('SET LOCAL session_replication_role = origin');
}
