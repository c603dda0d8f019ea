import type { DataSource } from 'typeorm';
import { systemClock, type Clock } from '../common/clock.js';
import { PaymentsConfigurationError } from '../common/payments.errors.js';
import { Database } from '../database/database.js';
import { missingRights } from '../database/missing-rights.js';
import { CONTACTS_RETENTION_MS, MIN_RETENTION_MS } from '../options/payments.options.js';
import { retentionRights } from '../schema/rights.js';
import { PaymentsStoreEntity } from '../schema/store.entity.js';
import { OldContacts } from './old-contacts.js';
import { OldRows } from './old-rows.js';

/**
 * Removes and erases, of every store, what the module's own retention would, and resolves with how many rows it removed or erased
 * the contacts of: for a job that runs under a database role of its own, if the module's role may not do it and has
 * `retentionMs: false`. It starts no module and needs
 * no credentials of the service. Interrupting it, or running it twice at once, does no harm.
 * @param dataSource knows `paymentsEntities`, and the schema the tables are in
 * @param options.retentionMs how long rows are kept, in ms; at least a day, 86,400,000
 * @param options.contactsRetentionMs how long contacts are kept, in ms; likewise. Default 7,776,000,000: 90 days
 * @param options.clock as the module's. Default: no offset
 * @throws PaymentsConfigurationError for a shorter time, or a role that lacks a right
 */
export async function runRetention(
  dataSource: DataSource,
  {
    retentionMs,
    contactsRetentionMs = CONTACTS_RETENTION_MS,
    clock = systemClock,
  }: { readonly retentionMs: number; readonly contactsRetentionMs?: number; readonly clock?: Clock },
): Promise<number> {
  const faults = Object.entries({ retentionMs, contactsRetentionMs }).flatMap(([name, ms]) =>
    Number.isSafeInteger(ms) && ms >= MIN_RETENTION_MS
      ? []
      : [`${name} must be a whole number of milliseconds, at least ${MIN_RETENTION_MS}`],
  );
  if (faults.length > 0) throw new PaymentsConfigurationError(faults);
  const database = new Database(dataSource, { clock });
  const lacking = await missingRights(database, retentionRights);
  if (lacking.length > 0)
    throw new PaymentsConfigurationError([
      `the database role may not do all that retention does: have the owner of the tables run ${lacking.join(' ')}`,
    ]);
  const stores = await database.read((from) => from.find(PaymentsStoreEntity, { select: { id: true } }));
  let total = 0;
  for (const { id } of stores) {
    const rows = new OldRows(database, id, retentionMs);
    while (!rows.isDone) total += await rows.remove();
    const contacts = new OldContacts(database, id, contactsRetentionMs);
    while (!contacts.isDone) total += await contacts.erase();
  }
  return total;
}
