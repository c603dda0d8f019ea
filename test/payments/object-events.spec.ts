import {
  OnPaymentEvent,
  PaymentsOperator,
  type DealEvent,
  type EventName,
  type HandlerContext,
  type PaymentEvent,
  type PaymentMethodEvent,
  type PayoutEvent,
  type RefundEvent,
  type RequestHooks,
} from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import { Client } from 'pg';
import { eventually } from '../support/eventually.js';
import {
  openBench,
  orderInput,
  paymentBecomes,
  sendNotification,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';

/** A read may lag behind its notification by this much. */
const LAG_MS = 15 * 60_000;

/** Leaves one row per run it commits: event, the service's id of the object, and what was given of it. */
@Injectable()
class Effects {
  @OnPaymentEvent('payment.waiting_for_capture', { id: 'test.held' })
  held({ name, payment }: PaymentEvent, context: HandlerContext): Promise<void> {
    return keep(context, name, payment.serviceId, payment);
  }

  @OnPaymentEvent('payment.succeeded', { id: 'test.paid' })
  paid({ name, payment }: PaymentEvent, context: HandlerContext): Promise<void> {
    return keep(context, name, payment.serviceId, payment);
  }

  @OnPaymentEvent('payment.canceled', { id: 'test.canceled' })
  canceled({ name, payment }: PaymentEvent, context: HandlerContext): Promise<void> {
    return keep(context, name, payment.serviceId, payment);
  }

  @OnPaymentEvent('refund.succeeded', { id: 'test.refunded' })
  refunded({ name, payment, refund }: RefundEvent, context: HandlerContext): Promise<void> {
    return keep(context, name, refund.serviceId, { ...refund, left: payment.refundedAmount });
  }

  @OnPaymentEvent('payout.succeeded', { id: 'test.paid-out' })
  paidOut({ name, payout }: PayoutEvent, context: HandlerContext): Promise<void> {
    return keep(context, name, payout.id, payout);
  }

  @OnPaymentEvent('payout.canceled', { id: 'test.not-paid-out' })
  notPaidOut({ name, payout }: PayoutEvent, context: HandlerContext): Promise<void> {
    return keep(context, name, payout.id, payout);
  }

  @OnPaymentEvent('deal.closed', { id: 'test.closed' })
  closed({ name, deal }: DealEvent, context: HandlerContext): Promise<void> {
    return keep(context, name, deal.id, deal);
  }

  @OnPaymentEvent('payment_method.active', { id: 'test.saved' })
  saved({ name, paymentMethod }: PaymentMethodEvent, context: HandlerContext): Promise<void> {
    return keep(context, name, paymentMethod.id, paymentMethod);
  }
}

async function keep(
  { manager }: HandlerContext,
  event: EventName,
  objectId: string | null,
  given: object,
): Promise<void> {
  await manager.query('INSERT INTO object_effects (event, object_id, given) VALUES ($1, $2, $3)', [
    event,
    objectId,
    JSON.stringify(given),
  ]);
}

const notification = (event: string, id: string | null) => ({
  type: 'notification',
  event,
  object: { id, status: event.split('.')[1] },
});

describe('an event of section 6', () => {
  let bench: Bench;
  let host: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    const startReplica = () => bench.startHost({ solution: 'secure_deal' }, [Effects]);
    host = await startReplica();
    await startReplica();
    await bench.asOwner('CREATE TABLE object_effects (event text, object_id text, given json)');
  });
  afterAll(() => bench.close());
  afterEach(() => bench.sandbox.faults.clear());

  const effects = (objectId: string | null) =>
    host.dataSource.query<{ event: string; given: unknown }[]>(
      'SELECT event, given FROM object_effects WHERE object_id = $1',
      [objectId],
    );
  const stored = (objectId: string) =>
    host.dataSource.query<{ event: string; count: number; handled: number; attempts: number }[]>(
      `SELECT event, count, handled_count AS handled, attempts FROM payments_notifications
       WHERE object_id = $1 ORDER BY event`,
      [objectId],
    );
  const events = async (objectId: string) => {
    const rows = await host.dataSource.query<{ name: string }[]>(
      'SELECT name FROM payments_events WHERE subject_id = $1',
      [objectId],
    );
    return rows.map(({ name }) => name);
  };
  const reads = (endpoint: string) => bench.sandbox.ledger.requestCount({ endpoint });
  const handled = (objectId: string, count: number) =>
    eventually(
      () => stored(objectId),
      (rows) => rows.length > 0 && rows.every((row) => row.handled === count),
    );
  /** What the handler received, once its delivery is made and every repeat of the notification is handled. */
  async function given(objectId: string | null): Promise<{ event: string; given: unknown }[]> {
    await eventually(
      () => stored(objectId ?? ''),
      (rows) => rows.length > 0 && rows.every((row) => row.handled === row.count),
    );
    return eventually(
      () => effects(objectId),
      (rows) => rows.length > 0,
    );
  }
  it('payment.waiting_for_capture, payment.succeeded and payment.canceled reach their handlers once', async () => {
    const { sandbox } = bench;
    const paid = await host.payments.create({ ...orderInput(), capture: false });
    const declined = await host.payments.create(orderInput());
    sandbox.payments.pay(paid.serviceId ?? '', { outcome: 'succeed' });
    sandbox.payments.pay(declined.serviceId ?? '', { outcome: 'decline' });
    // Handlers keep no order among each other.
    await eventually(
      () => effects(paid.serviceId),
      ({ length }) => length === 1,
    );
    await host.payments.capture(paid.id);
    await eventually(
      () => effects(paid.serviceId),
      ({ length }) => length === 2,
    );
    expect(await given(paid.serviceId)).toMatchObject([
      { event: 'payment.waiting_for_capture' },
      { event: 'payment.succeeded', given: { id: paid.id, capturedAmount: paid.amount } },
    ]);
    expect(await given(declined.serviceId)).toMatchObject([
      { event: 'payment.canceled', given: { id: declined.id, status: 'canceled' } },
    ]);
  });

  it('refund.succeeded of a refund made in the Merchant Profile reaches its handler once, with its payment', async () => {
    const payment = await host.payments.create(orderInput());
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    await paymentBecomes(host, payment.id, 'succeeded');
    const refund = bench.sandbox.refunds.make(payment.serviceId ?? '', '30.00');
    expect(await given(refund.id)).toMatchObject([
      {
        event: 'refund.succeeded',
        given: {
          paymentId: payment.id,
          serviceId: refund.id,
          refundKey: null,
          status: 'succeeded',
          amount: { value: '30.00', currency: 'RUB' },
          left: { value: '30.00', currency: 'RUB' },
        },
      },
    ]);
    const names = (await host.payments.timeline(payment.id)).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['notification refund.succeeded', 'refund.succeeded']));
  });

  it.each(['succeeded', 'canceled'] as const)(
    'payout.%s reaches its handler once, with the payout as the service returns it',
    async (outcome) => {
      const { id } = bench.sandbox.payouts.create({ amount: '1500.00' });
      const payout = bench.sandbox.payouts.finish(id, outcome);
      expect(payout).toMatchObject({ status: outcome, amount: { value: '1500.00', currency: 'RUB' } });
      expect(await given(id)).toEqual([{ event: `payout.${outcome}`, given: payout }]);
      expect(await events(id)).toEqual([`payout.${outcome}`]);
    },
  );

  it('deal.closed reaches its handler once, with the deal as the service returns it', async () => {
    const deal = bench.sandbox.deals.close(bench.sandbox.deals.create().id);
    expect(deal).toMatchObject({ type: 'safe_deal', status: 'closed' });
    expect(await given(deal.id)).toEqual([{ event: 'deal.closed', given: deal }]);
  });

  it('payment_method.active reaches its handler once, with the method as the service returns it', async () => {
    const method = bench.sandbox.paymentMethods.bind();
    expect(method).toMatchObject({ type: 'bank_card', saved: true, status: 'active' });
    expect(await given(method.id)).toEqual([{ event: 'payment_method.active', given: method }]);
  });

  it('of many objects at once is handled once each, by one replica or the other', async () => {
    const ids = Array.from({ length: 20 }, () => bench.sandbox.payouts.create({ amount: '1500.00' }).id);
    for (const id of ids) bench.sandbox.payouts.finish(id, 'succeeded');
    const made = await Promise.all(ids.map(given));
    expect(made.map((rows) => rows.map(({ event }) => event))).toEqual(ids.map(() => ['payout.succeeded']));
  });

  it('notified five times at once is one event', async () => {
    bench.sandbox.faults.order({ on: 'notification', fault: 'duplicate', copies: 4 });
    const { id } = bench.sandbox.deals.create();
    bench.sandbox.deals.close(id);
    await handled(id, 5);
    expect(await given(id)).toHaveLength(1);
    expect(await events(id)).toEqual(['deal.closed']);
  });

  it('that is forged for a pending payout is re-read and raises nothing, and hides no true one', async () => {
    const { id } = bench.sandbox.payouts.create({ amount: '1500.00' });
    const before = reads('read_payout');
    const forged = notification('payout.succeeded', id);
    expect((await sendNotification(host, forged)).status).toBe(200);
    await eventually(
      () => Promise.resolve(reads('read_payout')),
      (now) => now > before,
    );
    await bench.sandbox.clock.advance(LAG_MS);
    await handled(id, 1);
    expect(await events(id)).toEqual([]);
    const setAside = async () =>
      (await host.app.get(PaymentsOperator).foreignNotifications()).filter(({ objectId }) => objectId === id);
    expect(await setAside()).toMatchObject([{ event: 'payout.succeeded', count: 1 }]);

    bench.sandbox.payouts.finish(id, 'canceled');
    expect(await given(id)).toMatchObject([{ event: 'payout.canceled', given: { status: 'canceled' } }]);
    // The body was never true; the truth is emitted once, whichever notification causes the re-read.
    await sendNotification(host, forged);
    await eventually(
      () => stored(id),
      (rows) => rows.find(({ event }) => event === 'payout.succeeded')?.handled === 2,
    );
    expect(await events(id)).toEqual(['payout.canceled']);
    expect(await setAside()).toEqual([]);
  });

  it('that was lost while the shop was down comes with a repeat', async () => {
    const { sandbox } = bench;
    sandbox.setNotifyUrl('http://127.0.0.1:1/webhooks/payments');
    const { id } = sandbox.payouts.create({ amount: '1500.00' });
    sandbox.payouts.finish(id, 'succeeded');
    await eventually(
      () => Promise.resolve(sandbox.notifications.list().find(({ objectId }) => objectId === id)),
      (report) => report?.attempts.length === 1,
    );
    sandbox.setNotifyUrl(`${host.url}/webhooks/payments`);
    await sandbox.clock.advance(10_000);
    expect(await given(id)).toMatchObject([{ event: 'payout.succeeded' }]);
  });

  it('waits while the service does not answer, and is handled when it does', async () => {
    bench.sandbox.faults.order({ on: 'read_payout', fault: 'reset_before_commit', times: 1_000 });
    const { id } = bench.sandbox.payouts.create({ amount: '1500.00', outcome: 'succeeded' });
    await eventually(
      () => stored(id),
      ([row]) => row !== undefined && row.attempts >= 2,
    );
    expect(await stored(id)).toMatchObject([{ count: 1, handled: 0 }]);
    expect(await events(id)).toEqual([]);
    bench.sandbox.faults.clear();
    expect(await given(id)).toHaveLength(1);
    expect(await stored(id)).toMatchObject([{ count: 1, handled: 1, attempts: 0 }]);
  });
});

