import type { EntityManager } from 'typeorm';
import type { Database } from '../database/database.js';
import { isOver } from '../database/lease.js';
import { DueEntity } from '../schema/due.entity.js';
import type { PaymentEntity } from '../schema/payment.entity.js';

/** The one place that makes payments due. Who re-reads them is the reconciler's affair. */

type Queued = Pick<PaymentEntity, 'id' | 'storeId'>;

/** What becomes of a payment's place in the queue once something was applied to it. */
export interface NextLook {
  /** When to look again without being asked, in business time; null: never. */
  readonly at: Date | null;
  /** Re-reads since the last change. */
  readonly checks: number;
}

/**
 * Has the payment re-read at a time in business time (SQL), or earlier where it is due earlier. A worker that has it already
 * may have read it before: it is ready again once that one is done. `afresh`: polls start from their shortest pause.
 */
export async function want(
  manager: EntityManager,
  database: Database,
  { id, storeId }: Queued,
  at: string,
  how: HowWanted = {},
): Promise<void> {
  await manager.query(wantSql(database, at, how), [id, storeId]);
}

/** Asks for a payment's refunds to be listed. One payment each: locks on several could meet another transaction's halfway. */
export async function askForRefunds(database: Database, payment: Queued): Promise<void> {
  await database.transaction((manager) =>
    want(manager, database, payment, database.now, { refundSignals: 1 }),
  );
}

interface HowWanted {
  readonly afresh?: boolean;
  readonly refundSignals?: 0 | 1;
}

/** SQL of the same, for payment $1 of store $2: a statement, or a part of one. */
export function wantSql(
  database: Database,
  at: string,
  { afresh = false, refundSignals = 0 }: HowWanted = {},
): string {
  return `INSERT INTO ${database.table(DueEntity)} AS due (payment_id, store_id, ready_at, refund_signals)
     VALUES ($1, $2, ${at}, ${refundSignals})
     ON CONFLICT (payment_id) DO UPDATE
     SET ${wanted(database, 'excluded.ready_at')}, refund_signals = due.refund_signals + ${refundSignals}
       ${afresh ? ', checks = 0' : ''}`;
}

/** SQL of the assignments that make the row `due` ready at such a time, once whoever has it is done and its rest is over. */
export function wanted(database: Database, at: string): string {
  return `ready_at = LEAST(due.ready_at, GREATEST(${at},
         ${database.inBusinessTime('GREATEST(due.lease_until, due.rest_until)')})),
       wanted_at = CASE WHEN due.fence IS NULL THEN NULL ELSE LEAST(due.wanted_at, ${at}) END`;
}

/**
 * Plans the next look after a change that no worker's re-read brought: the answer to a request. A worker that has the payment
 * meanwhile plans for itself, when it is done.
 */
export async function planNext(
  manager: EntityManager,
  database: Database,
  { id, storeId }: Queued,
  { at, checks }: NextLook,
): Promise<void> {
  const free = isOver('due.lease_until');
  const asked = isAsked(database);
  if (at === null) {
    await manager.query(
      `DELETE FROM ${database.table(DueEntity)} due
       WHERE payment_id = $1 AND ${free} AND NOT ${asked} AND refund_signals = 0`,
      [id],
    );
    return;
  }
  await manager.query(
    `INSERT INTO ${database.table(DueEntity)} AS due (payment_id, store_id, ready_at, checks)
     VALUES ($1, $2, $3, $4)
     ON CONFLICT (payment_id) DO UPDATE
     SET checks = excluded.checks, failing = false, rest_until = NULL,
       ready_at = CASE WHEN ${asked} THEN due.ready_at ELSE excluded.ready_at END
     WHERE ${free}`,
    [id, storeId, at, checks],
  );
}

/**
 * SQL condition on the row `due`: it is ready, or will be when its rest is over. So it was asked for, and its reason is not
 * answered by what is applied here.
 */
export function isAsked(database: Database): string {
  // Not the statement's time: who asked may have done so while it waited for the row.
  return `due.ready_at <= ${database.inBusinessTime('GREATEST(clock_timestamp(), due.rest_until)')}`;
}

/** The payment's place in the queue, locked; null where it has none. */
export function lockDue(manager: EntityManager, paymentId: string): Promise<DueEntity | null> {
  return manager.findOne(DueEntity, { where: { paymentId }, lock: { mode: 'for_no_key_update' } });
}
