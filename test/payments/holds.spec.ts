import {
  OperationInProgressError,
  OnPaymentEvent,
  PaymentOutcomeUnknownError,
  type HandlerContext,
  type HoldEvent,
  type Payment,
  type PaymentsModuleOptions,
} from '@holdfast/payments';
import { CardPaymentsService } from '@holdfast/payments/card-data';
import { Injectable } from '@nestjs/common';
import { testAccount } from '../support/account.js';
import { canaries } from '../support/canaries.js';
import { eventually } from '../support/eventually.js';
import {
  EffectHandlers,
  effectsBecome,
  openBench,
  orderInput,
  paymentBecomes,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What the handlers of hold events received, as they committed it. */
@Injectable()
class HoldHandlers {
  @OnPaymentEvent('hold.expiring', { id: 'test.expiring' })
  expiring(event: HoldEvent, context: HandlerContext): Promise<void> {
    return this.#record(event, context);
  }

  @OnPaymentEvent('hold.expired', { id: 'test.expired' })
  expired(event: HoldEvent, context: HandlerContext): Promise<void> {
    return this.#record(event, context);
  }

  async #record({ name, payment, hold }: HoldEvent, { manager }: HandlerContext): Promise<void> {
    await manager.query('INSERT INTO received VALUES ($1, $2, $3)', [payment.id, name, JSON.stringify(hold)]);
  }
}

async function openHoldBench(account = testAccount): Promise<Bench> {
  const bench = await openBench(account);
  await bench.asOwner('CREATE TABLE received (payment_id uuid, name text, hold jsonb)');
  return bench;
}