describe("a notification that arrives before the service's reads show its object", () => {
  it.each([
    ['an earlier status', { status: 'pending' }],
    ['another object', { id: 'another' }],
  ])(
    'is checked for a quarter of an hour, because nothing else would announce a payout: it gets %s',
    async (_what, old) => {
      const bench = await openBench();
      const proxy = await bench.startProxy();
      let reads = 0;
      let lags = true;
      proxy.rewrite = (object) => {
        if (!('payout_destination' in object)) return object;
        reads += 1;
        return lags ? { ...object, ...old } : object;
      };
      const host = await bench.startHost({ solution: 'secure_deal', serviceUrl: proxy.url }, []);
      const { id } = bench.sandbox.payouts.create({ amount: '1500.00', outcome: 'succeeded' });
      await eventually(
        () => Promise.resolve(reads),
        (now) => now >= 2,
      );
      await bench.sandbox.clock.advance(LAG_MS - 60_000);
      await eventually(
        () => Promise.resolve(reads),
        (now) => now >= 3,
      );
      expect(await host.dataSource.query('SELECT name FROM payments_events')).toEqual([]);
      lags = false;
      await eventually(
        () => host.dataSource.query<object[]>('SELECT FROM payments_notifications WHERE handled_count = 1'),
        ({ length }) => length === 1,
      );
      expect(
        await host.dataSource.query('SELECT name FROM payments_events WHERE subject_id = $1', [id]),
      ).toEqual([{ name: 'payout.succeeded' }]);
      await bench.close();
    },
  );
});

