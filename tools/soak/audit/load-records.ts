import { parseAmount, yookassaProfile } from '@holdfast/payments';
import type { Sandbox, WireReceipt } from '@holdfast/sandbox';
import { readFile } from 'node:fs/promises';
import { Client } from 'pg';
import { ORDER, PAYS_TWICE, REFUND_KEY } from '../shop/names.js';
import type { OutsideEffect } from '../shop/outside-effects.js';
import { sum } from './finding.js';
import type { DatabaseRecords, ServiceRecords } from './records.js';

/** Sums are cast, because pg returns a bigint as text. */
const queries = {
  payments: `SELECT p.id, o.reference AS "orderReference", p.service_id AS "serviceId", p.status,
      p.amount_minor::float8 AS "amountMinor", p.authorized_minor::float8 AS "authorizedMinor",
      p.captured_minor::float8 AS "capturedMinor", p.refunded_minor::float8 AS "refundedMinor",
      p.refund_reserved_minor::float8 AS "reservedMinor"
    FROM payments_payments p JOIN payments_orders o ON o.id = p.order_id`,
  orders: `SELECT reference, total_due_minor::float8 AS "dueMinor", paid_minor::float8 AS "paidMinor",
      held_minor::float8 AS "heldMinor", refunded_minor::float8 AS "refundedMinor" FROM payments_orders`,
  operations: `SELECT payment_id AS "paymentId", kind, idempotence_key AS key, outcome FROM payments_operations`,
  refunds: `SELECT id, payment_id AS "paymentId", service_id AS "serviceId", status,
      amount_minor::float8 AS "amountMinor" FROM payments_refunds`,
  handlers: `SELECT id, event FROM payments_handlers`,
  events: `SELECT event.id, name, payment_id AS "paymentId", reference AS "orderReference",
      evidence->>'reason' AS reason, evidence ? 'endsByItself' AS "endsByItself"
    FROM payments_events event LEFT JOIN payments_payments payment ON payment.id = payment_id
      LEFT JOIN payments_orders o ON o.id = order_id`,
  deliveries: `SELECT event_id AS "eventId", handler_id AS "handlerId", done_at IS NOT NULL AS done, attempts,
      extract(epoch FROM done_at - created_at)::float8 * 1000 AS "tookMs"
    FROM payments_deliveries JOIN payments_events event ON event.id = event_id`,
  effects: `SELECT event_id AS "eventId", handler_id AS "handlerId", payment_id AS "paymentId", event,
      amount_minor::float8 AS "amountMinor" FROM soak_effects`,
  notifications: `SELECT event, object_id AS "objectId", count, handled_count AS "handledCount"
    FROM payments_notifications`,
  receipts: `SELECT id AS "paymentId", NULL AS "refundId", service_id AS "servicePaymentId",
      NULL AS "serviceRefundId", receipt_status AS status,
      EXISTS (SELECT FROM payments_receipt_problems problem WHERE problem.payment_id = payment.id
        AND refund_id IS NULL AND receipt_id IS NULL AND problem.status = 'missing') AS missing
    FROM payments_payments payment WHERE service_id IS NOT NULL
    UNION ALL
    SELECT payment.id, refund.id, payment.service_id, refund.service_id, refund.receipt_status,
      EXISTS (SELECT FROM payments_receipt_problems problem WHERE problem.refund_id = refund.id
        AND receipt_id IS NULL AND problem.status = 'missing')
    FROM payments_refunds refund JOIN payments_payments payment ON payment.id = refund.payment_id
    WHERE refund.service_id IS NOT NULL`,
  ownReceipts: `SELECT receipt.id, payment_id AS "paymentId", payment.service_id AS "servicePaymentId",
      receipt_key AS "receiptKey", receipt.service_id AS "serviceId", receipt.status,
      CASE WHEN receipt_key !~ '^(auto:|found-)' OR NOT EXISTS (
        SELECT FROM payments_receipt_problems WHERE receipt_id = receipt.id AND resolution IS NOT NULL
          AND NOT resolution ? 'sentAgainAs' AND status = 'canceled'
      ) OR (receipt.status = 'rejected' AND payment.status = 'canceled') THEN 0 WHEN receipt.type = 'payment' THEN receipt.amount_minor ELSE -receipt.amount_minor END::float8 AS "byHandMinor"
    FROM payments_receipts receipt JOIN payments_payments payment ON payment.id = payment_id`,
  receiptEvents: `SELECT name, payment_id AS "paymentId", evidence->>'refundId' AS "refundId",
      evidence->>'receiptId' AS "receiptId"
    FROM payments_events WHERE name LIKE 'receipt.%'`,
  outlived: `SELECT kind, payment.id AS "paymentId", service_id AS "servicePaymentId"
    FROM payments_operations operation JOIN payments_payments payment ON payment.id = payment_id
    WHERE kind IN ('capture', 'cancel', 'receipt') AND outcome = 'refused' AND settled_at - first_sent_at > interval '23 h'`,
  putBack: `SELECT payment_id AS "paymentId" FROM payments_events
    WHERE name = 'payment.anomaly' AND evidence->>'reason' LIKE '%no place in the queue%'`,
} as const;

