import { paymentsEntities, runRetention } from '@holdfast/payments';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { eventually } from '../support/eventually.js';
import {
  effectsBecome,
  openBench,
  orderInput,
  paidPayment,
  sendNotification,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';

const DAY_MS = 86_400_000;

describe('after the retention time', () => {
  let bench: Bench;
  let host: PaymentsHost;
  beforeEach(async () => {
    bench = await openBench();
    host = await bench.startHost({ retentionMs: 30 * DAY_MS });
  });
  afterEach(() => bench.close());

  const count = async (table: string, where = 'true') => {
    const rows = await host.dataSource.query<{ count: number }[]>(
      `SELECT count(*)::int AS count FROM payments_${table} WHERE ${where}`,
    );
    return rows[0]?.count;
  };
  /** One day after the other: what is still on its way when a pass looks at it is removed by the next one. */
  const becomes = (table: string, wanted: number, where?: string) =>
    eventually(
      async () => {
        await bench.sandbox.clock.advance(DAY_MS);
        return count(table, where);
      },
      (found) => found === wanted,
    );

  const dataSource = () =>
    new DataSource({ type: 'postgres', url: bench.database.retentionUrl, entities: paymentsEntities });

  /** Paid, and delivered to its handler. */
  async function paid(): Promise<string> {
    const { id } = await paidPayment(bench, host);
    await effectsBecome(bench, host, id, 1);
    return id;
  }

  it('the events and notifications of a settled payment are removed, the payment stays, and a replayed notification changes nothing', async () => {
    const before = await paidPayment(bench, host);
    const { id, serviceId } = before;
    await effectsBecome(bench, host, id, 1);
    await bench.sandbox.clock.advance(29 * DAY_MS);
    expect(await count('events')).toBe(4);
    await bench.sandbox.clock.advance(3 * DAY_MS);
    await becomes('events', 0);
    await becomes('notifications', 0);
    expect(await count('deliveries')).toBe(0);
    expect(await host.payments.get(id)).toEqual(before);
    expect(await count('operations')).toBe(1);
    await sendNotification(host, {
      type: 'notification',
      event: 'payment.succeeded',
      object: { id: serviceId, status: 'succeeded' },
    });
    await eventually(
      () => count('notifications', 'count = handled_count'),
      (found) => found === 1,
    );
    expect(await host.payments.get(id)).toEqual(before);
    expect(await bench.effects(host, id)).toEqual(['payment.succeeded']);
    expect(await count('events')).toBe(0);
  });

  it('what a request says of a person is erased 90 days after its payment last changed, by the module itself', async () => {
    const { id } = await paidPayment(bench, host, { extra: { client_ip: '203.0.113.7' } });
    await effectsBecome(bench, host, id, 1);
    await bench.sandbox.clock.advance(80 * DAY_MS);
    await becomes('events', 0);
    expect(await count('operations', 'personal IS NOT NULL')).toBe(1);
    await bench.sandbox.clock.advance(12 * DAY_MS);
    await eventually(
      () => count('operations', 'personal IS NULL AND NOT has_personal'),
      (found) => found === 1,
    );
    expect(await count('operations', `body LIKE '%"amount"%'`)).toBe(1);
  });

  it('what waits for a person, and what is not settled, is kept', async () => {
    const [refunding, parked] = [await paid(), await paid()];
    await host.dataSource.query(
      `UPDATE payments_deliveries SET done_at = NULL, parked_at = clock_timestamp()
       WHERE event_id IN (SELECT id FROM payments_events WHERE payment_id = $1)`,
      [parked],
    );
    // A refund takes three days at most: it is made shortly before its payment is old enough.
    await bench.sandbox.clock.advance(29 * DAY_MS);
    bench.sandbox.refunds.next({ status: 'pending' });
    await host.payments.refund(refunding, { refundKey: 'slow' });
    const kept = await count('events', `payment_id = '${refunding}'`);
    await bench.sandbox.clock.advance(2 * DAY_MS);
    await eventually(
      () => count('events', `payment_id = '${parked}'`),
      (found) => found === 1,
    );
    expect(await count('deliveries', 'done_at IS NULL')).toBe(1);
    expect(await count('events', `payment_id = '${refunding}'`)).toBe(kept);
    const [refund] = await host.payments.refunds(refunding);
    bench.sandbox.refunds.finish(refund?.serviceId ?? '', 'succeeded');
    await eventually(
      () => host.payments.refunds(refunding),
      ([found]) => found?.status === 'succeeded',
    );
    await host.payments.refresh(refunding);
    await bench.sandbox.clock.advance(40 * DAY_MS);
    await becomes('events', 0, `payment_id = '${refunding}'`);
    expect(await host.payments.refunds(refunding)).toMatchObject([{ status: 'succeeded' }]);
  });

  it('thousands of rows are removed in batches, one replica at a time', async () => {
    const { id } = await paidPayment(bench, host);
    await host.dataSource.query(
      `INSERT INTO payments_events (store_id, subject_type, subject_id, payment_id, name, cause, evidence, created_at)
       SELECT store_id, 'payment', id, id, 'payment.anomaly', 'sweep', '{}', created_at
       FROM payments_payments, generate_series(1, 2100) WHERE id = $1`,
      [id],
    );
    await bench.startHost({ retentionMs: 30 * DAY_MS });
    await bench.sandbox.clock.advance(40 * DAY_MS);
    await becomes('events', 0);
    expect(await host.payments.get(id)).toMatchObject({ status: 'succeeded' });
  });

  it('rows that must be kept are skipped, however many they are', async () => {
    const parked = await paid();
    const { id } = await paidPayment(bench, host);
    await effectsBecome(bench, host, id, 1);
    await host.dataSource.query(
      `WITH event AS (
         INSERT INTO payments_events (store_id, subject_type, subject_id, payment_id, name, cause, evidence, created_at)
         SELECT store_id, 'payment', id, id, 'payment.anomaly', 'sweep', '{}', created_at
         FROM payments_payments, generate_series(1, 1200) WHERE id = $1
         RETURNING id
       )
       INSERT INTO payments_deliveries (event_id, handler_id, store_id, sequence, next_attempt_at, parked_at)
       SELECT event.id, 'test.anomaly', store_id, $1, now(), now() FROM event JOIN payments_payments payment ON payment.id = $1`,
      [parked],
    );
    // Younger than all of those.
    const young = await paid();
    await bench.sandbox.clock.advance(40 * DAY_MS);
    await eventually(
      () => count('events', `payment_id IN ('${id}', '${young}')`),
      (found) => found === 0,
    );
    expect(await count('events', `payment_id = '${parked}'`)).toBe(1200);
  });

  it('a notification that comes again at that very moment is kept', async () => {
    await host.close();
    host = await bench.startHost({ sweeps: false });
    const { id, serviceId } = await host.payments.create(orderInput());
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    await eventually(
      () => count('notifications'),
      (found) => found === 1,
    );
    await host.payments.refresh(id);
    await bench.sandbox.clock.advance(40 * DAY_MS);
    const owner = new Client(bench.database.url);
    await owner.connect();
    await owner.query('BEGIN');
    await owner.query('UPDATE payments_notifications SET count = count + 1, waiting_since = last_at');
    const keeper = await dataSource().initialize();
    const removing = runRetention(keeper, { retentionMs: DAY_MS, clock: bench.sandbox.clock });
    await eventually(
      () =>
        bench.asOwner(`SELECT FROM pg_stat_activity WHERE datname = current_database()
          AND wait_event_type = 'Lock' AND query LIKE '%payments_notifications%'`),
      ({ length }) => length > 0,
    );
    await owner.query('COMMIT');
    await owner.end();
    await removing;
    await keeper.destroy();
    expect(await count('notifications', 'count > handled_count')).toBe(1);
  });

  it('nothing is removed if it is false', async () => {
    await host.close();
    host = await bench.startHost({ retentionMs: false });
    const { id } = await paidPayment(bench, host);
    await bench.sandbox.clock.advance(800 * DAY_MS);
    expect(await host.payments.refresh(id)).toMatchObject({ status: 'succeeded' });
    expect(await count('events')).toBe(4);
  });
});
