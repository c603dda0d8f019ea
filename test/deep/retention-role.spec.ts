import {
  paymentsEntities,
  PaymentsConfigurationError,
  paymentsGrants,
  PaymentsModule,
  runRetention,
} from '@holdfast/payments';
import { ScheduleModule } from '@nestjs/schedule';
import { Client, DatabaseError } from 'pg';
import { DataSource } from 'typeorm';
import { paymentsOptions, startHost, typeOrm } from '../hosts/host.js';
import { eventually } from '../support/eventually.js';
import {
  EffectHandlers,
  effectsBecome,
  openBench,
  orderInput,
  paidPayment,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';

const DAY_MS = 86_400_000;

describe('retention under a role of its own', () => {
  let bench: Bench;
  let host: PaymentsHost;
  let retention: DataSource;
  beforeEach(async () => {
    bench = await openBench();
    host = await bench.startHost();
    retention = dataSource(bench.database.retentionUrl);
    await retention.initialize();
  });
  afterEach(async () => {
    await retention.destroy();
    await bench.close();
  });

  const dataSource = (url: string) => new DataSource({ type: 'postgres', url, entities: paymentsEntities });
  const run = (retentionMs: number, from = retention) =>
    runRetention(from, { retentionMs, clock: bench.sandbox.clock });

  const counts = async () => {
    const [row] = await bench.asOwner<Record<string, number>>(
      `SELECT (SELECT count(*)::int FROM payments_events) AS events, (SELECT count(*)::int FROM payments_deliveries) AS deliveries,
         (SELECT count(*)::int FROM payments_notifications) AS notifications, (SELECT count(*)::int FROM payments_operations) AS operations`,
    );
    return row;
  };

  it('removes what the module would, in batches, and leaves the payment unchanged', async () => {
    const before = await paidPayment(bench, host);
    const { id } = before;
    await effectsBecome(bench, host, id, 1);
    await bench.asOwner(
      `INSERT INTO payments_events (store_id, subject_type, subject_id, payment_id, name, cause, evidence, created_at)
       SELECT store_id, 'payment', id, id, 'payment.anomaly', 'sweep', '{}', created_at
       FROM payments_payments, generate_series(1, 1100)`,
    );
    await bench.sandbox.clock.advance(29 * DAY_MS);
    expect(await run(30 * DAY_MS)).toBe(0);
    await bench.sandbox.clock.advance(3 * DAY_MS);
    const open = await host.payments.create(orderInput());
    // Two jobs at once do no harm, and together they count each row once.
    const removed = await Promise.all([run(30 * DAY_MS), run(30 * DAY_MS)]);
    expect(removed.reduce((sum, count) => sum + count)).toBe(1_100 + 4 + 1);
    expect(await counts()).toEqual({ events: 2, deliveries: 0, notifications: 0, operations: 2 });
    expect(await host.payments.get(id)).toEqual(before);
    expect(await host.payments.timeline(open.id)).toHaveLength(2);
    expect(await run(30 * DAY_MS)).toBe(0);
  });

  it('keeps rows for a day at least', async () => {
    for (const retentionMs of [0, -1, DAY_MS - 1, 1.5 * DAY_MS + 0.5, NaN])
      await expect(run(retentionMs)).rejects.toBeInstanceOf(PaymentsConfigurationError);
  });

  it('is refused to the role of the module, with an error that names the missing rights', async () => {
    const module = await dataSource(bench.database.moduleUrl).initialize();
    try {
      await expect(run(DAY_MS, module)).rejects.toMatchObject({
        faults: [expect.stringMatching(/GRANT DELETE ON "public"\."payments_events" TO/)],
      });
    } finally {
      await module.destroy();
    }
  });

  it('removes rows in the module itself if its own role has those rights too', async () => {
    const role = new URL(bench.database.moduleUrl).username;
    await host.close();
    await bench.asOwner(paymentsGrants({ role, retentionRole: role }));
    const payments = PaymentsModule.forRoot({
      ...paymentsOptions(bench.sandbox),
      retentionMs: 30 * DAY_MS,
    });
    const both = await startHost({
      imports: [ScheduleModule.forRoot(), typeOrm(bench.database.moduleUrl), payments],
      providers: [EffectHandlers],
    });
    try {
      const { id, serviceId } = await both.payments.create(orderInput());
      bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
      await both.payments.refresh(id);
      await bench.sandbox.clock.advance(32 * DAY_MS);
      const left = await eventually(counts, (found) => found?.['events'] === 0);
      expect(left).toMatchObject({ deliveries: 0, operations: 1 });
    } finally {
      await both.close();
    }
  });

  describe('that role', () => {
    let role: Client;
    beforeEach(async () => {
      role = new Client(bench.database.retentionUrl);
      await role.connect();
    });
    afterEach(() => role.end());

    const refused = (sql: string) =>
      role.query(sql).then(
        () => null,
        (reason: unknown) => (reason instanceof DatabaseError ? reason.code : reason),
      );

    it.each([
      'SELECT body FROM payments_operations',
      'SELECT personal FROM payments_operations',
      `UPDATE payments_operations SET outcome = 'refused'`,
      `UPDATE payments_operations SET body = '{}'`,
      'SELECT idempotence_key FROM payments_operations',
      'SELECT object FROM payments_payments',
      'SELECT amount_minor FROM payments_payments',
      'SELECT body FROM payments_notifications',
      'SELECT sender_address FROM payments_notifications',
      'SELECT evidence FROM payments_events',
      'SELECT account_id FROM payments_stores',
      'SELECT reference FROM payments_orders',
      'DELETE FROM payments_payments',
      'DELETE FROM payments_operations',
      'DELETE FROM payments_refunds',
      'DELETE FROM payments_orders',
      'DELETE FROM payments_stores',
      'DELETE FROM payments_handlers',
      `UPDATE payments_events SET name = 'payment.succeeded'`,
      `UPDATE payments_deliveries SET done_at = now()`,
      'UPDATE payments_notifications SET handled_count = count',
      `UPDATE payments_payments SET status = 'succeeded'`,
      'TRUNCATE payments_events CASCADE',
      'CREATE TABLE payments_more ()',
    ])('may not %s', async (statement) => {
      expect(await refused(statement)).toBe('42501');
    });
  });
});