export async function loadDatabase(databaseUrl: string): Promise<DatabaseRecords> {
  const client = new Client(databaseUrl);
  await client.connect();
  const read = async <Name extends keyof DatabaseRecords>(
    name: Name,
  ): Promise<DatabaseRecords[Name][number][]> =>
    (await client.query<DatabaseRecords[Name][number]>(queries[name])).rows;
  try {
    return {
      payments: await read('payments'),
      orders: await read('orders'),
      operations: await read('operations'),
      refunds: await read('refunds'),
      handlers: await read('handlers'),
      events: await read('events'),
      deliveries: await read('deliveries'),
      effects: await read('effects'),
      notifications: await read('notifications'),
      receipts: await read('receipts'),
      ownReceipts: await read('ownReceipts'),
      receiptEvents: await read('receiptEvents'),
      outlived: await read('outlived'),
      putBack: await read('putBack'),
    };
  } finally {
    await client.end();
  }
}

/** What handlers did outside the database, in the order in which they did it. */
export async function loadOutside(path: string): Promise<OutsideEffect[]> {
  const text = await readFile(path, 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): OutsideEffect => JSON.parse(line));
}

export function serviceRecords({
  payments,
  refunds,
  receipts,
  ledger,
  notifications,
}: Sandbox): ServiceRecords {
  const { metadataKey, refundMetadataKey } = yookassaProfile;
  const { entries, requests } = ledger.report();
  return {
    payments: payments.list().map(({ id, status, metadata, cancellation_details: cancellation }) => ({
      id,
      status,
      ourId: metadata[metadataKey ?? ''] ?? null,
      cancellationReason: cancellation?.reason ?? null,
      order: metadata[ORDER] ?? null,
      paysTwice: PAYS_TWICE in metadata,
    })),
    refunds: refunds.list().map(({ id, status, metadata, amount, payment_id: paymentId }) => ({
      id,
      ourId: metadata[refundMetadataKey] ?? null,
      refundKey: metadata[REFUND_KEY] ?? null,
      paymentId,
      status,
      amountMinor: parseAmount({ ...amount }),
    })),
    ledger: entries,
    receipts: receipts.list().map((receipt) => ({
      id: receipt.id,
      paymentId: receipt.payment_id,
      refundId: receipt.refund_id ?? null,
      status: receipt.status,
      amountMinor: incomeOf(receipt),
      offsetMinor: settledMinor(receipt, 'prepayment'),
    })),
    requests,
    acknowledged: notifications.list().map(({ event, objectId, attempts }) => ({
      event,
      objectId,
      times: attempts.filter(({ status }) => status === 200).length,
    })),
  };
}

function incomeOf(receipt: WireReceipt): number {
  const totalMinor = settledMinor(receipt, 'cashless');
  return receipt.type === 'payment' ? totalMinor : -totalMinor;
}

function settledMinor({ settlements }: WireReceipt, by: string): number {
  return sum(
    settlements.filter(({ type }) => type === by),
    ({ amount }) => parseAmount({ ...amount }),
  );
}
