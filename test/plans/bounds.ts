import { SMALL_STORES } from './bulk.js';
import { CROWD } from './crowd.js';

/** What a statement may cost on a large database, however many rows are settled or due there. */
export interface Bound {
  /** Its normalised text (normalised.ts), in which `…` stands for anything. The first match counts. */
  readonly statement: string;
  /** Rows of large tables it may look at, including those that a filter discards. */
  readonly rows: number;
  /** Likewise where five thousand stores have some, for what lists the rows of all stores. */
  readonly rowsOfManyStores?: number;
  /** Whether it depends on timing, so that a run may pass without it. */
  readonly rare?: true;
}

/** A row that is found by its key, and little else. */
const one = (statement: string): Bound => ({ statement, rows: 3 });
/** What belongs to one payment or order. */
const few = (statement: string): Bound => ({ statement, rows: 20 });
/** Stores and pending connections: tables that do not grow with payments. */
const small = (statement: string): Bound => ({ statement, rows: 0 });
const atMost = (rows: number, statement: string): Bound => ({ statement, rows });

const rarely = (bound: Bound): Bound => ({ ...bound, rare: true });

/** A page of the operator's, an audit's or a retention's. */
const PAGE = 1_000;
const LISTED = 100;

/** The first of each store, and a page of those stores that have the first of all; here three stores have some. */
const acrossStores = (statement: string): Bound => ({
  statement,
  rows: 4 * LISTED,
  rowsOfManyStores: SMALL_STORES + LISTED * LISTED,
});

