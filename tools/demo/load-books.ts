import type { PaymentStatus } from '@holdfast/payments';
import { Client } from 'pg';

import type { BookedPayment } from './books.js';
import type { MadeByHand } from './receipts.js';
import { until } from './until.js';

/** As the driver returns it: a bigint is text. */
interface BookedRow {
  serviceId: string | null;
  status: PaymentStatus;
  capture: boolean;
  amountMinor: string;
  discountMinor: string;
  capturedMinor: string;
  refundedMinor: string;
  refunds: number;
  orderReference: string;
  orderState: string;
  handedOver: boolean;
  orderTotalMinor: string;
  orderPaidMinor: string;
  orderRefundedMinor: string;
  effects: string[];
  effectsRefundedMinor: string;
}

/** Likewise. */
interface MadeByHandRow extends Omit<MadeByHand, 'missingMinor'> {
  missingMinor: string;
}

/**
 * Every payment in the shop's database, oldest first, once nothing is left to do: an operation that is not settled, a
 * notification unhandled or a delivery not made could still change the books. Read with SQL of its own, past the code under
 * audit.
 */
export async function loadBooks(databaseUrl: string, signal: AbortSignal): Promise<BookedPayment[]> {
  const client = new Client(databaseUrl);
  await client.connect();
  try {
    const openWork = async (): Promise<number> =>
      (await client.query<{ open: number }>(countOpenWork)).rows[0]?.open ?? 0;
    await until('the module to finish its work', openWork, (open) => open === 0, signal);
    const { rows } = await client.query<BookedRow>(selectBooks);
    return rows.map((row) => ({
      ...row,
      amountMinor: Number(row.amountMinor),
      discountMinor: Number(row.discountMinor),
      capturedMinor: Number(row.capturedMinor),
      refundedMinor: Number(row.refundedMinor),
      orderTotalMinor: Number(row.orderTotalMinor),
      orderPaidMinor: Number(row.orderPaidMinor),
      orderRefundedMinor: Number(row.orderRefundedMinor),
      effectsRefundedMinor: Number(row.effectsRefundedMinor),
    }));
  } finally {
    await client.end();
  }
}

/** The receipts that the staff made by hand, none of them sent again, once none is being registered any more; time goes on for as long. */
export async function loadReceiptsByHand(
  databaseUrl: string,
  goOn: () => Promise<void>,
  signal: AbortSignal,
): Promise<MadeByHand[]> {
  const client = new Client(databaseUrl);
  await client.connect();
  try {
    const open = async (): Promise<number> => {
      await goOn();
      return (await client.query<{ open: number }>(countOpenReceipts)).rows[0]?.open ?? 0;
    };
    await until('every receipt to be registered', open, (count) => count === 0, signal);
    const { rows } = await client.query<MadeByHandRow>(selectByHand);
    return rows.map((row) => ({ ...row, missingMinor: Number(row.missingMinor) }));
  } finally {
    await client.end();
  }
}

const countOpenReceipts = `
  SELECT (SELECT count(*) FROM payments_payments WHERE receipt_status = 'pending')::int
       + (SELECT count(*) FROM payments_refunds WHERE receipt_status = 'pending')::int
       + (SELECT count(*) FROM payments_receipts WHERE status IN ('owed', 'submitting', 'pending'))::int AS open`;

const selectByHand = `
  SELECT payment.service_id "paymentId", refund.service_id "refundId",
         CASE WHEN problem.status <> 'missing' THEN 0
              ELSE coalesce(-refund.amount_minor, payment.captured_minor) END "missingMinor"
  FROM payments_receipt_problems problem
  JOIN payments_payments payment ON payment.id = problem.payment_id
  LEFT JOIN payments_refunds refund ON refund.id = problem.refund_id
  WHERE problem.resolution IS NOT NULL AND NOT problem.resolution ? 'sentAgainAs'`;

const countOpenWork = `
  SELECT (SELECT count(*) FROM payments_notifications WHERE count > handled_count)::int
       + (SELECT count(*) FROM payments_operations WHERE settled_at IS NULL)::int
       + (SELECT count(*) FROM payments_deliveries WHERE done_at IS NULL)::int AS open`;

const selectBooks = `
  SELECT payment.service_id "serviceId", payment.status, payment.capture, payment.amount_minor "amountMinor",
         CASE WHEN payment.method = 'sber_loan' AND payment.authorized_minor > 0
              THEN payment.amount_minor - payment.authorized_minor ELSE 0 END "discountMinor",
         payment.captured_minor "capturedMinor", payment.refunded_minor "refundedMinor",
         (SELECT count(*) FROM payments_refunds WHERE payment_id = payment.id AND status = 'succeeded')::int refunds,
         shop.reference "orderReference", shop.state "orderState", shop.handed_over_at IS NOT NULL "handedOver", shop.total_minor "orderTotalMinor",
         orders.paid_minor "orderPaidMinor", orders.refunded_minor "orderRefundedMinor",
         ARRAY(SELECT effect FROM shop_order_effects WHERE payment_id = payment.id::text ORDER BY id) effects,
         (SELECT coalesce(sum(refunded_minor), 0)
          FROM shop_order_effects WHERE payment_id = payment.id::text) "effectsRefundedMinor"
  FROM payments_payments payment
  JOIN payments_orders orders ON orders.id = payment.order_id
  JOIN shop_orders shop ON shop.reference = orders.reference
  ORDER BY payment.created_at`;
