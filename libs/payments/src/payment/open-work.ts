import { HOUR_MS } from '../common/durations.js';
import { unsettledRefundStatuses } from '../common/refund-status.js';
import type { Database } from '../database/database.js';
import { isOpenReceipt, openReceiptStatuses } from '../receipts/own-receipt.js';
import { PaymentsOperationEntity } from '../schema/operation.entity.js';
import { PaymentsReceiptEntity } from '../schema/receipt.entity.js';
import { PaymentsRefundEntity } from '../schema/refund.entity.js';
import type { Plan } from './queue.js';
import { isOpenRefund } from './refunds/open-refunds.js';
import type { State } from './state.js';

/** What is open keeps its payment in the queue, whatever was decided: looked at after 10, 20, 40 s … an hour. */
const OPEN_FIRST_MS = 10_000;
const OPEN_CAP_MS = HOUR_MS;

/** Whether one of them is in the state. */
export function hasOpenWork({
  operations,
  refunds,
  receipts,
}: Pick<State, 'operations' | 'refunds' | 'receipts'>): boolean {
  return operations.some(isOpenOperation) || refunds.some(isOpenRefund) || receipts.some(isOpenReceipt);
}

export function isOpenOperation({ outcome }: State['operations'][number]): boolean {
  return outcome === null || outcome === 'unknown';
}

/** When a payment is looked at that only open work keeps in the queue. */
export function openLookAt(now: Date, { checks }: Pick<Plan, 'checks'>): Date {
  return new Date(now.getTime() + Math.min(OPEN_FIRST_MS * 2 ** checks, OPEN_CAP_MS));
}

/**
 * SQL of the ids of those of these payments (an SQL array) of which something is open, besides their own status: operations that
 * are not settled, refunds whose money or receipt is on its way, receipts of their own. Once for each thing.
 */
export function openWork(database: Database, payments: string): string {
  const operation = database.table(PaymentsOperationEntity);
  const refund = database.table(PaymentsRefundEntity);
  const receipt = database.table(PaymentsReceiptEntity);
  // By the payment alone: OFFSET keeps the planner from the index of all that is unsettled.
  return `SELECT payment_id, id FROM (
            SELECT payment_id, id, outcome FROM ${operation} WHERE payment_id = ANY(${payments}) OFFSET 0
          ) operation WHERE outcome IS NULL OR outcome = 'unknown'
          UNION ALL
          SELECT payment_id, id FROM ${refund}
          WHERE payment_id = ANY(${payments}) AND (status IN (${listed(unsettledRefundStatuses)}) OR receipt_status = 'pending')
          UNION ALL
          SELECT payment_id, id FROM ${receipt} WHERE payment_id = ANY(${payments}) AND status IN (${listed(openReceiptStatuses)})`;
}

function listed(statuses: readonly string[]): string {
  return statuses.map((status) => `'${status}'`).join(', ');
}