/** Grouped by their sender. A new statement gets a line here, with the lowest bound that it needs. */
export const bounds: readonly Bound[] = [
  // Start.
  small('INSERT INTO payments_stores(…) VALUES ($n) ON CONFLICT DO NOTHING …'),
  small('INSERT INTO payments_handlers(…) VALUES ($n) ON CONFLICT ( id ) DO UPDATE …'),

  // Stores: registry, connections, their care, the rotation of their tokens.
  small('SELECT … FROM payments_stores PaymentsStoreEntity…'),
  small('UPDATE payments_stores SET maintenance_lease_until = …'),
  small('UPDATE payments_stores SET owner_ref = $n, …'),
  small('UPDATE payments_stores SET name = $n, …'),
  rarely(small('UPDATE payments_stores SET test = $n WHERE …')),
  small('UPDATE payments_stores SET status = $n, maintenance_at = …'),
  small('UPDATE payments_stores SET maintenance_at = statement_timestamp() WHERE …'),
  small('SELECT COALESCE(ceil(extract(epoch FROM … payments_rate_limits …'),
  small('UPDATE payments_stores SET encrypted_token = $n, …'),
  small('SELECT id, account_id AS accountId, encrypted_token AS encryptedToken FROM payments_stores …'),
  small('UPDATE payments_oauth_states SET …'),
  small('WITH over AS ( DELETE FROM payments_oauth_states …'),

  // All of a payment: its order, refunds, receipts, problems, operations, place in the queue and anomalies.
  few('SELECT statement_timestamp() AS now, statement_timestamp() AS databaseNow, shop_order.id AS …'),
  few(
    'SELECT FROM payments_operations WHERE payment_id = $n AND settled_at IS NULL ORDER BY id FOR NO KEY UPDATE',
  ),

  // The commit mark, and the windows of what may be forgotten.
  small('WITH shown AS MATERIALIZED (…) INSERT INTO payments_commit_mark …'),
  small('WITH shown AS MATERIALIZED (…) SELECT … FROM payments_commit_mark mark, shown …'),
  small('WITH terms, shown AS MATERIALIZED (…) UPDATE payments_commit_mark mark SET …'),
  small('UPDATE payments_commit_mark SET …'),
  small('SELECT max(detached_at) AS at FROM payments_stores …'),
  small('UPDATE payments_stores SET detached_at = …'),
  atMost(PAGE, 'WITH terms, batch AS MATERIALIZED ( SELECT open.ctid FROM …'),
  atMost(
    PAGE,
    'WITH terms, batch AS MATERIALIZED ( SELECT payment.ctid FROM terms, payments_payments payment …',
  ),
  small('WITH opened AS ( INSERT INTO payments_recoveries …'),
  small('UPDATE payments_recoveries …'),
  small('INSERT INTO payments_recoveries …'),
  rarely(one('UPDATE payments_due SET lease_until = NULL, fence = NULL WHERE payment_id = $n AND …')),
  // A row for each time that commits were found missing.
  few('WITH told AS ( SELECT subject_id, evidence FROM payments_events …'),
  small('SELECT … FROM payments_commit_mark PaymentsCommitMarkEntity…'),
  atMost(LISTED, 'SELECT payment.id FROM unnest($n::text[], $n::text[]) AS seen (service_id, status) …'),
  rarely(small('SELECT EXISTS (SELECT FROM payments_recoveries …')),
  small('SELECT bool_or(recovery.done_at IS NULL AND …) AS isOpen, … FROM payments_recoveries recovery …'),
  small('SELECT EXISTS (SELECT FROM payments_commit_mark mark WHERE …'),
  atMost(3 * LISTED, 'SELECT seen.place::int, payment.id AS paymentId, …'),
  small('SELECT … FROM payments_recoveries ORDER BY started_at DESC, id DESC LIMIT 100'),
  small('SELECT … FROM payments_recoveries WHERE store_id = $n ORDER BY started_at DESC, id DESC LIMIT 100'),

  // What a log calls a payment.
  rarely(one('SELECT … FROM payments_payments payment INNER JOIN payments_orders orders ON …')),

  // Silence of notifications.
  small('UPDATE payments_stores SET unannounced_changes = 0, …'),
  rarely(
    atMost(
      64,
      'WITH terms, found AS MATERIALIZED (… SET unannounced_changes = unannounced_changes + found.count, …',
    ),
  ),

  // Refunds made outside: whose turn it is, and which of a page of the service's list have news.
  small('UPDATE payments_stores SET refund_watch_lease_until = …'),
  small('UPDATE payments_stores SET refunds_seen_to = …'),
  // Of each payment, refund and up to three events.
  atMost(
    5 * LISTED,
    'SELECT payment.id, bool_or(known.status IS NULL) AS hasUnknown, … FROM unnest($n::text[], $n::text[], $n::text[]) AS seen …',
  ),

  // What the service's clock said before and after each of two moments, and whether that was before the create.
  atMost(
    40,
    `SELECT …, payment.object ->> 'created_at' AS stamp, … FROM unnest(ARRAY[$n]::timestamptz[]) AS moment (at) …`,
  ),

  // Retention.
  small('UPDATE payments_stores SET retention_lease_until = …'),
  small('UPDATE payments_stores SET retention_at = …'),
  atMost(7 * PAGE, 'WITH page AS MATERIALIZED ( SELECT id, payment_id, created_at FROM payments_events …'),
  atMost(
    5 * PAGE,
    'WITH page AS MATERIALIZED ( SELECT id, first_at, last_at, object_id FROM payments_notifications …',
  ),
  atMost(
    7 * PAGE,
    'WITH page AS MATERIALIZED ( SELECT store_id, id, payment_id, recorded_at, settled_at FROM payments_operations …',
  ),

  // The operator.
  // A page of what a person finds: by status, by keys, by card and amount; holds. Then its payments with their orders and needs.
  atMost(
    6 * 51,
    "SELECT id, … AS place FROM (SELECT id, created_at AS at FROM (… ('submitting', … ('rejected', …",
  ),
  atMost(51, 'SELECT id, … AS place FROM (SELECT id, created_at AS at FROM (… (payment.status, …'),
  atMost(2 * 51, 'SELECT id, … AS place FROM (SELECT id, created_at AS at FROM (… key (id) …'),
  atMost(51, 'SELECT id, … AS place FROM (SELECT * FROM ( (SELECT id, COALESCE(hold_expires_at, …'),
  // Of each payment of a page: its events, their deliveries, its receipts and requests.
  atMost(1_000, 'SELECT asked.id, array_remove(ARRAY[CASE WHEN EXISTS …'),
  // Six statuses, each counted up to a thousand.
  atMost(6 * PAGE + 6, 'SELECT (SELECT json_build_object(… payment.status = …'),
  // What days have brought: a page of events, of each its payment, and of some their refund.
  small('SELECT ARRAY(SELECT to_char(first + n, …'),
  atMost(
    11 * PAGE,
    'WITH page AS MATERIALIZED ( SELECT name, payment_id, subject_id, created_at FROM payments_events …',
  ),
  few('SELECT …, CASE WHEN delivery.done_at IS NOT NULL THEN …'),
  few('SELECT operation.id, … payment_id = $n::uuid OFFSET 0) operation …'),
  // And the payments and orders of those that are shown.
  { ...acrossStores('SELECT operation.id, … FROM ( WITH RECURSIVE head AS …'), rows: 6 * LISTED },
  acrossStores('SELECT found.id, … FROM ( WITH RECURSIVE head AS …'),
  atMost(3 * PAGE + 10, 'SELECT handler.id, NULLIF(handler.event, …'),
  small('SELECT … FROM payments_stores store WHERE store.id > $n …'),
  few('SELECT … FROM payments_payments PaymentsPaymentEntity WHERE ((PaymentsPaymentEntity.id IN ($n)))'),
  few('SELECT … FROM payments_orders PaymentsOrderEntity WHERE ((PaymentsOrderEntity.id IN ($n)))'),
  few(
    'SELECT … FROM payments_notifications PaymentsNotificationEntity WHERE … ORDER BY PaymentsNotificationEntity.first_at ASC…',
  ),
  // And the figures of a monitor beside it.
  atMost(
    15 * PAGE + 21,
    `SELECT (SELECT json_build_object('count', LEAST(count, 1000), … AS holdEndsInMs, … AS receipts`,
  ),
  atMost(11 * PAGE + 11, `SELECT (SELECT json_build_object('count', LEAST(count, 1000), …`),
  // And the first of each handler and store, and the events of those that are shown.
  {
    ...acrossStores('SELECT …, failed.attempts, … FROM ( SELECT head.* FROM ( SELECT first.handler_id, …'),
    rows: 2 * LISTED + 10,
  },
  // What all payments of one order have.
  atMost(2 * CROWD, 'SELECT …, failed.attempts, … FROM payments_orders ours CROSS JOIN LATERAL …'),
  atMost(2 * CROWD, 'SELECT open.id, … FROM payments_orders ours …'),
  few('SELECT open.id, … FROM (SELECT * FROM payments_receipt_problems …'),
  acrossStores('SELECT …, event, object_id AS objectId, … FROM ( WITH RECURSIVE head AS …'),
  atMost(
    2 * LISTED,
    'SELECT …, parked.attempts, … FROM payments_handlers handler CROSS JOIN LATERAL … LIMIT …',
  ),
  one('WITH terms, picked AS … AND event_id = $n AND handler_id = $n … SET parked_at = NULL, …'),
  // Each is locked, put back into its sequence and written in four indexes.
  atMost(
    2 * PAGE,
    'WITH terms, picked AS … AND parked_at < $n::timestamptz … LIMIT 500 … SET parked_at = NULL, …',
  ),
  small('SELECT … FROM payments_handlers PaymentsHandlerEntity…'),
  small('UPDATE payments_handlers SET retired_at = …'),
  atMost(
    PAGE,
    'WITH terms, picked AS … LIMIT 500 FOR UPDATE ), next AS ( UPDATE payments_deliveries … DELETE FROM payments_deliveries …',
  ),
  // Kept audits: at most one of a store is open; a page of them; one.
  small('INSERT INTO payments_audits AS kept …'),
  one('SELECT … FROM payments_audits kept WHERE store_id = $n AND done_at IS NULL'),
  atMost(21, 'SELECT … AS place FROM payments_audits kept WHERE store_id = $n AND (started_at, id) < …'),
  one('SELECT …, differences FROM payments_audits kept JOIN payments_stores store …'),
  few('UPDATE payments_audits taken SET lease_until = …'),
  one('UPDATE payments_audits SET … WHERE id = $n AND fence = $n AND done_at IS NULL RETURNING id'),
  // An audit.
  atMost(PAGE + 1, `SELECT …, object ->> 'created_at' AS stamp, … FROM payments_payments … LIMIT 1000`),
  atMost(PAGE + 1, `SELECT …, object ->> 'created_at' AS stamp, … FROM payments_refunds … LIMIT 1000`),
  atMost(
    PAGE,
    'SELECT … FROM unnest($n::text[]) AS wanted (id) CROSS JOIN LATERAL ( SELECT * FROM payments_payments …',
  ),
  atMost(
    PAGE,
    'SELECT … FROM unnest($n::text[]) AS wanted (id) CROSS JOIN LATERAL ( SELECT * FROM payments_refunds …',
  ),
  atMost(PAGE + 1, `SELECT …, object ->> 'created_at' AS stamp, … FROM payments_receipts … LIMIT 1000`),
  atMost(
    2 * PAGE,
    `SELECT …, own.status = 'pending' AND EXISTS (…) AS isFollowed FROM unnest($n::text[]) AS wanted (id) CROSS JOIN LATERAL ( SELECT * FROM payments_receipts …`,
  ),
  // Each with its refunds, receipts and operations.
  atMost(
    10 * LISTED,
    'SELECT json_build_object( … FROM payments_payments payment WHERE payment.id = ANY($n) AND …',
  ),

  // Objects of the service that carry a mark of ours: a page of a list.
  atMost(
    6 * LISTED,
    'SELECT asked.place, payment.id, … FROM unnest($n::text[], $n::text[], $n::int[]) WITH ORDINALITY AS asked …',
  ),

  // Holds of stores whose owners left.
  one('SELECT held.id, store.id AS storeId FROM payments_stores store CROSS JOIN LATERAL …'),

  // Orders.
  one('SELECT … FROM payments_orders PaymentsOrderEntity WHERE ((PaymentsOrderEntity.id = $n)) …'),
  one(
    'SELECT … FROM payments_orders PaymentsOrderEntity WHERE ((PaymentsOrderEntity.store_id = $n) AND (PaymentsOrderEntity.reference = $n)) …',
  ),
  one('WITH terms INSERT INTO payments_orders AS locked …'),
  one('WITH terms UPDATE payments_orders AS locked SET version = …'),

  // Payments.
  one('SELECT … FROM payments_payments PaymentsPaymentEntity WHERE ((PaymentsPaymentEntity.id = $n)…'),
  one(
    'SELECT … FROM payments_payments PaymentsPaymentEntity WHERE ((PaymentsPaymentEntity.store_id = $n) AND (PaymentsPaymentEntity.service_id = $n)) …',
  ),
  // All of an order, for who asks for that, and for which of its moves an effect is of.
  atMost(
    2 * CROWD,
    'SELECT … FROM payments_payments PaymentsPaymentEntity WHERE ((PaymentsPaymentEntity.order_id = $n))…',
  ),
  // Beside what one that is found again takes its place: what is open, and the newest of its part, of what was paid and of what ended.
  atMost(
    65,
    "SELECT …found.* FROM (SELECT) always LEFT JOIN (…'tries' AS part, …'keeping' AS part, …'ended' AS part, …",
  ),
  // For another create: what is open, the first that was paid alike, and the newest of its part.
  atMost(25, "SELECT …found.* FROM (SELECT) always LEFT JOIN (…'alike' AS part, …'tries' AS part, …"),
  // What is open, and the first of what is settled.
  few("SELECT …found.* FROM (SELECT) always LEFT JOIN (…'live' AS part, …'keeping' AS part, …"),
  // Its order and itself, locked.
  few('WITH order_row AS ( UPDATE payments_orders locked SET version = …'),
  few('WITH terms, order_row AS ( UPDATE payments_orders locked SET version = …'),

  // The queue of re-reads.
  // Up to 32 at once, of two lanes, with all that a re-read needs.
  atMost(
    320,
    'WITH terms, stamp AS MATERIALIZED (…), turn AS MATERIALIZED (…), picked AS … UPDATE payments_due due …',
  ),
  few('WITH terms, free AS MATERIALIZED ( SELECT … FROM payments_due due, terms …'),
  few('WITH terms AS (SELECT), given AS MATERIALIZED (…'),
  atMost(640, 'WITH terms, given AS MATERIALIZED (…'),
  one('INSERT INTO payments_due AS due …'),
  one('SELECT … FROM payments_due PaymentsDueEntity …'),
  atMost(1_000, 'WITH terms, notified AS MATERIALIZED ( SELECT notified.* …'),
  atMost(1_500, 'WITH terms, late AS MATERIALIZED …'),
  atMost(1_000, '(SELECT … FROM ( SELECT payment_id, fence FROM payments_due due …'),
  // What is in progress and has no place there: a page of an index, and each one's place.
  // Of holds PostgreSQL may take those of the status and sort them: there are as many as are held just now.
  atMost(6 * PAGE, 'SELECT …, place, NOT EXISTS ( SELECT FROM payments_due due …'),
  one('INSERT INTO payments_due (payment_id, store_id, ready_at) …'),
  small('WITH terms INSERT INTO payments_rate_limits …'),
  // A lease that is extended; a payment that another worker has when its store catches up.
  rarely(one('…UPDATE payments_due …')),
  // The work there is, at each tick.
  few('SELECT (…'),

  // Operations.
  few(
    'SELECT … FROM payments_operations PaymentsOperationEntity WHERE ((PaymentsOperationEntity.payment_id = $n) AND …',
  ),
  few(
    'SELECT … FROM payments_operations PaymentsOperationEntity WHERE ((((PaymentsOperationEntity.payment_id = $n) AND …',
  ),
  few(
    'SELECT … FROM payments_operations PaymentsOperationEntity WHERE ((PaymentsOperationEntity.payment_id = $n)) ORDER BY …',
  ),
  // The creates of the newest of an order's part.
  few("SELECT … FROM payments_operations operation WHERE payment_id = ANY($n) AND kind = 'create'"),
  // Where a re-read comes between a refund and its answer.
  rarely(
    few(
      'SELECT … FROM payments_operations PaymentsOperationEntity WHERE ((PaymentsOperationEntity.refund_id IN ($n)) AND …',
    ),
  ),
  one(
    'SELECT …, COALESCE(operation.lease_until <= …) AS free FROM payments_operations operation WHERE operation.id = $n …',
  ),
  one('UPDATE payments_operations SET … WHERE id = $n'),

  rarely(
    one(
      'SELECT … FROM (SELECT …) dummy_table WHERE EXISTS (SELECT 1 FROM payments_operations PaymentsOperationEntity …',
    ),
  ),
  rarely(
    one(
      'SELECT … WHERE EXISTS (SELECT 1 FROM payments_operations PaymentsOperationEntity WHERE ((((PaymentsOperationEntity.id = $n) AND …',
    ),
  ),

  // Refunds.
  one('SELECT … FROM payments_refunds PaymentsRefundEntity WHERE ((PaymentsRefundEntity.id = $n)) …'),
  one(
    'SELECT … FROM payments_refunds PaymentsRefundEntity WHERE ((PaymentsRefundEntity.store_id = $n) AND (PaymentsRefundEntity.service_id = $n)) …',
  ),
  few('SELECT … FROM payments_refunds PaymentsRefundEntity WHERE ((PaymentsRefundEntity.payment_id = $n)…'),
  // What is under way of a payment that somebody looks at.
  few('SELECT payment_id, id FROM ( SELECT payment_id, id, outcome FROM payments_operations … LIMIT …'),
  few(
    'SELECT … FROM payments_refunds PaymentsRefundEntity WHERE ((((PaymentsRefundEntity.payment_id = $n) AND (PaymentsRefundEntity.status IN ($n)))) OR …',
  ),

  // Receipts that are sent by themselves.
  few(
    'SELECT … FROM payments_receipts PaymentsReceiptEntity WHERE ((PaymentsReceiptEntity.payment_id = $n)…',
  ),
  one('SELECT … FROM payments_receipts PaymentsReceiptEntity WHERE ((PaymentsReceiptEntity.id = $n)) …'),
  one(
    'SELECT … FROM payments_operations PaymentsOperationEntity WHERE ((PaymentsOperationEntity.receipt_id = $n)) …',
  ),
  // Where a look finds a receipt whose sender has heard nothing yet.
  rarely(one('UPDATE payments_operations SET … WHERE (receipt_id = $n AND settled_at IS NULL)')),

  // Receipts that need a person.
  few(
    'SELECT … FROM payments_receipt_problems PaymentsReceiptProblemEntity WHERE ((PaymentsReceiptProblemEntity.payment_id = $n))',
  ),
  acrossStores(
    'SELECT open.id, … FROM ( WITH RECURSIVE head AS ( (SELECT store_id, since FROM payments_receipt_problems …',
  ),
  one(
    'SELECT … FROM payments_receipt_problems PaymentsReceiptProblemEntity WHERE ((PaymentsReceiptProblemEntity.id = $n) AND …',
  ),
  one('UPDATE payments_receipt_problems SET … WHERE id = $n'),

  // Incidents: those that are open, and the end of one.
  // And the payments and orders of those that are shown.
  {
    ...acrossStores(
      'SELECT open.name, … FROM ( WITH RECURSIVE head AS ( (SELECT store_id, since FROM payments_incidents …',
    ),
    rows: 6 * LISTED,
  },
  few(
    'SELECT open.name, … FROM (SELECT * FROM payments_incidents WHERE payment_id = $n::uuid AND is_open OFFSET 0) open …',
  ),
  one('UPDATE payments_incidents SET is_open = false, …'),

  // What is left to settle: one page of it, and what is due to be told.
  atMost(
    2 * LISTED,
    'SELECT …, open.currency, open.unsettled_since <= … FROM ( SELECT id, order_id, unsettled_since, …',
  ),
  atMost(LISTED, 'SELECT id, store_id AS storeId, to_json(unsettled_due_at) …'),

  // Events and deliveries.
  one('WITH event AS ( INSERT INTO payments_events …'),
  few("SELECT evidence ->> 'serviceId' AS serviceId FROM payments_events …"),
  few('SELECT … FROM payments_events PaymentsEventEntity WHERE ((PaymentsEventEntity.payment_id = $n)) …'),
  few(
    'SELECT … FROM payments_events PaymentsEventEntity WHERE ((PaymentsEventEntity.payment_id IN ($n)) AND …',
  ),
  // The head of each handler's and store's queue, and a batch of one of them.
  atMost(2 * LISTED, 'WITH turn AS MATERIALIZED ( SELECT line.place, …'),
  one('SELECT set_config(…pg_current_xact_id()::text AS transaction_id, …'),
  one('UPDATE payments_deliveries SET … WHERE event_id = $n AND handler_id = $n …'),
  one(
    'WITH terms, mine AS MATERIALIZED (…) UPDATE payments_deliveries delivery SET attempts = attempts - 1, …',
  ),
  rarely(one('UPDATE payments_deliveries next SET next_attempt_at = …')),
  // Effects: recorded, compared with one under the same key, begun and done.
  one(
    'WITH method AS MATERIALIZED ( SELECT id FROM payments_handlers … ), event AS ( INSERT INTO payments_events …',
  ),
  one('SELECT delivery.data::text AS json FROM payments_events event JOIN payments_deliveries delivery ON …'),
  one('SELECT data::text AS json FROM payments_deliveries WHERE event_id = $n AND handler_id = $n …'),
  one('WITH terms UPDATE payments_deliveries SET done_at = …'),
  // Notifications.
  atMost(512, 'WITH terms INSERT INTO payments_notifications AS known …'),
  few(
    'SELECT … FROM payments_notifications PaymentsNotificationEntity WHERE ((((PaymentsNotificationEntity.store_id = $n) AND …',
  ),
  rarely(
    few(
      'SELECT … FROM (SELECT …) dummy_table WHERE EXISTS (SELECT 1 FROM payments_notifications PaymentsNotificationEntity …',
    ),
  ),
  one('UPDATE payments_notifications SET … WHERE (id = $n AND …)'),
  few(
    'SELECT EXISTS (SELECT FROM payments_payments …) AS isOurs, (SELECT bool_or(is_known) FROM payments_notifications …',
  ),
  // One at a time, of those that are looked up or re-read separately.
  few(
    'WITH terms, stamp AS MATERIALIZED (…), turn AS MATERIALIZED (…), picked AS … UPDATE payments_notifications known …',
  ),

  // Whose turn it is.
  few('SELECT store.id FROM payments_stores store WHERE …'),
];
