import { isFinal, paymentStatuses } from '../common/payment-status.js';
import { unsettledRefundStatuses } from '../common/refund-status.js';
import type { Database } from '../database/database.js';
import { PaymentsDueEntity } from '../schema/due.entity.js';
import { PaymentsOperationEntity } from '../schema/operation.entity.js';
import { PaymentsRefundEntity } from '../schema/refund.entity.js';

/**
 * SQL condition: `payment` is over since before `cutoff`, with nothing of its own in progress. OFFSET 0 keeps each check with its
 * payment: as a join PostgreSQL might read the whole of a table for a few payments. COALESCE keeps it from the index of
 * everything in progress, of any payment.
 */
export function isSettled(database: Database, cutoff: string): string {
  return `payment.status IN (${list(paymentStatuses.filter((status) => isFinal(status)))})
    AND payment.updated_at < ${cutoff}
    AND NOT EXISTS (SELECT 1 FROM ${database.table(PaymentsDueEntity)} due WHERE due.payment_id = payment.id)
    AND NOT EXISTS (
      SELECT 1 FROM ${database.table(PaymentsOperationEntity)} operation
      WHERE operation.payment_id = payment.id AND COALESCE(operation.outcome, 'unknown') = 'unknown' OFFSET 0
    )
    AND NOT EXISTS (
      SELECT 1 FROM ${database.table(PaymentsRefundEntity)} refund
      WHERE refund.payment_id = payment.id AND refund.status IN (${list(unsettledRefundStatuses)}) OFFSET 0
    )`;
}

function list(values: readonly string[]): string {
  return values.map((value) => `'${value}'`).join(', ');
}
