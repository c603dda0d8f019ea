import {
  OnPaymentEvent,
  PaymentInputError,
  PaymentOutcomeUnknownError,
  PaymentsService,
  type HandlerContext,
  type Payment,
  type PaymentEvent,
  type PaymentStatus,
} from '@holdfast/payments';
import { PaymentsApi, shopCredentials } from '@holdfast/payments/client';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { testAccount } from '../support/account.js';
import { eventually } from '../support/eventually.js';
import {
  openBench,
  orderInput,
  type Bench,
  type PaymentsHost,
  cancelBehindOurBack,
  paymentBecomes,
} from '../support/payments-host.js';
import type { ServiceProxy } from '../support/service-proxy.js';

/** Captures what is held, once the test lets it. */
@Injectable()
class ShipsWhenTold {
  tell = (): void => undefined;
  readonly #told = new Promise<void>((resolve) => (this.tell = resolve));

  constructor(private readonly payments: PaymentsService) {}

  @OnPaymentEvent('payment.waiting_for_capture', { id: 'test.ships-when-told' })
  async ship({ payment }: PaymentEvent, { manager }: HandlerContext): Promise<void> {
    await this.#told;
    await this.payments.capture(payment.id, { manager });
  }
}

describe('a finish that the sweep sends', () => {
  let bench: Bench;
  /** Only receives requests; each test starts the process that sweeps. */
  let web: PaymentsHost;
  let started: PaymentsHost[] = [];
  beforeAll(async () => {
    bench = await openBench();
    web = await bench.startHost({ sweeps: false });
  });
  beforeEach(() => bench.sandbox.setNotifyUrl(`${web.url}/webhooks/payments`));
  afterEach(async () => {
    for (const host of started) await host.close();
    started = [];
    bench.sandbox.faults.clear();
    // The next process that sweeps finds nothing but what its test made.
    await bench.asOwner(
      'DELETE FROM payments_due; DELETE FROM payments_deliveries; DELETE FROM payments_rate_limits',
    );
  });
  afterAll(() => bench.close());

  const startHost: Bench['startHost'] = async (...given) => {
    const host = await bench.startHost(...given);
    started.push(host);
    return host;
  };

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
  const cancels = async ({ id }: Payment) => {
    const operations = await web.dataSource.query<{ outcome: string | null }[]>(
      `SELECT outcome FROM payments_operations WHERE payment_id = $1 AND kind = 'cancel' ORDER BY recorded_at`,
      [id],
    );
    return operations.map((operation) => operation.outcome);
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

  it('that the service answers with 401 is reported to the operator, and takes effect once the key is right', async () => {
    const payment = await held();
    await recordCapture(payment);
    const rotated = await startHost({ secretKey: 'wrong_key' });
    await anomaly(payment);
    await rotated.close();
    expect(totals(payment)).toMatchObject({ captures: 0 });

    await startHost();
    await becomes(payment.id, 'succeeded');
    expect(totals(payment)).toMatchObject({ captures: 1, captured: '100.00' });
    expect(await outcome(payment)).toBe('confirmed');
  });

  it('that releases a superseded hold and is answered 401 is not forgotten', async () => {
    const input = orderInput();
    const old = await held(input);
    const amount = { value: '150.00', currency: 'RUB' as const };
    await web.payments.create({ ...input, capture: false, amount, replace: true });
    const rotated = await startHost({ secretKey: 'wrong_key' });
    await anomaly(old);
    await rotated.close();

    await startHost();
    await becomes(old.id, 'canceled');
    expect(totals(old)).toMatchObject({ captures: 0, cancels: 1 });
  });

  it('that releases a superseded hold and fails for a day is reported to the operator and made again, until the hold is released', async () => {
    const input = orderInput();
    const old = await held(input);
    const amount = { value: '150.00', currency: 'RUB' as const };
    await web.payments.create({ ...input, capture: false, amount, replace: true });
    bench.sandbox.faults.order({ on: 'cancel', fault: 'error_500_before_commit', times: 1_000_000 });
    await startHost();
    const tried = () =>
      web.dataSource.query<object[]>(
        'SELECT 1 FROM payments_due WHERE payment_id = $1 AND checks > 0 AND lease_until IS NULL',
        [old.id],
      );
    await eventually(tried, ({ length }) => length > 0);
    await bench.sandbox.clock.advance(24 * 3_600_000);
    await anomaly(old);
    await eventually(
      async () => {
        await bench.sandbox.clock.advance(600_000);
        return cancels(old);
      },
      ({ length }) => length > 1,
    );
    expect(await web.payments.get(old.id)).toMatchObject({ status: 'waiting_for_capture' });
    bench.sandbox.faults.clear();
    await bench.sandbox.clock.advance(3_600_000);
    await becomes(old.id, 'canceled');
    expect(totals(old)).toMatchObject({ captures: 0, cancels: 1 });
    expect(await cancels(old)).toEqual(['refused', 'confirmed']);
  });

  it('that the service finally refuses is reported to the operator, and is over', async () => {
    const payment = await held();
    await cancelBehindOurBack(bench, payment);
    await recordCapture(payment);
    await startHost();
    await anomaly(payment);
    await becomes(payment.id, 'canceled');
    expect(await outcome(payment)).toBe('refused');
    expect(requests('capture', payment)).toBe(1);
  });

  it('is sent at once if it was recorded during a re-read', async () => {
    const payment = await held();
    await startHost();
    // Polled for days by now: the next planned look is an hour away.
    await web.dataSource.query('UPDATE payments_due SET checks = 30 WHERE payment_id = $1', [payment.id]);
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

  it('is sent at once if a handler recorded it, and not only at the next tick', async () => {
    const shop = await startHost({ sweeps: { intervalMs: 3_600_000 } }, [ShipsWhenTold]);
    const payment = await shop.payments.create({ ...orderInput(), capture: false });
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    await becomes(payment.id, 'waiting_for_capture');
    // Whatever the re-read itself leads to is over: only the handler's own end is left to say that there is something to send.
    await eventually(
      () =>
        bench.asOwner<object>(
          `SELECT FROM payments_due WHERE lease_until IS NOT NULL
           UNION ALL SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()`,
        ),
      ({ length }) => length === 0,
    );
    shop.app.get(ShipsWhenTold).tell();
    await becomes(payment.id, 'succeeded');
    expect(totals(payment)).toMatchObject({ captures: 1 });
  });

  it('that gets no answer is sent again with the shortest pauses, also if it was recorded during a re-read', async () => {
    const payment = await held();
    await startHost();
    await web.dataSource.query('UPDATE payments_due SET checks = 30 WHERE payment_id = $1', [payment.id]);
    const reads = requests('read', payment);
    bench.sandbox.faults.order({ on: 'read', fault: 'stall' });
    const refreshing = web.payments.refresh(payment.id);
    await eventually(
      () => Promise.resolve(requests('read', payment)),
      (count) => count > reads,
    );
    await recordCapture(payment);
    bench.sandbox.faults.clear();
    bench.sandbox.faults.order({ on: 'capture', fault: 'error_500_before_commit', times: 1_000_000 });
    await refreshing;
    const inHand = () =>
      web.dataSource.query<object[]>(
        `SELECT FROM payments_due WHERE lease_until IS NOT NULL OR ready_at <= now() + make_interval(secs => $1::float8 / 1000)`,
        [bench.sandbox.clock.offsetMs()],
      );
    for (let minutes = 0; minutes < 30; minutes += 2) {
      await eventually(inHand, ({ length }) => length === 0);
      await bench.sandbox.clock.advance(120_000);
    }
    await eventually(inHand, ({ length }) => length === 0);
    expect(requests('capture', payment)).toBeGreaterThan(6);
  });

  it('is not confirmed by an answer that still shows the hold', async () => {
    const proxy = await bench.startProxy();
    const host = await startHost({ sweeps: false, serviceUrl: proxy.url });
    const payment = await held();
    proxy.idle = true;
    await expect(host.payments.capture(payment.id)).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
    expect(await outcome(payment)).toBe('unknown');
    proxy.idle = false;
    expect(await host.payments.capture(payment.id)).toMatchObject({ status: 'succeeded' });
    expect(totals(payment)).toMatchObject({ captures: 1 });
  });

  describe('in part', () => {
    const part = { amount: { value: '60.00', currency: 'RUB' as const } };
    let proxy: ServiceProxy;
    let host: PaymentsHost;
    beforeEach(async () => {
      proxy = await bench.startProxy();
      host = await startHost({ sweeps: false, serviceUrl: proxy.url });
    });

    /** Claims so many times that all was captured. */
    const overstate = (times: number): void => {
      let left = times;
      proxy.rewrite = (payment) => {
        if (payment['status'] !== 'succeeded' || left === 0) return payment;
        left -= 1;
        return { ...payment, amount: { value: '100.00', currency: 'RUB' as const } };
      };
    };
    const captureElsewhere = async ({ serviceId }: Payment) => {
      const { shopId, secretKey } = testAccount;
      const api = new PaymentsApi({
        serviceUrl: bench.sandbox.url,
        credentials: shopCredentials(shopId, secretKey),
      });
      await api.capturePayment(serviceId ?? '');
    };

    it('whose answer names the whole sum is re-read, and what is read is booked', async () => {
      const payment = await held();
      overstate(1);
      expect(await host.payments.capture(payment.id, part)).toMatchObject({
        status: 'succeeded',
        capturedAmount: part.amount,
      });
      expect(totals(payment)).toMatchObject({ captures: 1, captured: '60.00' });
      expect(await outcome(payment)).toBe('confirmed');
      expect(await bench.effects(web, payment.id)).not.toContain('payment.anomaly');
    });

    it('that every answer reports as whole is an anomaly, and nothing is booked until that is fixed', async () => {
      const payment = await held();
      overstate(1_000);
      const capture = host.payments.capture(payment.id, part);
      await expect(capture).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
      expect(await host.payments.get(payment.id)).toMatchObject({
        status: 'waiting_for_capture',
        capturedAmount: { value: '0.00', currency: 'RUB' },
      });
      const timeline = await host.payments.timeline(payment.id);
      expect(timeline.find(({ name }) => name === 'payment.anomaly')?.evidence).toMatchObject({
        reason: '100.00 captured instead of the requested 60.00',
      });
      overstate(0);
      await host.payments.refresh(payment.id);
      expect(await host.payments.get(payment.id)).toMatchObject({
        status: 'succeeded',
        capturedAmount: part.amount,
      });
      expect(await outcome(payment)).toBe('confirmed');
    });

    it('that was lost is not confirmed by a whole capture made elsewhere, which is booked and reported', async () => {
      const payment = await held();
      bench.sandbox.faults.order({ on: 'capture', fault: 'reset_before_commit', times: 4 });
      await expect(host.payments.capture(payment.id, part)).rejects.toBeInstanceOf(
        PaymentOutcomeUnknownError,
      );
      bench.sandbox.faults.clear();
      await captureElsewhere(payment);
      await startHost();
      await anomaly(payment);
      expect(await becomes(payment.id, 'succeeded')).toMatchObject({
        capturedAmount: { value: '100.00', currency: 'RUB' },
      });
      expect(await outcome(payment)).toBe('refused');
      expect(totals(payment)).toMatchObject({ captures: 1, captured: '100.00' });
    });
  });

  it('that was lost is not confirmed by a hold that expired', async () => {
    const payment = await held();
    bench.sandbox.faults.order({ on: 'capture', fault: 'reset_before_commit', times: 4 });
    await expect(web.payments.capture(payment.id)).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
    await bench.sandbox.clock.advance(8 * 24 * 3_600_000);
    expect(await web.payments.refresh(payment.id)).toMatchObject({
      status: 'canceled',
      capturedAmount: { value: '0.00' },
    });
    expect(await outcome(payment)).toBe('refused');
    await expect(web.payments.capture(payment.id)).rejects.toMatchObject({ code: 'payment_not_held' });
  });

  it('is never said to have had no outcome for over an hour before that hour, or once it has one', async () => {
    const payment = await held();
    const said = async () =>
      (await web.payments.timeline(payment.id)).filter(({ name }) => name === 'payment.anomaly');
    bench.sandbox.faults.order({ on: 'capture', fault: 'reset_before_commit', times: 100 });
    await expect(web.payments.capture(payment.id)).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
    await bench.sandbox.clock.advance(50 * 60_000);
    expect(await web.payments.refresh(payment.id)).toMatchObject({ status: 'waiting_for_capture' });
    expect(await said()).toEqual([]);
    bench.sandbox.faults.clear();
    await bench.sandbox.clock.advance(70 * 60_000);
    expect(await web.payments.refresh(payment.id)).toMatchObject({ status: 'succeeded' });
    expect(await said()).toEqual([]);
  });

  it('is refused with a manager that has no transaction, since nothing would commit it', async () => {
    const payment = await held();
    const runner = web.dataSource.createQueryRunner();
    await runner.connect();
    try {
      for (const manager of [web.dataSource.manager, runner.manager]) {
        const capture = web.payments.capture(payment.id, { manager });
        await expect(capture).rejects.toBeInstanceOf(PaymentInputError);
        await expect(capture).rejects.toMatchObject({ field: 'options.manager' });
      }
    } finally {
      await runner.release();
    }
    expect(await outcome(payment)).toBeUndefined();
  });

  it('is refused with a manager of another data source, whose commit would not include it', async () => {
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
