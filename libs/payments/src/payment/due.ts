import type { EntityManager } from 'typeorm';
import type { Database } from '../database/database.js';
import { PaymentsDueEntity } from '../schema/due.entity.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';

/** The only place that makes payments due. Re-reading them is up to the reconciler. */

type Queued = Pick<PaymentsPaymentEntity, 'id' | 'storeId'>;

/**
 * Has the payment re-read at a time in business time (SQL), or earlier if it is due earlier. A worker that has it already may
 * have read it before: it is ready again once that one is done. `afresh`: polls start again with their shortest pause.
 */
export async function want(
  manager: EntityManager,
  database: Database,
  { id, storeId }: Queued,
  at: string,
  { afresh = false, refundSignals = 0 }: HowWanted = {},
): Promise<void> {
  await manager.query(
    `INSERT INTO ${database.table(PaymentsDueEntity)} AS due (payment_id, store_id, lane, ready_at, refund_signals)
     VALUES ($1, $2, 'notified', ${at}, ${refundSignals})
     ON CONFLICT (payment_id) DO UPDATE
     SET ${wantedAt(database, 'excluded.ready_at')}, refund_signals = due.refund_signals + ${refundSignals}
       ${afresh ? ', checks = 0' : ''}`,
    [id, storeId],
  );
}

/** Requests that a payment's refunds be listed. One payment each: locks on several could meet another transaction's halfway. */
export function askForRefunds(manager: EntityManager, database: Database, payment: Queued): Promise<void> {
  return want(manager, database, payment, database.now, { refundSignals: 1 });
}

interface HowWanted {
  readonly afresh?: boolean;
  readonly refundSignals?: 0 | 1;
}

/**
 * SQL of the assignments that make the row `due` ready at such a time, once its present worker is done and its rest is over. `urgent`: ahead
 * of polls. Default: true.
 */
export function wantedAt(
  database: Database,
  at: string,
  { urgent = true }: { readonly urgent?: boolean } = {},
): string {
  return `ready_at = LEAST(due.ready_at, GREATEST(${at},
         ${database.inBusinessTime('GREATEST(due.lease_until, due.rest_until)')})),
       wanted_at = CASE WHEN due.fence IS NULL THEN NULL ELSE LEAST(due.wanted_at, ${at}) END${urgent ? `, lane = 'notified'` : ''}`;
}

/**
 * SQL condition on a row of the queue: it is ready, or will be when its rest is over. So a re-read was requested, for a reason that is
 * not settled by what is applied here.
 */
export function isAsked(database: Database, due: string): string {
  // Not the statement's time: the request may have come while the statement waited for the row.
  return `${due}.ready_at <= ${database.inBusinessTime(`GREATEST(clock_timestamp(), ${due}.rest_until)`)}`;
}

/** The payment's place in the queue, locked; null if it has none. */
export function lockDue(manager: EntityManager, paymentId: string): Promise<PaymentsDueEntity | null> {
  return manager.findOne(PaymentsDueEntity, { where: { paymentId }, lock: { mode: 'for_no_key_update' } });
}