describe('a worker that was paused past its lease', () => {
  it('leaves the notification to the one that took over, and writes nothing', async () => {
    const bench = await openBench();
    let answers = 0;
    // Other requests, such as those of a start, are answered as well.
    const hooks: RequestHooks = {
      onAnswer: ({ operation }) => void (answers += operation === 'fetchDeal' ? 1 : 0),
    };
    const host = await bench.startHost({ solution: 'secure_deal', hooks }, []);
    const database = new Client(bench.database.url);
    await database.connect();
    bench.sandbox.faults.order({ on: 'read_deal', fault: 'stall' });
    bench.sandbox.deals.close(bench.sandbox.deals.create().id);
    await eventually(
      () => Promise.resolve(bench.sandbox.ledger.requestCount({ endpoint: 'read_deal' })),
      (reads) => reads === 1,
    );
    await database.query(
      `UPDATE payments_notifications SET fence = fence + 1, lease_until = clock_timestamp() + interval '1 hour'`,
    );
    bench.sandbox.faults.clear();
    await eventually(
      () => Promise.resolve(answers),
      (count) => count > 0,
    );
    // Ends what is under way.
    await host.close();
    const { rows } = await database.query(
      `SELECT count, handled_count AS handled, attempts, lease_until > clock_timestamp() AS leased,
         (SELECT count(*)::int FROM payments_events) AS events
       FROM payments_notifications`,
    );
    await database.end();
    await bench.close();
    expect(rows).toEqual([{ count: 1, handled: 0, attempts: 0, leased: true, events: 0 }]);
  });
});

