import { createTestDatabase, type TestDatabase } from './database.js';

type Owned = Pick<TestDatabase, 'asOwner'>;

/**
 * A copy of all that the module keeps, as a dump that is restored beside its original makes one: another database of the same server, with
 * the very rows. `elsewhere`: as if the original were on another server.
 */
export async function copyOf(
  original: Owned,
  { elsewhere = false }: { readonly elsewhere?: boolean } = {},
): Promise<TestDatabase> {
  const copy = await createTestDatabase();
  await copyInto(copy, original);
  if (elsewhere)
    await copy.asOwner(`UPDATE payments_commit_mark SET system_identifier = '1', database = NULL`);
  return copy;
}

/** Fills the empty tables of another database, wherever that is, with all that the module keeps in the original. */
export async function copyInto(copy: Owned, original: Owned): Promise<void> {
  const tables = await original.asOwner<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND starts_with(tablename, 'payments_') ORDER BY tablename`,
  );
  for (const { name } of tables) {
    const [found] = await original.asOwner<{ rows: string | null }>(
      `SELECT json_agg(known)::text AS rows FROM ${name} known`,
    );
    if (found?.rows == null) continue;
    const rows = found.rows.replaceAll("'", "''");
    // One text of several statements: the rows of one table refer to those of others.
    await copy.asOwner(
      `SET session_replication_role = replica;
       INSERT INTO ${name} OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(null::${name}, '${rows}');
       RESET session_replication_role`,
    );
  }
  await copy.asOwner(
    `SELECT setval(pg_get_serial_sequence('payments_events', 'id'), (SELECT max(id) + 1 FROM payments_events))`,
  );
}
