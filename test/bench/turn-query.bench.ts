/** The plan of the query that finds whose turn it is, on 1,000 stores with 100 payments each. Not part of the suite. */
import { Claims } from '../../libs/payments/src/reconcile/claims.js';
import { StoreTurns } from '../../libs/payments/src/stores/store-turns.js';
import { app, openPartnerBench } from '../partner/partner-bench.js';

it('finds whose turn it is', async () => {
  const bench = await openPartnerBench();
  const host = await bench.startHost({ sweeps: false });
  const { dataSource } = host;
  await dataSource.query(
    `INSERT INTO payments_stores (id, account_id, webhook_key, encrypted_token, status)
     SELECT gen_random_uuid(), 'a' || n, 'k' || n, 'x', 'connected' FROM generate_series(1, 1000) n`,
  );
  await bench.asOwner(
    `INSERT INTO payments_orders (id, store_id, reference, currency, total_due_minor, created_at, updated_at)
     SELECT gen_random_uuid(), s.id, 'o' || n, 'RUB', 100, now(), now() FROM payments_stores s, generate_series(1, 100) n`,
  );
  for (const [share, due] of [
    ['all due', `now() - random() * interval '1 hour'`],
    [
      'one store in a hundred due',
      `CASE WHEN hashtext(store_id::text) % 100 = 0 THEN now() ELSE now() + interval '1 hour' END`,
    ],
    ['none due', `now() + interval '1 hour'`],
  ] as const) {
    await bench.asOwner('TRUNCATE payments_payments CASCADE');
    await bench.asOwner(
      `INSERT INTO payments_payments (id, store_id, order_id, service_id, status, currency, amount_minor, capture, next_check_at, created_at, updated_at)
       SELECT gen_random_uuid(), store_id, id, gen_random_uuid(), 'pending', 'RUB', 100, true, ${due}, now(), now() FROM payments_orders`,
    );
    await bench.asOwner('ANALYZE');
    const turns = host.app.get(StoreTurns);
    const seen: string[] = [];
    const query = dataSource.manager.query.bind(dataSource.manager);
    const queue = host.app.get(Claims).queue(8);
    dataSource.manager.query = async (sql: string, parameters?: unknown[]) => {
      if (sql.startsWith('SELECT store.id')) {
        const plan = await query<{ 'QUERY PLAN': string }[]>(`EXPLAIN (ANALYZE, BUFFERS) ${sql}`, parameters);
        seen.push(plan.map((row) => row['QUERY PLAN']).join('\n'));
      }
      return query(sql, parameters);
    };
    await queue.run(
      async () => {},
      () => {},
    );
    dataSource.manager.query = query;
    process.stdout.write(`== ${share} ==\n${seen[0]}\n`);
    expect(turns).toBeDefined();
  }
  expect(app).toBeDefined();
  await bench.close();
});
