import type { ClientBase } from 'pg';

/** The stores that the payments belong to: one in ten to the connected one, one in a hundred to the one whose owner left. */
export const bulkStores = {
  shop: '00000000-0000-4000-8000-0000000000a1',
  connected: '00000000-0000-4000-8000-0000000000a2',
  left: '00000000-0000-4000-8000-0000000000a3',
};

/** The stores of a platform. */
export const SMALL_STORES = 5_000;

/** The scenarios use it too, so that its queue is long. */
const HANDLER = 'test.succeeded';

const TABLES = [
  'orders',
  'payments',
  'due',
  'refunds',
  'receipts',
  'receipt_problems',
  'incidents',
  'operations',
  'events',
  'deliveries',
  'notifications',
  'audits',
];

/** An id of ours for row `i`: one sequence for each kind of row. */
const id = (kind: string, i = 'i') => `('00000000-0000-4000-${kind}-' || lpad(to_hex(${i}), 12, '0'))::uuid`;

/** The store of row `i`. */
const STORE = '$2';
const ONE_OF_THREE = `CASE WHEN i % 100 = 50 THEN '${bulkStores.left}' WHEN i % 10 = 3 THEN '${bulkStores.connected}' ELSE '${bulkStores.shop}' END::uuid`;
const ONE_OF_MANY = id('f100', `i % ${SMALL_STORES}`);
/** Over the last 400 days, the oldest first. */
const AT = `now() - interval '400 days' * (($1 - i)::float8 / $1)`;
/** The state of each of a thousand payments. */
const K = 'i % 1000';
const ASKED = `i % 20 = 7`;
const SETTLED = `${K} >= 30`;
const STATUS = `CASE WHEN ${K} < 20 THEN 'pending' WHEN ${K} < 25 THEN 'waiting_for_capture' WHEN ${K} < 27 THEN 'submitting'
  WHEN i % 20 = 19 THEN 'canceled' ELSE 'succeeded' END`;

/** Paid and never settled. */
const UNSETTLED = `${STATUS} = 'succeeded' AND i % 5 = 3`;

