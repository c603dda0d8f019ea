/**
 * Fills the module's tables as its own writers would have, but in bulk. If a column moves, this is the only place to change here.
 * The rows are loaded past the foreign keys: as superuser, each batch complete in itself.
 */
import { DatabaseError, type Client } from 'pg';

import { account } from '../contenders/payment-object.js';

/** A batch of one statement. */
const BATCH = 50_000;

interface PaymentsToLoad {
  readonly count: number;
  readonly status: 'pending' | 'waiting_for_capture' | 'succeeded';
  /**
   * SQL of when the first was created; each further one follows after an equal part of `over` (an interval). Default: an hour
   * ago.
   */
  readonly from?: string;
  /** Default: a millisecond for each. */
  readonly over?: string;
  /** SQL of when each is to be re-read; null: never again. `n` is its number from 1, `at` when it was created. */
  readonly dueAt?: string | null;
  /**
   * The last re-read of one in this many failed: every other one of those rests until tomorrow, and the others may be tried
   * again.
   */
  readonly failing?: number | null;
  /** With the create, events and notification of a completed payment. */
  readonly withHistory?: boolean;
  /** With one unhandled notification each, which arrived then (SQL, as above). */
  readonly notifiedAt?: string | null;
  /** Ids of their stores, in turns. Default: the shop's own. */
  readonly storeIds?: readonly string[];
}

export interface LoadedPayment {
  readonly id: string;
  readonly serviceId: string;
  readonly reference: string;
}

/** The shop's own store, whose row the module makes when it first starts. */
async function shopStore(client: Client): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    'SELECT id FROM payments_stores WHERE account_id = $1',
    [account.shopId],
  );
  if (!rows[0]) throw new Error('The module has not made its store yet: start it first.');
  return rows[0].id;
}

/** Returns the first thousand of them. */
export async function loadPayments(client: Client, what: PaymentsToLoad): Promise<readonly LoadedPayment[]> {
  const stores = what.storeIds ?? [await shopStore(client)];
  const storeId = `('{${stores.join(',')}}'::uuid[])[1 + n % ${stores.length}]`;
  const loaded: LoadedPayment[] = [];
  await client.query(`SET session_replication_role = replica`);
  for (let first = 1; first <= what.count; first += BATCH) {
    const { rows } = await client.query<LoadedPayment>(statement(what, storeId, first));
    if (loaded.length < 1_000) loaded.push(...rows.slice(0, 1_000 - loaded.length));
  }
  await client.query('RESET session_replication_role');
  return loaded;
}

/** An id as the module makes them, in the order of their times (SQL): UUID version 7. */
function idOf(at: string): string {
  const time = `substring(int8send((extract(epoch FROM ${at}) * 1000)::bigint) FROM 3)`;
  const bytes = `overlay(uuid_send(gen_random_uuid()) PLACING ${time} FROM 1 FOR 6)`;
  return `encode(set_bit(set_bit(${bytes}, 52, 1), 53, 1), 'hex')::uuid`;
}

/** An id as the service makes them: they begin with the seconds since 2000. */
function serviceIdOf(at: string): string {
  const seconds = `lpad(to_hex((extract(epoch FROM ${at}) - 946684800)::bigint), 8, '0')`;
  return `${seconds} || '-000f-5000-8000-' || substring(md5(random()::text) FROM 1 FOR 12)`;
}

