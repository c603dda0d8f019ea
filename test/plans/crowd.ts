import type { ClientBase } from 'pg';

/** Payments that each order of the scenarios has besides: far more than a statement may look at that asks for one payment or a few. */
export const CROWD = 300;

/**
 * Gives each order of the scenarios settled payments: paid ones and canceled ones of the same part, and paid ones of other parts. What is read
 * for one payment of an order must not cost more for it.
 */
export async function crowd(client: ClientBase): Promise<void> {
  await client.query('SET LOCAL session_replication_role = replica');
  await client.query(
    `INSERT INTO payments_payments (id, store_id, order_id, part, try_number, intent_key, service_id, status, currency, amount_minor,
       authorized_minor, captured_minor, capture, test, created_at, updated_at)
     SELECT gen_random_uuid(), known.store_id, known.id, CASE WHEN n % 3 = 0 THEN 'part-' || n ELSE '' END, -n, 'crowd ' || known.id || n,
       'crowd ' || known.id || n, CASE WHEN n % 3 = 1 THEN 'canceled' ELSE 'succeeded' END, 'RUB', 1000 + n, CASE WHEN n % 3 = 1 THEN 0 ELSE 1000 + n END,
       CASE WHEN n % 3 = 1 THEN 0 ELSE 1000 + n END, true, true, known.created_at - n * interval '1 minute', known.created_at
     FROM payments_orders known CROSS JOIN generate_series(1, ${CROWD}) n WHERE known.reference NOT LIKE 'bulk-%'`,
  );
  await client.query('SET LOCAL session_replication_role = origin');
}