describe('a notification', () => {
  let bench: Bench;
  let host: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    host = await bench.startHost();
  });
  afterAll(() => bench.close());

  const stored = (objectId: string | null) =>
    host.dataSource.query<{ event: string; count: number; handled: number }[]>(
      'SELECT event, count, handled_count AS handled FROM payments_notifications WHERE object_id = $1',
      [objectId],
    );
  const recorded = () =>
    host.dataSource.query<object[]>(
      `SELECT FROM payments_events WHERE subject_type NOT IN ('payment', 'order')`,
    );

  it.each(['refund.succeeded', 'payout.succeeded', 'deal.closed', 'payment_method.active'])(
    '%s of an object the service does not know raises nothing, and is shown to a person in the end',
    async (event) => {
      const id = crypto.randomUUID();
      await sendNotification(host, notification(event, id));
      await bench.sandbox.clock.advance(LAG_MS);
      await eventually(
        () => stored(id),
        ([row]) => row?.handled === 1,
      );
      expect(await recorded()).toEqual([]);
      const [setAside] = await host.app.get(PaymentsOperator).foreignNotifications();
      expect(setAside).toMatchObject({ event, objectId: id, count: 1 });
    },
  );

  it('of a kind that is not known yet is stored and marked as handled', async () => {
    const id = crypto.randomUUID();
    for (let count = 1; count <= 2; count += 1) {
      expect((await sendNotification(host, notification('invoice.paid', id))).status).toBe(200);
      expect(await stored(id)).toEqual([{ event: 'invoice.paid', count, handled: count }]);
    }
    expect(await recorded()).toEqual([]);
  });

  it('about another kind of object with the id of a payment causes no re-read of the payment', async () => {
    const payment = await host.payments.create(orderInput());
    await host.dataSource.query(
      'UPDATE payments_due SET ready_at = ready_at + make_interval(years => 1) WHERE payment_id = $1',
      [payment.id],
    );
    await sendNotification(host, notification('payout.succeeded', payment.serviceId));
    await bench.sandbox.clock.advance(LAG_MS);
    await eventually(
      () => stored(payment.serviceId),
      ([row]) => row?.handled === 1,
    );
    expect(bench.sandbox.ledger.requestCount({ endpoint: 'read', paymentId: payment.serviceId })).toBe(0);
    const names = (await host.payments.timeline(payment.id)).map(({ name }) => name);
    expect(names).not.toContain('notification payout.succeeded');
  });
});