describe('a hold', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await openHoldBench();
  });
  afterEach(() => bench.close());

  const start = (holds?: PaymentsModuleOptions['holds'], options: Partial<PaymentsModuleOptions> = {}) =>
    bench.startHost({ ...(holds && { holds }), ...options }, [EffectHandlers, HoldHandlers]);

  async function hold(host: PaymentsHost, fields: { holdPolicy?: 'capture' | 'cancel' | 'flag' } = {}) {
    const { id, serviceId } = await host.payments.create({ ...orderInput(), capture: false, ...fields });
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    return paymentBecomes(host, id, 'waiting_for_capture');
  }

  const received = ({ dataSource }: PaymentsHost, { id }: Payment) =>
    dataSource.query<{ name: string; hold: HoldEvent['hold'] }[]>(
      'SELECT name, hold FROM received WHERE payment_id = $1',
      [id],
    );

  const receives = (host: PaymentsHost, payment: Payment) =>
    eventually(
      () => received(host, payment),
      ({ length }) => length > 0,
    );

  const totals = ({ serviceId }: Payment) => bench.sandbox.ledger.totals(serviceId ?? '');

  it('is left alone until its lead time begins, and then flagged once for a person', async () => {
    const host = await start();
    const payment = await hold(host);
    expect(payment.holdDueAt).toEqual(new Date((payment.holdExpiresAt?.getTime() ?? 0) - DAY_MS));
    await bench.sandbox.clock.advance(6 * DAY_MS - HOUR_MS);
    await host.payments.refresh(payment.id);
    expect(await received(host, payment)).toEqual([]);
    await bench.sandbox.clock.advance(2 * HOUR_MS);
    const [event] = await receives(host, payment);
    expect(event).toMatchObject({ name: 'hold.expiring', hold: { policy: 'flag' } });
    expect(event?.hold.timeLeftMs).toBeGreaterThan(22 * HOUR_MS);
    expect(event?.hold.timeLeftMs).toBeLessThanOrEqual(23 * HOUR_MS);
    await bench.sandbox.clock.advance(HOUR_MS);
    expect(await host.payments.refresh(payment.id)).toMatchObject({
      status: 'waiting_for_capture',
      holdDueAt: null,
    });
    expect(await received(host, payment)).toHaveLength(1);
    expect(totals(payment)).toMatchObject({ captures: 0, cancels: 0 });
  });

  it.each([
    ['capture', 'succeeded', { captures: 1, cancels: 0 }],
    ['cancel', 'canceled', { captures: 0, cancels: 1 }],
  ] as const)('of policy %s ends %s before the service would release it', async (policy, status, ledger) => {
    const host = await start({ policy, leadTimeMs: HOUR_MS });
    const payment = await hold(host);
    await bench.sandbox.clock.advance(7 * DAY_MS - HOUR_MS / 2);
    await paymentBecomes(host, payment.id, status);
    expect(totals(payment)).toMatchObject(ledger);
    expect(await receives(host, payment)).toMatchObject([{ name: 'hold.expiring', hold: { policy } }]);
  });

  it.each([
    ['before all that PostgreSQL stores', '-271821-04-20T00:00:00.000Z'],
    ['further ahead than anybody lives', '+275760-09-13T00:00:00.000Z'],
  ])('whose end is %s is held all the same, and flagged within a minute', async (_name, expires_at) => {
    const proxy = await bench.startProxy();
    proxy.rewrite = (object) =>
      'expires_at' in object ? { ...object, expires_at, payment_method: { type: 'hologram' } } : object;
    const host = await start(undefined, { serviceUrl: proxy.url });
    const payment = await hold(host);
    expect(payment.holdExpiresAt).toBeNull();
    await bench.sandbox.clock.advance(60_000);
    expect(await receives(host, payment)).toMatchObject([
      { name: 'hold.expiring', hold: { expiresAt: null, timeLeftMs: null } },
    ]);
  });

  it("has the policy its create gave it, whatever the module's policy is", async () => {
    const host = await start({ policy: 'capture' });
    const payment = await hold(host, { holdPolicy: 'cancel' });
    expect(payment.holdPolicy).toBe('cancel');
    expect((await hold(host)).holdPolicy).toBeNull();
    await bench.sandbox.clock.advance(6.5 * DAY_MS);
    await paymentBecomes(host, payment.id, 'canceled');
    expect(totals(payment)).toMatchObject({ captures: 0, cancels: 1 });
  });

  it('has the policy that the function of the host chooses for it', async () => {
    const asked: string[] = [];
    const host = await start({
      policy: ({ id, status }) => {
        asked.push(`${id} ${status}`);
        return Promise.resolve('capture');
      },
    });
    const payment = await hold(host);
    await bench.sandbox.clock.advance(6.5 * DAY_MS);
    await paymentBecomes(host, payment.id, 'succeeded');
    expect(new Set(asked)).toEqual(new Set([`${payment.id} waiting_for_capture`]));
  });

  it('stays with one worker for as long as that function may take', async () => {
    const left: (number | undefined)[] = [];
    const policy = async ({ id }: Payment): Promise<'capture'> => {
      const [row] = await bench.asOwner<{ seconds: number }>(
        'SELECT extract(epoch FROM lease_until - clock_timestamp())::float AS seconds FROM payments_due WHERE payment_id = $1',
        [id],
      );
      left.push(row?.seconds);
      return 'capture';
    };
    // The lease that is enough for a request is shorter than what the function may take.
    const host = await start({ policy }, { requestTimeoutMs: 4_000, callDeadlineMs: 4_000 });
    const payment = await hold(host);
    await bench.sandbox.clock.advance(6.5 * DAY_MS);
    await paymentBecomes(host, payment.id, 'succeeded');
    expect(Math.min(...left.map((seconds) => seconds ?? 0))).toBeGreaterThan(10);
  });

  it.each<[string, () => 'flag']>([
    [
      'throws',
      () => {
        throw new Error('no stock service');
      },
    ],
    ['returns nonsense', () => JSON.parse('"ship"')],
  ])('whose function %s is flagged, with the fault', async (_name, policy) => {
    const host = await start({ policy });
    const payment = await hold(host);
    await bench.sandbox.clock.advance(6.5 * DAY_MS);
    expect(await receives(host, payment)).toMatchObject([{ hold: { policy: 'flag' } }]);
    const entry = (await host.payments.timeline(payment.id)).find(({ name }) => name === 'hold.expiring');
    expect(entry?.evidence).toMatchObject({ fault: expect.stringMatching(/no stock service|must return/) });
  });

  it('of six hours is handled when a quarter of it is left', async () => {
    // A demo store accepts no mobile wallets, whose holds are that short.
    await bench.close();
    bench = await openHoldBench({ shopId: '100500', secretKey: canaries.secretKey });
    const host = await bench.startHost({ holds: { policy: 'capture' }, cardData: true }, [HoldHandlers]);
    const { order, amount } = orderInput();
    const byWallet = { order, amount, walletToken: 'token-of-a-wallet', capture: false };
    const payment = await host.app.get(CardPaymentsService).create(byWallet);
    expect(payment.status).toBe('waiting_for_capture');
    await bench.sandbox.clock.advance(4 * HOUR_MS);
    expect(await host.payments.refresh(payment.id)).toMatchObject({ status: 'waiting_for_capture' });
    await bench.sandbox.clock.advance(HOUR_MS);
    await paymentBecomes(host, payment.id, 'succeeded');
    const [event] = await receives(host, payment);
    expect(event?.hold.timeLeftMs).toBeGreaterThan(HOUR_MS / 2);
    expect(event?.hold.timeLeftMs).toBeLessThanOrEqual(1.5 * HOUR_MS);
  });

  it.each(['error_500_before_commit', 'reset_before_commit'] as const)(
    'of six hours is not lost if a capture met %s and was always refused after that: the proof that it was undone settles it',
    async (fault) => {
      await bench.close();
      bench = await openHoldBench({ shopId: '100500', secretKey: canaries.secretKey });
      const host = await bench.startHost({ cardData: true });
      const { order, amount } = orderInput();
      const byWallet = { order, amount, walletToken: 'token-of-a-wallet', capture: false };
      const payment = await host.app.get(CardPaymentsService).create(byWallet);
      bench.sandbox.faults.order({ on: 'capture', fault });
      bench.sandbox.faults.order({ on: 'capture', fault: 'forbidden', times: 1_000 });
      await expect(host.payments.capture(payment.id)).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
      await expect(host.payments.cancel(payment.id)).rejects.toBeInstanceOf(OperationInProgressError);
      const sent = bench.sandbox.ledger.requestCount({ endpoint: 'capture' });

      await bench.sandbox.clock.advance(HOUR_MS / 4);
      await effectsBecome(bench, host, payment.id, 2);
      expect(await bench.effects(host, payment.id)).toContain('payment.anomaly');
      expect(bench.sandbox.ledger.requestCount({ endpoint: 'capture' })).toBe(sent);
      bench.sandbox.faults.clear();
      expect(await host.payments.capture(payment.id)).toMatchObject({ status: 'succeeded' });
      expect(totals(payment)).toMatchObject({ captures: 1, cancels: 0 });
    },
  );

  it('whose capture is turned away is tried again until it is accepted', async () => {
    const host = await start({ policy: 'capture' });
    const payment = await hold(host);
    bench.sandbox.faults.order({ on: 'capture', fault: 'too_many_requests', times: 5 });
    await bench.sandbox.clock.advance(6.5 * DAY_MS);
    await eventually(
      async () => {
        await bench.sandbox.clock.advance(10_000);
        return host.payments.get(payment.id);
      },
      ({ status }) => status === 'succeeded',
    );
    expect(totals(payment)).toMatchObject({ captures: 1 });
    expect(await receives(host, payment)).toMatchObject([{ name: 'hold.expiring' }]);
  });

  it('that the service releases before anyone could act is reported as expired, also after an outage of ours', async () => {
    const first = await start({ policy: 'capture' });
    const payment = await hold(first);
    await first.close();
    await bench.sandbox.clock.advance(8 * DAY_MS);
    const second = await start({ policy: 'capture' });
    await paymentBecomes(second, payment.id, 'canceled');
    expect(await receives(second, payment)).toMatchObject([
      { name: 'hold.expired', hold: { timeLeftMs: 0, policy: null } },
    ]);
  });

  it('that the merchant is canceling is not captured by its policy, and the reverse is reported to the merchant', async () => {
    const host = await start({ policy: 'capture' }, { sweeps: false });
    const payment = await heldByHand(host);
    await bench.sandbox.clock.advance(6.5 * DAY_MS);
    bench.sandbox.faults.order({ on: 'cancel', fault: 'error_500_before_commit', times: 100 });
    await expect(host.payments.cancel(payment.id)).rejects.toMatchObject({ code: 'payment_outcome_unknown' });
    await host.payments.refresh(payment.id);
    expect(totals(payment)).toMatchObject({ captures: 0 });
    await expect(host.payments.capture(payment.id)).rejects.toBeInstanceOf(OperationInProgressError);
    bench.sandbox.faults.clear();
    await host.payments.cancel(payment.id);
    expect(totals(payment)).toMatchObject({ captures: 0, cancels: 1 });

    const other = await heldByHand(host);
    await bench.sandbox.clock.advance(6.5 * DAY_MS);
    await host.payments.refresh(other.id);
    await expect(host.payments.cancel(other.id)).rejects.toBeInstanceOf(OperationInProgressError);
  });

  /** Without sweeps: re-read by hand. */
  async function heldByHand(host: PaymentsHost): Promise<Payment> {
    const { id, serviceId } = await host.payments.create({ ...orderInput(), capture: false });
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    return host.payments.refresh(id);
  }

  it('is handled once by two replicas at the same moment', async () => {
    const host = await start({ policy: 'capture' });
    await start({ policy: 'capture' });
    const payments = [];
    for (let count = 0; count < 8; count += 1) payments.push(await hold(host));
    await bench.sandbox.clock.advance(6.5 * DAY_MS);
    for (const payment of payments) {
      await paymentBecomes(host, payment.id, 'succeeded');
      expect(totals(payment)).toMatchObject({ captures: 1, cancels: 0 });
      expect(await receives(host, payment)).toHaveLength(1);
    }
  });

  it('cannot have a policy if the payment is captured at once', async () => {
    const host = await start();
    await expect(host.payments.create({ ...orderInput(), holdPolicy: 'capture' })).rejects.toMatchObject({
      field: 'holdPolicy',
      rule: expect.stringContaining('capture: false'),
    });
  });
});
