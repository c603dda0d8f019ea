import type { Client } from 'pg';

/** How many sessions of this database are held back. */
export const HELD_INSERTS = `SELECT count(*)::int AS count FROM pg_stat_clear_snapshot(), pg_stat_activity
  WHERE datname = current_database() AND wait_event = 'PgSleep' AND query LIKE '%INSERT INTO%'`;

/**
 * Holds all that is inserted into a table back, until the function that it returns is called. Without a lock: the module waits a
 * second for one, and on a busy machine a test needs longer than that to see who waits.
 */
export async function holdInserts(owner: Pick<Client, 'query'>, table: string): Promise<() => Promise<void>> {
  await owner.query(`
    CREATE TABLE IF NOT EXISTS held (name text);
    GRANT SELECT ON held TO PUBLIC;
    INSERT INTO held VALUES ('${table}');
    CREATE OR REPLACE FUNCTION hold_back() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      WHILE EXISTS (SELECT FROM held) LOOP PERFORM pg_sleep(0.01); END LOOP;
      RETURN NULL;
    END $$;
    CREATE OR REPLACE TRIGGER hold_back BEFORE INSERT ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION hold_back()`);
  return async () => {
    await owner.query('DELETE FROM held');
    await owner.query(`DROP TRIGGER hold_back ON ${table}`);
  };
}
