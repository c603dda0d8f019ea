import type { DataSource } from 'typeorm';
import { systemClock, type Clock } from '../common/clock.js';
import { PaymentsConfigurationError } from '../common/payments.errors.js';
import { Database } from '../database/database.js';
import { missingRights } from '../database/missing-rights.js';
import { MIN_RETENTION_MS } from '../options/payments.options.js';
import { retentionRights } from '../schema/rights.js';
import { StoreEntity } from '../schema/store.entity.js';
import { OldRows } from './old-rows.js';

/**
 * Removes, of every store, what the module's own retention would, and resolves with how many rows: for a job that runs under a
 * database role of its own, if the module's role may not remove them and has `retentionMs: false`. It starts no module and needs
 * no credentials of the service. Interrupting it, or running it twice at once, does no harm.
 * @param dataSource knows `paymentsEntities`, and the schema the tables are in
 * @param options.retentionMs how long rows are kept, in ms; at least a day, 86,400,000
 * @param options.clock as the module's. Default: no offset
 * @throws PaymentsConfigurationError for a shorter time, or a role that lacks a right
 */
export async function runRetention(
  dataSource: DataSource,
  { retentionMs, clock = systemClock }: { readonly retentionMs: number; readonly clock?: Clock },
): Promise<number> {
  if (!Number.isSafeInteger(retentionMs) || retentionMs < MIN_RETENTION_MS)
    throw new PaymentsConfigurationError([
      `retentionMs must be a whole number of milliseconds, at least ${MIN_RETENTION_MS}`,
    ]);
  const database = new Database(dataSource, { clock });
  const lacking = await missingRights(database, retentionRights);
  if (lacking.length > 0)
    throw new PaymentsConfigurationError([
      `the database role may not do all that retention does: have the owner of the tables run ${lacking.join(' ')}`,
    ]);
  const stores = await database.read((from) => from.find(StoreEntity, { select: { id: true } }));
  let total = 0;
  for (const { id } of stores) {
    const rows = new OldRows(database, id, retentionMs);
    while (!rows.areGone) total += await rows.remove();
  }
  return total;
}
