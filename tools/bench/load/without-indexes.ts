import type { Client } from 'pg';

/** Loads the module's tables without their indexes, but for those of keys, and makes these afterwards, as an import does. */
export async function withoutIndexes<T>(client: Client, load: () => Promise<T>): Promise<T> {
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
     WHERE schemaname = 'public' AND tablename LIKE 'payments\\_%' AND NOT EXISTS (
       SELECT FROM pg_constraint WHERE conname = indexname AND connamespace = 'public'::regnamespace)`,
  );
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
  const loaded = await load();
  for (const { definition } of indexes) await client.query(definition);
  return loaded;
}