/** The SQL for a batch that begins with this number. */
function statement(what: PaymentsToLoad, storeId: string, first: number): string {
  const { count, status, dueAt = null, failing = null, withHistory = false, notifiedAt = null } = what;
  const { from = `now() - interval '1 hour'`, over = `${count} milliseconds` } = what;
  const last = Math.min(first + BATCH - 1, count);
  const lane = failing === null ? `'polls'` : `CASE WHEN n % ${failing} = 0 THEN 'failing' ELSE 'polls' END`;
  const restUntil =
    failing === null ? 'NULL' : `CASE WHEN n % ${2 * failing} = 0 THEN now() + interval '1 day' END`;
  const at = 'at';
  const paid = status === 'succeeded' ? '10000' : '0';
  const held = status === 'waiting_for_capture' ? '10000' : '0';
  const object = `jsonb_build_object('id', service_id, 'status', '${status}', 'amount', jsonb_build_object('value', '100.00', 'currency', 'RUB'), 'test', true)`;
  const parts = [
    `made AS MATERIALIZED (
       SELECT n, at, ${idOf('at')} AS id, ${idOf('at')} AS order_id, ${serviceIdOf('at')} AS service_id,
         'loaded-' || gen_random_uuid() AS reference
       FROM (SELECT n, ${from} + (n - 1) * (interval '${over}' / ${count}) AS at FROM generate_series(${first}, ${last}) n) numbered)`,
    `orders AS (${insert(
      'payments_orders',
      {
        id: 'order_id',
        store_id: storeId,
        reference: 'reference',
        currency: `'RUB'`,
        total_due_minor: '10000',
        paid_minor: paid,
        held_minor: held,
        state: status === 'succeeded' ? `'paid'` : held === '0' ? `'unpaid'` : `'authorized'`,
        was_paid: String(status === 'succeeded'),
        created_at: at,
        updated_at: at,
      },
      'made',
    )})`,
    `payments AS (${insert(
      'payments_payments',
      {
        id: 'id',
        store_id: storeId,
        order_id: 'order_id',
        service_id: 'service_id',
        intent_key: 'id',
        status: `'${status}'`,
        currency: `'RUB'`,
        amount_minor: '10000',
        authorized_minor: status === 'pending' ? '0' : '10000',
        captured_minor: paid,
        capture: status === 'waiting_for_capture' ? 'false' : 'true',
        test: 'true',
        card_last4: status === 'pending' ? 'NULL' : '(1000 + n % 9000)::text',
        object: status === 'pending' ? 'NULL' : object,
        hold_expires_at: held === '0' ? 'NULL' : `now() + interval '6 days'`,
        hold_due_at: held === '0' ? 'NULL' : `now() + interval '5 days'`,
        created_at: at,
        updated_at: at,
      },
      'made',
    )})`,
  ];
  if (dueAt !== null)
    parts.push(
      `due AS (${insert(
        'payments_due',
        {
          payment_id: 'id',
          store_id: storeId,
          ready_at: `COALESCE(${restUntil}, ${dueAt})`,
          lane,
          rest_until: restUntil,
        },
        'made',
      )})`,
    );
  if (withHistory)
    parts.push(
      `operations AS (${insert(
        'payments_operations',
        {
          id: idOf('at'),
          store_id: storeId,
          payment_id: 'id',
          kind: `'create'`,
          idempotence_key: 'gen_random_uuid()::text',
          body: `'{"amount":{"value":"100.00","currency":"RUB"},"capture":true,"metadata":{"payment":"' || id || '"}}'`,
          fingerprint: `md5(id::text)`,
          outcome: `'confirmed'`,
          attempts: '1',
          recorded_at: at,
          first_sent_at: at,
          last_sent_at: at,
          settled_at: at,
        },
        'made',
      )})`,
      `events AS (${insert(
        'payments_events',
        {
          store_id: storeId,
          subject_type: `'payment'`,
          subject_id: 'id::text',
          payment_id: 'id',
          name: `'payment.' || step.status`,
          from_status: 'step.before',
          to_status: 'step.status',
          cause: 'step.cause',
          evidence: `'{}'`,
          object: `CASE WHEN step.status = 'pending' THEN NULL ELSE to_json(${object}) END`,
          created_at: at,
        },
        `made, (VALUES ('submitting', 'pending', 'create')${status === 'pending' ? '' : `, ('pending', '${status}', 'notification')`}) step (before, status, cause)`,
      )})`,
    );
  if (withHistory || notifiedAt !== null)
    parts.push(
      `notifications AS (${insert(
        'payments_notifications',
        {
          id: idOf('notified_at'),
          store_id: storeId,
          event: `'payment.succeeded'`,
          object_type: `'payment'`,
          object_id: 'service_id',
          body: `'{"type":"notification","event":"payment.succeeded","object":{"id":"' || service_id || '"}}'`,
          sender_address: `'127.0.0.1'`,
          first_at: 'notified_at',
          last_at: 'notified_at',
          handled_count: notifiedAt === null ? '1' : '0',
          waiting_since: notifiedAt === null ? 'NULL' : 'notified_at',
          step: `'hand_over'`,
          ready_at: notifiedAt === null ? 'NULL' : 'notified_at',
        },
        `(SELECT made.*, ${notifiedAt ?? 'at'} AS notified_at FROM made ORDER BY notified_at) notified`,
      )})`,
    );
  return `WITH ${parts.join(',\n')}
    SELECT id, service_id AS "serviceId", reference FROM made ORDER BY n LIMIT 1000`;
}

