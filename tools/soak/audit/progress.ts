import type { Onlooker } from './onlooker.js';

export interface Progress {
  readonly payments: number;
  /** Of the payments, those of connected stores. */
  readonly ofConnectedStores: number;
  readonly operations: number;
  readonly notifications: number;
  /** Rows of any kind whose end is not known, or not delivered to every handler. */
  readonly unsettled: number;
}

const COUNTS = `SELECT
  (SELECT count(*) FROM payments_payments)::int AS payments,
  (SELECT count(*) FROM payments_payments JOIN payments_stores store ON store.id = store_id
    WHERE store.owner_ref IS NOT NULL)::int AS "ofConnectedStores",
  (SELECT count(*) FROM payments_operations)::int AS operations,
  (SELECT coalesce(sum(count), 0) FROM payments_notifications)::int AS notifications,
  (SELECT count(*) FROM payments_payments
    WHERE status IN ('submitting', 'pending'))::int
    + (SELECT count(*) FROM payments_due WHERE refund_signals > 0)::int
    + (SELECT count(*) FROM payments_operations WHERE outcome IS NULL OR outcome = 'unknown')::int
    + (SELECT count(*) FROM payments_refunds WHERE status IN ('submitting', 'pending'))::int
    + (SELECT count(*) FROM payments_payments WHERE receipt_status = 'pending')::int
    + (SELECT count(*) FROM payments_refunds WHERE receipt_status = 'pending')::int
    + (SELECT count(*) FROM payments_receipts WHERE status IN ('submitting', 'pending'))::int
    + (SELECT count(*) FROM payments_receipts receipt JOIN payments_payments payment ON payment.id = payment_id
      WHERE receipt.status = 'owed' AND payment.status <> 'waiting_for_capture')::int
    + (SELECT count(*) FROM payments_receipt_problems WHERE is_open AND status <> 'pending')::int
    + (SELECT count(*) FROM payments_recoveries WHERE done_at IS NULL)::int
    + (SELECT count(*) FROM payments_deliveries WHERE done_at IS NULL)::int
    + (SELECT count(*) FROM payments_notifications WHERE count > handled_count)::int AS unsettled`;

/** Null while the database gives no answer. */
export async function loadProgress(onlooker: Onlooker): Promise<Progress | null> {
  const rows = await onlooker.query<Progress>(COUNTS);
  return rows?.[0] ?? null;
}
