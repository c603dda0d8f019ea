import {
  paymentsEntities,
  receiptOfCart,
  receiptOfPart,
  runRetention,
  yookassaProfile,
  type Payment,
} from '@holdfast/payments';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { testAccount } from '../support/account.js';
import { eventually } from '../support/eventually.js';
import { moneyRequests } from '../support/money-requests.js';
import { openBench, paidPayment, type Bench } from '../support/payments-host.js';

const DAY_MS = 86_400_000;
const rub = (value: string) => ({ value, currency: 'RUB' as const });
const cups = receiptOfCart(
  {
    customer: { email: 'anna@buyer.example' },
    items: [{ description: 'Cup', amount: rub('50.00'), quantity: 2, vatCode: 11 }],
  },
  rub('100.00'),
);
const one = { amount: rub('50.00'), receipt: receiptOfPart(cups, { amount: rub('50.00') }) };
const refund = { refundKey: 'cup', ...one };
const options = { profile: yookassaProfile, fiscalization: { register: 'third_party' } } as const;

describe('who gets a receipt', () => {
  let bench: Bench;
  let retention: DataSource;
  let captured: Payment;
  let refunded: Payment;
  beforeAll(async () => {
    bench = await openBench(testAccount, {
      profile: 'yookassa',
      receipts: { scenario: 'with_payment', provider: 'atol' },
    });
    const host = await bench.startHost(options);
    captured = await paidPayment(bench, host, { receipt: cups, capture: false });
    await host.payments.capture(captured.id, one);
    refunded = await paidPayment(bench, host, { receipt: cups });
    await host.payments.refund(refunded.id, refund);
    await host.close();
    await bench.asOwner(`UPDATE payments_payments SET receipt_status = 'succeeded'`);
    await bench.asOwner(`UPDATE payments_refunds SET receipt_status = 'succeeded'`);
    await bench.asOwner('DELETE FROM payments_due');
    retention = new DataSource({
      type: 'postgres',
      url: bench.database.retentionUrl,
      entities: paymentsEntities,
    });
    await retention.initialize();
  });
  afterAll(async () => {
    await retention.destroy();
    await bench.close();
  });

  const run = (contactsRetentionMs?: number) =>
    runRetention(retention, {
      retentionMs: 3_650 * DAY_MS,
      ...(contactsRetentionMs !== undefined && { contactsRetentionMs }),
      clock: bench.sandbox.clock,
    });
  const kept = async (id: string): Promise<number> => {
    const rows = await bench.asOwner(
      `SELECT FROM payments_operations WHERE payment_id = $1 AND personal LIKE '%anna@buyer%' AND has_personal`,
      [id],
    );
    return rows.length;
  };

  it('is kept for 90 days after the payment last changed', async () => {
    await bench.sandbox.clock.advance(89 * DAY_MS);
    expect(await run()).toBe(0);
    expect([await kept(captured.id), await kept(refunded.id)]).toEqual([2, 2]);
    await bench.sandbox.clock.advance(11 * DAY_MS);
  });

  it.each([
    [`its receipt is being registered`, `UPDATE payments_payments SET receipt_status = 'pending'`],
    [`a refund's receipt is being registered`, `UPDATE payments_refunds SET receipt_status = 'pending'`],
    [
      `its failed receipt waits for a person`,
      `INSERT INTO payments_receipt_problems (id, store_id, payment_id, status, is_open, since)
       SELECT gen_random_uuid(), store_id, id, 'canceled', true, created_at FROM payments_payments`,
    ],
    [
      `a refund's failed receipt waits for a person`,
      `INSERT INTO payments_receipt_problems (id, store_id, payment_id, refund_id, status, is_open, since)
       SELECT gen_random_uuid(), store_id, payment_id, id, 'canceled', true, created_at FROM payments_refunds`,
    ],
    [`a refund is under way`, `UPDATE payments_refunds SET status = 'pending'`],
    [`a refund has just changed`, `UPDATE payments_refunds SET updated_at = now() + interval '99 days'`],
    [`the payment has just changed`, `UPDATE payments_payments SET updated_at = now() + interval '99 days'`],
    [`the payment is open`, `UPDATE payments_payments SET status = 'pending'`],
    [
      `the payment is to be looked at`,
      `INSERT INTO payments_due (payment_id, store_id, ready_at) SELECT id, store_id, now() FROM payments_payments`,
    ],
    [
      `its create has no outcome`,
      `UPDATE payments_operations SET outcome = 'unknown', settled_at = NULL WHERE kind = 'create'`,
    ],
    [
      `its refund has no outcome`,
      `UPDATE payments_operations SET outcome = NULL, settled_at = NULL WHERE kind = 'refund'`,
    ],
    [
      `it has just been settled`,
      `UPDATE payments_operations SET settled_at = now() + interval '99 days' WHERE payment_id = (SELECT payment_id FROM payments_refunds)`,
    ],
  ])('is kept while %s', async (_why, change) => {
    const tables = ['payments_payments', 'payments_refunds', 'payments_operations'];
    for (const table of tables) await bench.asOwner(`CREATE TABLE saved_${table} AS TABLE ${table}`);
    await bench.asOwner(change);
    await run();
    expect(await kept(refunded.id)).toBe(2);
    await bench.asOwner('DELETE FROM payments_due');
    await bench.asOwner('UPDATE payments_receipt_problems SET is_open = false');
    for (const table of tables) {
      const [columns] = await bench.asOwner<{ all: string }>(
        `SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS all FROM pg_attribute
         WHERE attrelid = '${table}'::regclass AND attnum > 0 AND NOT attisdropped`,
      );
      await bench.asOwner(
        `UPDATE ${table} SET (${columns?.all}) = (SELECT ${columns?.all} FROM saved_${table} saved WHERE saved.id = ${table}.id)`,
      );
      await bench.asOwner(`DROP TABLE saved_${table}`);
    }
  });

  it('cannot be read by the role that erases it', async () => {
    await expect(retention.query('SELECT personal FROM payments_operations')).rejects.toThrow(
      'permission denied',
    );
  });

  it('is erased then, two jobs at once counting each request once, and the rest of the request stays', async () => {
    const rest = () =>
      bench.asOwner('SELECT id, body, fingerprint, outcome, attempts FROM payments_operations ORDER BY id');
    const before = await rest();
    const owner = new Client(bench.database.url);
    await owner.connect();
    await owner.query('BEGIN');
    await owner.query('SELECT FROM payments_operations FOR UPDATE');
    const both = [run(), run()];
    await eventually(
      () =>
        bench.asOwner(`SELECT FROM pg_stat_activity WHERE datname = current_database()
          AND wait_event_type = 'Lock' AND query LIKE '%has_personal%'`),
      ({ length }) => length > 0,
    );
    await owner.query('COMMIT');
    await owner.end();
    const erased = await Promise.all(both);
    expect(erased.reduce((sum, count) => sum + count)).toBe(4);
    expect([await kept(captured.id), await kept(refunded.id)]).toEqual([0, 0]);
    expect(await rest()).toEqual(before);
    expect(await run()).toBe(0);
  });

  it('is not missed by the same capture and refund again: both are settled, and nothing is sent', async () => {
    const host = await bench.startHost({ ...options, sweeps: false });
    const before = moneyRequests(bench);
    expect(await host.payments.capture(captured.id, one)).toMatchObject({ status: 'succeeded' });
    expect(await host.payments.refund(refunded.id, refund)).toMatchObject({ status: 'succeeded' });
    expect(moneyRequests(bench)).toEqual(before);
    expect(await host.payments.refunds(refunded.id)).toHaveLength(1);
  });

  it('is not sent again without it either, should somebody reopen its operation', async () => {
    const host = await bench.startHost({ ...options, sweeps: false });
    await bench.asOwner(
      `UPDATE payments_operations SET outcome = NULL, settled_at = NULL, first_sent_at = NULL WHERE kind = 'refund'`,
    );
    const before = moneyRequests(bench);
    await expect(host.payments.refund(refunded.id, refund)).rejects.toMatchObject({
      code: 'operation_contradicted',
    });
    expect(moneyRequests(bench)).toEqual(before);
  });

  it('is kept for a day at least', async () => {
    await expect(run(DAY_MS - 1)).rejects.toThrow('contactsRetentionMs must be a whole number');
  });
});
