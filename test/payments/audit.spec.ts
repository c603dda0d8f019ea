import { PaymentsOperator, type AuditDifference, type AuditSlice } from '@holdfast/payments';
import { eventually } from '../support/eventually.js';
import {
  openBench,
  orderInput,
  paidPayment,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';

const DAY_MS = 86_400_000;

interface Stage {
  readonly bench: Bench;
  readonly host: PaymentsHost;
}

async function openStage(options: Parameters<Bench['startHost']>[0] = {}): Promise<Stage> {
  const bench = await openBench();
  return { bench, host: await bench.startHost(options) };
}

describe('an audit', () => {
  /** Of all tests that audit their own day of it. */
  let shared: Stage;
  let bench: Bench;
  let host: PaymentsHost;
  let started: Date;
  beforeAll(async () => {
    shared = await openStage();
  });
  beforeEach(async () => {
    await shared.bench.sandbox.clock.advance(DAY_MS);
    enter(shared);
  });
  afterEach(async () => {
    if (bench !== shared.bench) await bench.close();
  });
  afterAll(() => shared.bench.close());

  function enter(stage: Stage): void {
    ({ bench, host } = stage);
    started = businessTime();
  }
  /** For a test with another clock, another process or no payment before its own. */
  const openOwn = async (options?: Parameters<Bench['startHost']>[0]) => enter(await openStage(options));

  /** Not the time of the sandbox's clock, which may be wrong. */
  const businessTime = () => new Date(Date.now() + bench.sandbox.clock.offsetMs());

  async function audit(from = started): Promise<AuditSlice[]> {
    const to = new Date(businessTime().getTime() + 1_000);
    const slices: AuditSlice[] = [];
    for await (const slice of host.app.get(PaymentsOperator).audit({ from, to })) slices.push(slice);
    return slices;
  }

  const differences = async (): Promise<AuditDifference[]> =>
    (await audit()).flatMap((slice) => slice.differences);

  const paid = () => paidPayment(bench, host);

  it('of books that agree finds nothing, day by day, pages and refunds included', async () => {
    for (let count = 0; count < 12; count += 1) await host.payments.create(orderInput());
    const payment = await paid();
    await host.payments.refund(payment.id, { refundKey: 'r', amount: { value: '40.00', currency: 'RUB' } });
    await bench.sandbox.clock.advance(2 * DAY_MS);
    await paid();
    // Nobody paid them, and the sweep may not have read all of that yet.
    await eventually(
      () => bench.asOwner(`SELECT id FROM payments_payments WHERE status = 'pending'`),
      (pending) => pending.length === 0,
    );
    const slices = await audit();
    expect(slices.map(({ payments, refunds }) => [payments, refunds])).toEqual([
      [13, 1],
      [0, 0],
      [1, 0],
    ]);
    expect(slices.flatMap((slice) => slice.differences)).toEqual([]);
    expect(slices[1]?.from).toEqual(slices[0]?.to);
    expect(await audit(slices[1]?.to)).toHaveLength(1);
    // This service has none.
    expect(slices.map(({ receipts }) => receipts)).toEqual([0, 0, 0]);
    expect(bench.sandbox.ledger.requestCount({ endpoint: 'list_receipts' })).toBe(0);
  });

  it('reports nothing that differed only while the list was read', async () => {
    const { id, serviceId } = await host.payments.create(orderInput());
    const reads = () => bench.sandbox.ledger.requestCount({ endpoint: 'read', paymentId: serviceId });
    bench.sandbox.faults.order({ on: 'notification', fault: 'drop' });
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    bench.sandbox.faults.order({ on: 'read', fault: 'stall' });
    const found = differences();
    await eventually(
      () => Promise.resolve(reads()),
      (count) => count > 0,
    );
    expect(await host.payments.refresh(id)).toMatchObject({ status: 'succeeded' });
    bench.sandbox.faults.clear();
    expect(await found).toEqual([]);
  });

  it('names what the service has and we do not', async () => {
    const { id, serviceId } = await paid();
    await host.dataSource.query(`UPDATE payments_payments SET service_id = NULL WHERE id = $1`, [id]);
    expect(await differences()).toEqual([
      {
        kind: 'missing_here',
        object: 'payment',
        serviceId,
        paymentId: id,
        here: null,
        there: {
          status: 'succeeded',
          amount: { value: '100.00', currency: 'RUB' },
          refunded: { value: '0.00', currency: 'RUB' },
        },
        fields: [],
      },
    ]);
  });

  it('raises a create that was closed as never received and exists after all', async () => {
    const { id, serviceId } = await paid();
    await host.dataSource.query(
      `UPDATE payments_payments SET service_id = NULL, status = 'rejected', captured_minor = 0, authorized_minor = 0 WHERE id = $1`,
      [id],
    );
    await audit();
    expect(await differences()).toMatchObject([{ kind: 'missing_here', paymentId: id }]);
    const anomalies = (await host.payments.timeline(id)).filter(({ name }) => name === 'payment.anomaly');
    expect(anomalies).toMatchObject([
      {
        cause: 'audit',
        evidence: {
          reason: `it is rejected, but the service has it as ${serviceId}, succeeded, 100.00 RUB`,
        },
      },
    ]);
  });

  it('names what we have and the service does not', async () => {
    const { id } = await paid();
    const serviceId = crypto.randomUUID();
    await host.dataSource.query(`UPDATE payments_payments SET service_id = $2 WHERE id = $1`, [
      id,
      serviceId,
    ]);
    expect(await differences()).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'missing_there', serviceId, paymentId: id, there: null }),
      ]),
    );
  });

  it('names a payment whose status or amount differs, and which of the two', async () => {
    const { id } = await paid();
    await host.dataSource.query(`UPDATE payments_payments SET status = 'canceled' WHERE id = $1`, [id]);
    expect(await differences()).toMatchObject([{ kind: 'different', fields: ['status'], paymentId: id }]);
    await host.dataSource.query(
      `UPDATE payments_payments SET status = 'succeeded', captured_minor = 9000 WHERE id = $1`,
      [id],
    );
    expect(await differences()).toMatchObject([
      { kind: 'different', fields: ['amount'], here: { amount: { value: '90.00', currency: 'RUB' } } },
    ]);
  });

  it.each([
    ['two days fast', 2 * DAY_MS],
    ['two days slow', -2 * DAY_MS],
  ])('at a service whose clock is %s sees what was made in its period', async (_name, ms) => {
    await openOwn();
    bench.sandbox.clock.skew(ms);
    const { id, serviceId } = await paid();
    const { serviceId: other } = await paid();
    await host.payments.refund(id, { refundKey: 'r', amount: { value: '40.00', currency: 'RUB' } });
    expect(await audit()).toMatchObject([{ payments: 2, refunds: 1, differences: [] }]);
    await host.dataSource.query(`UPDATE payments_payments SET service_id = $2 WHERE service_id = $1`, [
      serviceId,
      crypto.randomUUID(),
    ]);
    expect((await differences()).map(({ kind }) => kind).toSorted()).toEqual([
      'missing_here',
      'missing_there',
    ]);
    expect(other).not.toBe(serviceId);
  });

  it.each(['not a date', '2030-13-45T00:00:00.000Z', ''])(
    'is not disturbed by an object created at %j',
    async (createdAt) => {
      const { id } = await paid();
      await paid();
      await host.payments.refund(id, { refundKey: 'r', amount: { value: '40.00', currency: 'RUB' } });
      const malformed = JSON.stringify({ created_at: createdAt });
      await host.dataSource.query(`UPDATE payments_payments SET object = object || $2::jsonb WHERE id = $1`, [
        id,
        malformed,
      ]);
      await host.dataSource.query(`UPDATE payments_refunds SET object = $2 WHERE payment_id = $1`, [
        id,
        malformed,
      ]);
      expect(await audit()).toMatchObject([{ payments: 2, refunds: 1, differences: [] }]);
    },
  );

  it('without a Date header uses the times of known payments, and says so if there are none', async () => {
    await openOwn();
    bench.sandbox.clock.skew(-2 * DAY_MS);
    bench.sandbox.faults.order({ on: 'list', fault: 'no_date', times: 100 });
    await expect(audit()).rejects.toMatchObject({ code: 'service_clock_unknown' });
    await paid();
    expect(await audit()).toMatchObject([{ payments: 1, differences: [] }]);
  });

  it('names a refund made elsewhere that is not known yet, on both objects', async () => {
    await openOwn({ sweeps: false });
    const { id, serviceId } = await host.payments.create(orderInput());
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    await host.payments.refresh(id);
    bench.sandbox.refunds.make(serviceId ?? '', '10.00');
    expect((await differences()).map(({ kind, object, fields }) => [kind, object, ...fields])).toEqual([
      ['different', 'payment', 'refunded'],
      ['missing_here', 'refund'],
    ]);
  });

  it.each<[string, { from: Date; to: Date }]>([
    ['from', { from: new Date(2), to: new Date(1) }],
    ['from', { from: new Date(NaN), to: new Date(1) }],
    ['to', { from: new Date(1), to: new Date(NaN) }],
  ])('gets an error for a wrong %s', async (field, period) => {
    await expect(host.app.get(PaymentsOperator).audit(period).next()).rejects.toMatchObject({ field });
  });
});