/** Each statement loads one table for `$1` payments, each of the store `$2`. Most are long settled; the others cover every kind. */
const loads: readonly string[] = [
  `INSERT INTO payments_orders (id, store_id, reference, currency, total_due_minor, paid_minor, state, was_paid, created_at, updated_at)
   SELECT ${id('9000')}, ${STORE}, 'bulk-' || i, 'RUB', 10000, 10000, 'paid', true, ${AT}, ${AT} FROM generate_series(1, $1) i`,

  // Due now, due later; holds that wait, and those left to a person; creates of unknown outcome; holds of the store whose owner left.
  `INSERT INTO payments_payments (id, store_id, order_id, intent_key, service_id, status, currency, amount_minor, authorized_minor,
     captured_minor, capture, test, card_last4, object, hold_due_at, hold_tries, prepaid_minor, unsettled_minor, unsettled_since, unsettled_due_at, created_at,
     updated_at)
   SELECT ${id('8000')}, ${STORE}, ${id('9000')}, 'bulk-' || i, CASE WHEN ${STATUS} <> 'submitting' THEN 'bulk-' || i END, ${STATUS}, 'RUB', 10000,
     CASE ${STATUS} WHEN 'succeeded' THEN 10000 WHEN 'waiting_for_capture' THEN 10000 ELSE 0 END,
     CASE ${STATUS} WHEN 'succeeded' THEN 10000 ELSE 0 END, true, true,
     CASE WHEN ${STATUS} IN ('waiting_for_capture', 'succeeded') THEN (1000 + i % 9000)::text END,
     jsonb_build_object('id', 'bulk-' || i, 'status', ${STATUS}, 'created_at', to_char(${AT}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
     CASE WHEN ${K} BETWEEN 20 AND 22 THEN now() + interval '200 days' + i * interval '1 second' END, CASE WHEN ${K} IN (23, 24) THEN 2 ELSE 0 END,
     CASE WHEN ${UNSETTLED} THEN 10000 ELSE 0 END, CASE WHEN ${UNSETTLED} THEN 10000 ELSE 0 END, CASE WHEN ${UNSETTLED} THEN ${AT} END,
     CASE WHEN ${UNSETTLED} AND i % 2 = 0 THEN now() + interval '200 days' END, ${AT}, ${AT}
   FROM generate_series(1, $1) i`,

  // Ready, in every lane, and to be looked at later; settled ones too, as if somebody asked for their refunds.
  `INSERT INTO payments_due (payment_id, store_id, ready_at, lane)
   SELECT ${id('8000')}, ${STORE}, CASE WHEN ${K} < 10 OR ${ASKED} THEN now() - interval '1 minute' * (${K}) ELSE now() + interval '200 days' END, (ARRAY['failing', 'polls', 'notified', 'polls'])[1 + i % 4]
   FROM generate_series(1, $1) i WHERE ${K} < 27 OR ${ASKED}`,

  // One payment in ten was refunded; a few refunds are in progress.
  `INSERT INTO payments_refunds (id, store_id, payment_id, refund_key, service_id, status, amount_minor, currency, created_at, updated_at)
   SELECT ${id('a000')}, ${STORE}, ${id('8000')}, 'bulk', 'refund-' || i, CASE WHEN ${K} = 31 THEN 'pending' ELSE 'succeeded' END,
     100, 'RUB', ${AT}, ${AT}
   FROM generate_series(1, $1, 10) i WHERE ${SETTLED} AND ${STATUS} = 'succeeded'`,

  // One payment in twenty has a receipt of its own; a few of those are being registered.
  `INSERT INTO payments_receipts (id, store_id, payment_id, receipt_key, type, status, amount_minor, currency, service_id, created_at, updated_at)
   SELECT ${id('e000')}, ${STORE}, ${id('8000')}, 'bulk', 'payment', CASE WHEN ${K} = 41 THEN 'pending' ELSE 'succeeded' END,
     100, 'RUB', 'receipt-' || i, ${AT}, ${AT}
   FROM generate_series(1, $1, 20) i`,

  // One receipt in fifty was late or failed; a person has still to look after one of ten of those.
  `INSERT INTO payments_receipt_problems (id, store_id, payment_id, refund_id, status, is_open, since)
   SELECT ${id('d000')}, ${STORE}, ${id('8000')}, NULL, CASE WHEN i % 100 = 1 THEN 'canceled' ELSE 'succeeded' END, i % 500 = 1, ${AT}
   FROM generate_series(1, $1, 50) i`,

  // One payment in fifty had an incident; a person has still to look at one of ten of those.
  `INSERT INTO payments_incidents (event_id, store_id, payment_id, name, reason, is_open, since)
   SELECT i * 3 + 1, ${STORE}, ${id('8000')}, 'payment.anomaly', 'bulk', i % 500 = 1, ${AT} FROM generate_series(1, $1, 50) i`,

  `INSERT INTO payments_operations (id, store_id, payment_id, refund_id, kind, idempotence_key, body, personal, has_personal, fingerprint, outcome,
     attempts, recorded_at, first_sent_at, last_sent_at, settled_at)
   SELECT ${id('b000')}, ${STORE}, ${id('8000')}, NULL::uuid, 'create', 'create-' || i, '{}', '{}', true, 'bulk',
     CASE WHEN ${STATUS} = 'submitting' THEN 'unknown' ELSE 'confirmed' END, 1, ${AT}, ${AT}, ${AT},
     CASE WHEN ${STATUS} <> 'submitting' THEN ${AT} + interval '1 second' END
   FROM generate_series(1, $1) i
   UNION ALL
   SELECT ${id('b100')}, ${STORE}, ${id('8000')}, ${id('a000')}, 'refund', 'refund-' || i, '{}', NULL, false, 'bulk',
     CASE WHEN ${K} = 31 THEN 'unknown' ELSE 'confirmed' END, 1, ${AT}, ${AT}, ${AT}, ${AT} + interval '1 second'
   FROM generate_series(1, $1, 10) i WHERE ${SETTLED} AND ${STATUS} = 'succeeded'`,

  `INSERT INTO payments_events (id, store_id, subject_type, subject_id, payment_id, name, to_status, cause, evidence, created_at)
   OVERRIDING SYSTEM VALUE
   SELECT i * 3 + n, ${STORE}, 'payment', (${id('8000')})::text, ${id('8000')}, (ARRAY['payment.submitting', 'payment.pending', 'payment.succeeded'])[n + 1],
     (ARRAY['submitting', 'pending', 'succeeded'])[n + 1], 'sweep', '{}', ${AT}
   FROM generate_series(1, $1) i, generate_series(0, 2) n`,

  // Done; a few wait for their next run, a few for a person.
  `INSERT INTO payments_deliveries (event_id, handler_id, store_id, sequence, attempts, next_attempt_at, last_error, done_at, parked_at)
   SELECT i * 3 + 2, '${HANDLER}', ${STORE}, (${id('8000')})::text, CASE WHEN ${K} IN (32, 33) THEN 0 ELSE 1 END, ${AT},
     CASE WHEN ${K} IN (30, 31, 34) THEN 'Error: not now' END, CASE WHEN ${K} > 34 THEN ${AT} END,
     CASE WHEN ${K} IN (30, 31) THEN ${AT} END
   FROM generate_series(1, $1) i WHERE ${SETTLED}`,

  // One handled notification for each settled payment; unhandled ones of those that are due; of unknown payments, set aside,
  // still waiting and failing to be looked up; of other objects, handled and failing.
  `INSERT INTO payments_notifications (id, store_id, event, object_type, object_id, body, sender_address, first_at, last_at, count,
     handled_count, waiting_since, step, ready_at, foreign_at, attempts)
   SELECT ${id('c000')}, ${STORE}, 'payment.succeeded', 'payment', 'bulk-' || i, '{}', '185.71.76.1', ${AT}, ${AT}, 1,
     CASE WHEN ${K} < 10 THEN 0 ELSE 1 END, CASE WHEN ${K} < 10 THEN ${AT} END, 'hand_over', CASE WHEN ${K} < 10 THEN ${AT} END,
     NULL::timestamptz, 0
   FROM generate_series(1, $1) i WHERE ${SETTLED} OR ${K} < 10
   UNION ALL
   SELECT ${id('c100')}, ${STORE}, 'payment.succeeded', 'payment', 'unknown-' || i, '{}', '185.71.76.1', ${AT}, ${AT}, 1,
     CASE WHEN i % 3 = 0 THEN 1 ELSE 0 END, CASE WHEN i % 3 > 0 THEN ${AT} END, 'look_up',
     CASE i % 3 WHEN 1 THEN now() + interval '1 day' WHEN 2 THEN ${AT} END, CASE WHEN i % 3 = 0 THEN ${AT} END,
     CASE WHEN i % 3 = 1 THEN 5 ELSE 0 END
   FROM generate_series(1, $1, 100) i
   UNION ALL
   SELECT ${id('c200')}, ${STORE}, 'payout.succeeded', 'payout', 'payout-' || i, '{}', '185.71.76.1', ${AT}, ${AT}, 1,
     i % 2, CASE WHEN i % 2 = 0 THEN ${AT} END, 're_read', CASE WHEN i % 4 = 0 THEN now() + interval '1 day' WHEN i % 4 = 2 THEN ${AT} END,
     NULL::timestamptz, CASE WHEN i % 2 = 0 THEN 5 ELSE 0 END
   FROM generate_series(1, $1, 99) i`,

  // Somebody has books compared all the time.
  `INSERT INTO payments_audits (id, store_id, from_at, to_at, asked_by, started_at, compared_to, done_at)
   SELECT ${id('f000')}, ${STORE}, ${AT} - interval '1 day', ${AT}, 'bulk', ${AT}, ${AT}, ${AT} FROM generate_series(1, $1, 50) i`,
];

