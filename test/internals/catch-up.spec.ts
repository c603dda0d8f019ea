import { Database } from '../../libs/payments/src/database/database.js';
import { catchUpAfter } from '../../libs/payments/src/reconcile/catch-up.js';
import { Claims } from '../../libs/payments/src/reconcile/claims.js';
import { paidPayments } from '../support/deliveries.js';
import { openBench, type Bench, type PaymentsHost } from '../support/payments-host.js';

describe('a catch-up', () => {
  let bench: Bench;
  let host: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    host = await bench.startHost({ sweeps: false });
  });
  afterAll(() => bench.close());

  it('requests another re-read of a payment that a caller is re-reading, however many stand before it in the queue', async () => {
    const ids = await paidPayments(bench, 600);
    const called = ids.at(-1) ?? '';
    const [store] = await bench.asOwner<{ id: string }>(
      `INSERT INTO payments_due (payment_id, store_id, ready_at)
       SELECT id, store_id, now() - interval '1 minute' * CASE id WHEN $1 THEN 1 ELSE 2 END FROM payments_payments
       RETURNING store_id AS id`,
      [called],
    );
    await host.app.get(Claims, { strict: false }).one(called);
    await catchUpAfter(host.app.get(Database), store?.id ?? '', 0);
    expect(
      await bench.asOwner(`SELECT payment_id AS id FROM payments_due WHERE wanted_at IS NOT NULL`),
    ).toEqual([{ id: called }]);
  });
});
