import {
  PaymentInputError,
  PaymentOutcomeUnknownError,
  type Payment,
  type PaymentStatus,
} from '@holdfast/payments';
import { DataSource } from 'typeorm';
import { eventually } from '../support/eventually.js';
import {
  openBench,
  orderInput,
  type Bench,
  type PaymentsHost,
  cancelBehindOurBack,
  paymentBecomes,
} from '../support/payments-host.js';
import { startServiceProxy } from '../support/service-proxy.js';

describe('a finish that the sweep sends', () => {
  let bench: Bench;
  /** Takes requests alone; each test starts the process that sweeps. */
  let web: PaymentsHost;
  beforeEach(async () => {
    bench = await openBench();
    web = await bench.startHost({ sweeps: false, requestTimeoutMs: 10_000, callDeadlineMs: 20_000 });
  });
  afterEach(() => bench.close());

  const becomes = (id: string, status: PaymentStatus) => paymentBecomes(web, id, status);
  const totals = ({ serviceId }: Payment) => bench.sandbox.ledger.totals(serviceId ?? '');
  const requests = (endpoint: string, { serviceId }: Payment) =>
    bench.sandbox.ledger.requestCount({ endpoint, paymentId: serviceId });
  const anomaly = ({ id }: Payment) =>
    eventually(
      () => bench.effects(web, id),
      (effects) => effects.includes('payment.anomaly'),
    );
  const outcome = async ({ id }: Payment) => {
    const [operation] = await web.dataSource.query<{ outcome: string | null }[]>(
      `SELECT outcome FROM payments_operations WHERE payment_id = $1 AND kind <> 'create'`,
      [id],
    );
    return operation?.outcome;
  };
  /** As a handler does it. */
  const recordCapture = ({ id }: Payment) =>
    web.dataSource.transaction((manager) => web.payments.capture(id, { manager }));

  /** Without its notification, which would be one more reason for the sweep to look. */
  async function held(input = orderInput()): Promise<Payment> {
    const payment = await web.payments.create({ ...input, capture: false });
    bench.sandbox.faults.order({ on: 'notification', fault: 'drop' });
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    return web.payments.refresh(payment.id);
  }

  it('and the service answers 401 is told to the operator, and takes effect once the key is right', async () => {
    const payment = await held();
    await recordCapture(payment);
    const rotated = await bench.startHost({ secretKey: 'wrong_key' });
    await anomaly(payment);
    await rotated.close();
    expect(totals(payment)).toMatchObject({ captures: 0 });

    await bench.startHost();
    await becomes(payment.id, 'succeeded');
    expect(totals(payment)).toMatchObject({ captures: 1, captured: '100.00' });
    expect(await outcome(payment)).toBe('confirmed');
  });

  it('to let go of a superseded hold and the service answers 401 is not forgotten', async () => {
    const input = orderInput();
    const old = await held(input);
    const amount = { value: '150.00', currency: 'RUB' };
    await web.payments.create({ ...input, capture: false, amount, replace: true });
    const rotated = await bench.startHost({ secretKey: 'wrong_key' });
    await anomaly(old);
    await rotated.close();

    await bench.startHost();
    await becomes(old.id, 'canceled');
    expect(totals(old)).toMatchObject({ captures: 0, cancels: 1 });
  });

  it('and the service refuses for good is told to the operator, and is over', async () => {
    const payment = await held();
    await cancelBehindOurBack(bench, payment);
    await recordCapture(payment);
    await bench.startHost();
    await anomaly(payment);
    await becomes(payment.id, 'canceled');
    expect(await outcome(payment)).toBe('refused');
    expect(requests('capture', payment)).toBe(1);
  });

  it('is sent at once where it was recorded while a re-read was under way', async () => {
    const payment = await held();
    await bench.startHost();
    // Polled for days by now: the next look by the plan is an hour away.
    await web.dataSource.query('UPDATE payments_payments SET checks = 30 WHERE id = $1', [payment.id]);
    const reads = requests('read', payment);
    bench.sandbox.faults.order({ on: 'read', fault: 'stall' });
    const refreshing = web.payments.refresh(payment.id);
    await eventually(
      () => Promise.resolve(requests('read', payment)),
      (count) => count > reads,
    );
    await recordCapture(payment);
    expect(requests('capture', payment)).toBe(0);
    bench.sandbox.faults.clear();
    await refreshing;
    await becomes(payment.id, 'succeeded');
    expect(totals(payment)).toMatchObject({ captures: 1 });
  });

  it('is not confirmed by an answer that leaves the hold standing', async () => {
    const proxy = await startServiceProxy(bench.sandbox.url);
    try {
      const host = await bench.startHost({ sweeps: false, serviceUrl: proxy.url });
      const payment = await held();
      proxy.idle = true;
      await expect(host.payments.capture(payment.id)).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
      expect(await outcome(payment)).toBe('unknown');
      proxy.idle = false;
      expect(await host.payments.capture(payment.id)).toMatchObject({ status: 'succeeded' });
      expect(totals(payment)).toMatchObject({ captures: 1 });
    } finally {
      await proxy.close();
    }
  });

  it('is refused with a manager of another data source, whose commit would say nothing about it', async () => {
    const payment = await held();
    const other = new DataSource({ type: 'postgres', url: bench.database.url });
    await other.initialize();
    try {
      const capture = other.transaction((manager) => web.payments.capture(payment.id, { manager }));
      await expect(capture).rejects.toBeInstanceOf(PaymentInputError);
      await expect(capture).rejects.toMatchObject({ field: 'options.manager' });
    } finally {
      await other.destroy();
    }
    expect(await outcome(payment)).toBeUndefined();
  });
});