/** Deliveries of this many paid payments to each of these handlers; `dueAt` is SQL of business time. */
export async function loadDeliveries(
  client: Client,
  { count, handlerIds, dueAt }: { count: number; handlerIds: readonly string[]; dueAt: string },
): Promise<void> {
  await loadPayments(client, { count, status: 'succeeded', withHistory: true });
  await client.query(`SET session_replication_role = replica`);
  await client.query(
    insert(
      'payments_deliveries',
      {
        event_id: 'event.id',
        handler_id: 'handler.id',
        store_id: 'event.store_id',
        sequence: 'event.payment_id::text',
        next_attempt_at: dueAt,
      },
      `payments_events event, unnest('{${handlerIds.join(',')}}'::text[]) handler (id) WHERE event.name = 'payment.succeeded'
         AND NOT EXISTS (SELECT 1 FROM payments_deliveries known WHERE known.event_id = event.id)`,
    ),
  );
  await client.query('RESET session_replication_role');
}

/** Gives the order of this paid payment so many others, paid too, and leaves much of what is due unpaid. */
export async function crowdOrder(client: Client, paymentId: string, count: number): Promise<void> {
  await client.query('SET session_replication_role = replica');
  await client.query(
    `INSERT INTO payments_payments (id, store_id, order_id, part, service_id, intent_key, status, currency, amount_minor, authorized_minor,
       captured_minor, capture, test, object, created_at, updated_at)
     SELECT ${idOf('created_at')}, store_id, order_id, 'loaded-' || n, 'loaded-' || n, 'loaded-' || n, status, currency, amount_minor, authorized_minor,
       captured_minor, capture, test, object, created_at, updated_at
     FROM payments_payments CROSS JOIN generate_series(1, $2::int) n WHERE id = $1`,
    [paymentId, count],
  );
  await client.query(
    `UPDATE payments_orders SET total_due_minor = 100000000000, paid_minor = paid_minor * (1 + $2::bigint), state = 'unpaid'
     WHERE id = (SELECT order_id FROM payments_payments WHERE id = $1)`,
    [paymentId, count],
  );
  await client.query('RESET session_replication_role');
}

/** Ends what is open, as if no buyer had paid. */
export async function endOpen(client: Client): Promise<void> {
  await client.query(
    `UPDATE payments_payments SET status = 'canceled' WHERE status IN ('submitting', 'pending')`,
  );
  await client.query('DELETE FROM payments_due');
}

/** Everything that payments leave behind; stores and handlers stay. */
export async function unload(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT table_name::text AS name FROM information_schema.tables
     WHERE table_name LIKE 'payments\\_%' AND table_type = 'BASE TABLE'
       AND table_name NOT IN ('payments_stores', 'payments_handlers', 'payments_oauth_states', 'payments_rate_limits',
         'payments_commit_mark', 'payments_recoveries', 'payments_audits')`,
  );
  const sql = `TRUNCATE ${rows.map(({ name }) => name).join(', ')}`;
  // Processes at work there take their locks in another order.
  for (let left = 20; !(await succeeds(client, sql, left)); left -= 1);
}

/** An INSERT of these values, SQL by column, from a FROM clause. */
function insert(table: string, values: Readonly<Record<string, string>>, from: string): string {
  return `INSERT INTO ${table} (${Object.keys(values).join(', ')}) SELECT ${Object.values(values).join(', ')} FROM ${from}`;
}

async function succeeds(client: Client, sql: string, triesLeft: number): Promise<boolean> {
  try {
    await client.query(sql);
    return true;
  } catch (error) {
    if (triesLeft === 0 || !(error instanceof DatabaseError) || error.code !== '40P01') throw error;
    return false;
  }
}
