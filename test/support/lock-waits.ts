/**
 * The sessions of this database that wait for a lock: the tests of other workers share its server. Not from pg_stat_activity, which
 * a transaction sees once.
 */
export const LOCK_WAITS = `SELECT DISTINCT pid FROM pg_locks WHERE NOT granted AND pid IN (
  SELECT pid FROM pg_locks WHERE database = (SELECT oid FROM pg_database WHERE datname = current_database())
)`;
