import { getMetadataArgsStorage } from 'typeorm';
import { followedUp } from '../../libs/payments/src/payment/record-event.js';
import type { Bench } from './payments-host.js';

/** Tables by their entities, in the default schema. */
const tables = {
  table(entity: unknown): string {
    const name = getMetadataArgsStorage().tables.find(({ target }) => target === entity)?.name;
    if (name === undefined) throw new Error('This is no entity.');
    return name;
  },
};

/**
 * Writes payments with an event each, and its deliveries to every handler, as the module does: for tests that need many. They
 * belong to the shop's own store, or to another.
 */
export async function paidPayments(bench: Bench, count: number, store?: string): Promise<string[]> {
  const rows = await bench.asOwner<{ id: string }>(
    `WITH its_order AS (
       INSERT INTO payments_orders (id, store_id, reference, currency, total_due_minor, created_at, updated_at)
       SELECT gen_random_uuid(), COALESCE($2, (SELECT id FROM payments_stores WHERE account_id = $3)), gen_random_uuid(), 'RUB', 100, now(), now()
       FROM generate_series(1, $1)
       RETURNING id, store_id
     )
     INSERT INTO payments_payments
       (id, store_id, order_id, intent_key, service_id, status, currency, amount_minor, authorized_minor, captured_minor, capture, created_at, updated_at)
     SELECT gen_random_uuid(), store_id, id, id, gen_random_uuid(), 'succeeded', 'RUB', 100, 100, 100, true, now(), now() FROM its_order
     RETURNING id`,
    [count, store ?? null, 'test_shop'],
  );
  const ids = rows.map(({ id }) => id);
  await nextEvents(bench, ids);
  return ids;
}

/** One more event of each of these payments, behind their other events. */
export async function nextEvents(
  bench: Pick<Bench, 'asOwner'>,
  paymentIds: readonly string[],
): Promise<void> {
  await bench.asOwner(
    `WITH event AS (
       INSERT INTO payments_events (store_id, subject_type, subject_id, payment_id, name, cause, evidence, created_at)
       SELECT store_id, 'payment', id, id, 'payment.succeeded', 'sweep', '{}', now() FROM payments_payments WHERE id = ANY($1)
       RETURNING *
     ), ${followedUp(tables)}
     SELECT FROM announced`,
    [paymentIds],
  );
}

/** A store beside the shop's own, behind it in the order of ids. */
export async function anotherStore(bench: Bench): Promise<string> {
  const [store] = await bench.asOwner<{ id: string }>(
    `INSERT INTO payments_stores (id, account_id, kind, webhook_key, encrypted_token, status)
     VALUES (overlay(gen_random_uuid()::text placing 'ffffffff' from 1)::uuid, gen_random_uuid(), 'connected', gen_random_uuid(), 'x', 'connected')
     RETURNING id`,
  );
  if (!store) throw new Error('PostgreSQL made no store.');
  return store.id;
}