/**
 * Loads this many payments with all that belongs to them, as an import does: nothing is analyzed, now or later. `ofSmallStores`: in
 * place of the three, each of five thousand connected stores has an equal part of them.
 */
export async function loadBulk(
  client: ClientBase,
  payments: number,
  { ofSmallStores = false }: { readonly ofSmallStores?: boolean } = {},
): Promise<void> {
  for (const table of TABLES)
    await client.query(`ALTER TABLE payments_${table} SET (autovacuum_enabled = false)`);
  const { shop, connected, left } = bulkStores;
  await client.query(
    `INSERT INTO payments_stores (id, account_id, kind, status, webhook_key)
     VALUES ($1, 'bulk_shop', 'own', 'connected', NULL), ($2, 'bulk_connected', 'connected', 'connected', 'bulk-2'),
       ($3, 'bulk_left', 'connected', 'needs_reconnect', 'bulk-3')`,
    [shop, connected, left],
  );
  await client.query(`INSERT INTO payments_handlers (id, event) VALUES ('${HANDLER}', 'payment.succeeded')`);
  // All references are valid: the rows are made from one sequence.
  await client.query(`SET session_replication_role = replica`);
  if (ofSmallStores)
    await client.query(
      `INSERT INTO payments_stores (id, account_id, kind, status, webhook_key)
       SELECT ${ONE_OF_MANY}, 'bulk_' || i, 'connected', 'connected', 'bulk-small-' || i FROM generate_series(1, ${SMALL_STORES}) i`,
    );
  for (const load of loads)
    await client.query(
      load.replaceAll('$1', String(payments)).replaceAll(STORE, ofSmallStores ? ONE_OF_MANY : ONE_OF_THREE),
    );
  await client.query(`SET session_replication_role = origin`);
}

/** A text that changes with what is loaded. */
export const bulkLoads = [...loads, ONE_OF_THREE].join('\n');
