import type { Database } from '../../database/database.js';
import { isOver, leaseEnd } from '../../database/lease.js';
import { PaymentsAuditEntity } from '../../schema/audit.entity.js';
import { PaymentsStoreEntity } from '../../schema/store.entity.js';
import type { StoreRegistry } from '../../stores/store.registry.js';
import type { AuditSlice } from '../audit.js';

/** The right to work on one audit, for as long as its fence stands. */
export interface AuditLease {
  readonly id: string;
  readonly fence: number;
  readonly storeId: string;
  readonly from: Date;
  readonly to: Date;
  /** Where another process, or a try before, left it. */
  readonly comparedTo: Date | null;
  /** Tries of the next day that have failed. */
  readonly failures: number;
}

/** Another process has taken the audit over. */
export class AuditLeaseLostError extends Error {
  constructor() {
    super('Another process has taken the audit over.');
  }
}

/** Differences that are kept. Whoever has more has one cause to look for. */
const KEPT = 1_000;

/** SQL condition: there is an audit to make. */
export function auditWaits(database: Database, stores: StoreRegistry): string {
  return `EXISTS (${waitingAudit(database, stores)})`;
}

/** The one that has waited longest; none: null. */
export async function takeAudit(
  database: Database,
  stores: StoreRegistry,
  leaseMs: number,
): Promise<AuditLease | null> {
  const [rows] = await database.transaction((manager) =>
    manager.query<[AuditLease[], number]>(
      // Checked again on the row itself, which another process may have taken since it was found.
      `UPDATE ${database.table(PaymentsAuditEntity)} taken SET lease_until = ${leaseEnd(leaseMs)}, fence = fence + 1
         WHERE id = (${waitingAudit(database, stores)}) AND done_at IS NULL AND ${isOver('lease_until')}
         RETURNING id, fence, store_id AS "storeId", from_at AS "from", to_at AS "to", compared_to AS "comparedTo", failures`,
    ),
  );
  return rows[0] ?? null;
}

/** @throws AuditLeaseLostError */
export function keepAudit(database: Database, leaseMs: number, lease: AuditLease): Promise<void> {
  return writeAudit(database, lease, `lease_until = ${leaseEnd(leaseMs)}`);
}

/**
 * Another day is compared.
 * @throws AuditLeaseLostError
 */
export function advanceAudit(
  database: Database,
  leaseMs: number,
  lease: AuditLease,
  slice: AuditSlice,
): Promise<void> {
  const { to, payments, refunds, receipts, differences, unsettled } = slice;
  return writeAudit(
    database,
    lease,
    `compared_to = $3, payments = payments + $4, refunds = refunds + $5, receipts = receipts + $6::int,
       difference_count = difference_count + $7, unsettled_count = unsettled_count + $8, failures = 0, error = NULL,
       differences = CASE WHEN difference_count < ${KEPT} THEN differences || $9::jsonb ELSE differences END,
       lease_until = ${leaseEnd(leaseMs)}`,
    [
      to,
      payments,
      refunds,
      receipts,
      differences.length,
      unsettled.length,
      JSON.stringify(differences.slice(0, KEPT)),
    ],
  );
}

/** All of it is compared, or it is broken off: `error` says why. */
export function endAudit(database: Database, lease: AuditLease, error: string | null): Promise<void> {
  return writeAudit(database, lease, `done_at = ${database.now}, lease_until = NULL, error = $3`, [error]);
}

/** For another try later, by whatever process. */
export function postponeAudit(
  database: Database,
  lease: AuditLease,
  error: string,
  afterMs: number,
): Promise<void> {
  return writeAudit(
    database,
    lease,
    `lease_until = ${leaseEnd(afterMs)}, failures = failures + 1, error = $3`,
    [error],
  );
}

/** For another process, at once. */
export function giveBackAudit(database: Database, lease: AuditLease): Promise<void> {
  return writeAudit(database, lease, 'lease_until = NULL');
}

/** Only while the fence stands. */
async function writeAudit(
  database: Database,
  { id, fence }: AuditLease,
  assignments: string,
  values: readonly unknown[] = [],
): Promise<void> {
  const [rows] = await database.transaction((manager) =>
    manager.query<[object[], number]>(
      `UPDATE ${database.table(PaymentsAuditEntity)} SET ${assignments} WHERE id = $1 AND fence = $2 AND done_at IS NULL RETURNING id`,
      [id, fence, ...values],
    ),
  );
  if (rows.length === 0) throw new AuditLeaseLostError();
}

/** By the index of those that are open: one of each store. */
function waitingAudit(database: Database, stores: StoreRegistry): string {
  return `SELECT waiting.id FROM ${database.table(PaymentsAuditEntity)} waiting
      JOIN ${database.table(PaymentsStoreEntity)} store ON store.id = waiting.store_id
      WHERE waiting.done_at IS NULL AND ${isOver('waiting.lease_until')} AND ${stores.isManaged('store')}
      ORDER BY waiting.started_at LIMIT 1`;
}
