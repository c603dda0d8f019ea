import {
  OrderNotFoundError,
  PaymentNotFoundError,
  PaymentsOperator,
  PaymentsService,
  type Payment,
} from '@holdfast/payments';
import { CardPaymentsService } from '@holdfast/payments/card-data';
import { PartnerService } from '@holdfast/payments/partner';
import { canaries } from '../support/canaries.js';
import { eventually } from '../support/eventually.js';
import {
  anotherStore,
  connect,
  openPartnerBench,
  orderIn,
  type PartnerBench,
  type PartnerHost,
} from './partner-bench.js';

const amount = { value: '10.00', currency: 'RUB' as const };

describe('one store’s payments', () => {
  let bench: PartnerBench;
  let host: PartnerHost;
  let mine: string;
  let other: string;
  let otherAccount: string;
  let paid: Payment;
  let held: Payment;
  beforeAll(async () => {
    bench = await openPartnerBench();
    host = await bench.startHost();
    mine = (await connect(bench, host)).id;
    otherAccount = anotherStore(bench);
    other = (await connect(bench, host, { accountId: otherAccount })).id;
    const { payments } = host;
    const pay = async (payment: Payment, status: string) => {
      bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
      return eventually(
        () => payments.get(payment.id, { store: mine }),
        (now) => now.status === status,
      );
    };
    paid = await pay(await payments.create(orderIn(mine, 'paid')), 'succeeded');
    held = await pay(
      await payments.create({ ...orderIn(mine, 'held'), capture: false }),
      'waiting_for_capture',
    );
    await payments.refund(paid.id, { refundKey: 'r-1', amount, store: mine });
  });
  // What a call creates elsewhere is polled ten seconds later, and no read there is expected.
  afterEach(() => bench.database.asOwner(`UPDATE payments_due SET ready_at = ready_at + interval '1 year'`));
  afterAll(() => bench.close());

  const notFound = Symbol('not found');
  /** Every method, called with what belongs to another store, and the expected answer. */
  const calls: Record<
    Exclude<keyof PaymentsService, 'methods' | 'receipts'>,
    { call: (scope: { store?: string }) => Promise<unknown>; elsewhere: () => unknown }
  > = {
    create: {
      call: (scope) => host.payments.create({ ...orderIn(undefined, 'paid'), ...scope }),
      elsewhere: () => expect.not.objectContaining({ id: paid.id }),
    },
    get: { call: (scope) => host.payments.get(paid.id, scope), elsewhere: () => notFound },
    findByOrder: { call: (scope) => host.payments.findByOrder('held', scope), elsewhere: () => [] },
    currentPayment: {
      call: (scope) => host.payments.currentPayment('held', scope),
      elsewhere: () => null,
    },
    getOrder: { call: (scope) => host.payments.getOrder('held', scope), elsewhere: () => null },
    changeTotalDue: {
      call: (scope) => host.payments.changeTotalDue('held', amount, scope),
      elsewhere: () => notFound,
    },
    timeline: { call: (scope) => host.payments.timeline(paid.id, scope), elsewhere: () => notFound },
    capture: {
      call: (scope) => host.payments.capture(held.id, { amount, ...scope }),
      elsewhere: () => notFound,
    },
    cancel: { call: (scope) => host.payments.cancel(held.id, scope), elsewhere: () => notFound },
    refund: {
      call: (scope) => host.payments.refund(paid.id, { refundKey: 'r-1', amount, ...scope }),
      elsewhere: () => notFound,
    },
    refunds: { call: (scope) => host.payments.refunds(paid.id, scope), elsewhere: () => notFound },
    settlePrepayment: {
      call: (scope) => host.payments.settlePrepayment(paid.id, scope),
      elsewhere: () => notFound,
    },
    refresh: { call: (scope) => host.payments.refresh(paid.id, scope), elsewhere: () => notFound },
  };
  const methodsOf = ({ prototype }: { prototype: object }) =>
    Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor');

  it('are reached by no other method than those of this list', () => {
    expect(methodsOf(PaymentsService).toSorted()).toEqual(Object.keys(calls).toSorted());
    // The operator covers the whole application, but for what is asked about one store or one of its payments.
    expect(methodsOf(PaymentsOperator).toSorted()).toEqual(
      [
        'acceptRefund',
        'audit',
        'backlog',
        'buyer',
        'checkStore',
        'continueDatabase',
        'counts',
        'days',
        'deliveries',
        'detachDatabase',
        'detachedAt',
        'failingDeliveries',
        'foreignNotifications',
        'handlers',
        'incidents',
        'holds',
        'inspect',
        'keptAudit',
        'keptAudits',
        'leaveHold',
        'note',
        'notifications',
        'now',
        'operations',
        'paidGoods',
        'parkedDeliveries',
        'problemsOf',
        'receiptProblems',
        'recover',
        'recoveries',
        'refusedSenders',
        'reread',
        'resolveIncident',
        'resolveReceipt',
        'retireHandler',
        'retryAll',
        'retryDelivery',
        'rotateTokens',
        'search',
        'sendReceiptAgain',
        'showBuyer',
        'startAudit',
        'store',
        'stores',
        'unsettledPrepayments',
      ].toSorted(),
    );
  });

  it('are not found, shown or written about in another store and in the shop’s own', async () => {
    const { operator } = host;
    for (const scope of [{ store: other }, {}]) {
      for (const text of [held.id, held.serviceId ?? '', held.orderReference])
        expect((await operator.search({ ...scope, text })).items).toEqual([]);
      expect((await operator.holds(scope)).items.map(({ payment }) => payment.id)).not.toContain(held.id);
      const all = [
        operator.inspect(held.id, scope),
        operator.deliveries(held.id, scope),
        operator.note(held.id, { by: 'anna', note: 'none' }, scope),
        operator.leaveHold(held.id, { by: 'anna', note: 'none' }, scope),
        operator.reread(held.id, scope),
        operator.buyer(held.id, scope),
        operator.showBuyer(held.id, { by: 'anna' }, scope),
        operator.paidGoods(held.id, scope),
      ];
      for (const look of all) await expect(look).rejects.toBeInstanceOf(PaymentNotFoundError);
    }
    expect((await operator.search({ store: mine, text: held.id })).items).toHaveLength(1);
  });

  it.each(Object.entries(calls))(
    'are unknown to %s in another store and in the shop’s own',
    async (_name, { call, elsewhere }) => {
      for (const scope of [{ store: other }, {}]) {
        const answer = await call(scope).catch((error: unknown) =>
          error instanceof PaymentNotFoundError || error instanceof OrderNotFoundError ? notFound : error,
        );
        expect(answer).toEqual(elsewhere());
      }
      for (const accountId of ['test_shop', otherAccount])
        for (const endpoint of ['read', 'capture', 'cancel', 'refund'] as const)
          expect(bench.sandbox.ledger.requestCount({ endpoint, accountId })).toBe(0);
      expect(await host.payments.get(held.id, { store: mine })).toMatchObject({
        status: 'waiting_for_capture',
      });
    },
  );

  it.each(['get', 'timeline', 'refunds', 'refresh', 'refund', 'findByOrder', 'getOrder'] as const)(
    'are known to %s in their own',
    async (name) => {
      const known = await calls[name].call({ store: mine });
      expect(known).toBeTruthy();
      expect(known).not.toEqual([]);
    },
  );

  it('are no order of another store', async () => {
    expect(await host.payments.getOrder('paid', { store: mine })).toMatchObject({
      state: 'partially_refunded',
    });
    for (const scope of [{ store: other }, {}])
      expect(await host.payments.getOrder('paid', scope)).toMatchObject({ state: 'unpaid' });
  });

  it('appear with their store in a delivery that was given up', async () => {
    const [, given] = await eventually(
      () =>
        host.dataSource.query<[unknown[], number]>(
          `UPDATE payments_deliveries SET parked_at = done_at, done_at = NULL FROM payments_events event
           WHERE event.id = event_id AND event.payment_id = $1 AND done_at IS NOT NULL`,
          [paid.id],
        ),
      ([, count]) => count > 0,
    );
    const parked = await host.operator.parkedDeliveries();
    expect(parked).toHaveLength(given);
    for (const { store, paymentId } of parked)
      expect(await host.payments.get(paymentId ?? '', { store })).toMatchObject({ id: paid.id });
  });

  it('are in no audit of another store', async () => {
    const now = bench.sandbox.clock.now();
    const period = { from: new Date(now.getTime() - 3_600_000), to: new Date(now.getTime() + 3_600_000) };
    const seen = async (scope: { store?: string }) => {
      let sum = 0;
      for await (const { payments, refunds } of host.operator.audit({ ...period, ...scope }))
        sum += payments + refunds;
      return sum;
    };
    expect(await seen({})).toBe(1);
    expect(await seen({ store: other })).toBe(1);
    expect(await seen({ store: mine })).toBe(3);
  });

  it('are requested with their own store’s token only', () => {
    const { ledger } = bench.sandbox;
    expect(ledger.requestCount({ endpoint: 'create', accountId: 'test_tea_house' })).toBe(2);
    expect(ledger.requestCount({ endpoint: 'refund', accountId: 'test_tea_house' })).toBe(1);
  });

  it('cannot be reached through the shop’s own store, which PartnerService does not know', async () => {
    const [shop] = await host.dataSource.query<{ id: string }[]>(
      `SELECT id FROM payments_stores WHERE account_id = 'test_shop'`,
    );
    const id = shop?.id ?? '';
    const { partner } = host;
    const byId = {
      getStore: () => partner.getStore(id),
      refreshStore: () => partner.refreshStore(id),
      subscriptions: () => partner.subscriptions(id),
      disconnect: () => partner.disconnect(id),
    };
    expect(methodsOf(PartnerService).toSorted()).toEqual(
      ['authorizeUrl', 'stores', ...Object.keys(byId)].toSorted(),
    );
    for (const call of Object.values(byId))
      await expect(call()).rejects.toMatchObject({ code: 'store_not_found' });
    expect((await partner.stores()).map((store) => store.id).toSorted()).toEqual([mine, other].toSorted());
  });

  it.each([['no UUID'], [''], ['6f1c7f7e-59a1-4f3a-8f0c-2a6d0a1f9e10']])(
    'cannot be requested for the unknown store %j',
    async (store) => {
      const code = store.length === 36 ? 'store_not_found' : 'payment_input';
      await expect(host.payments.get(paid.id, { store })).rejects.toMatchObject({ code });
      await expect(host.payments.create(orderIn(store))).rejects.toMatchObject({ code });
    },
  );

  describe('and notifications', () => {
    const send = (address: string, serviceId: string | null) =>
      fetch(address, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '185.71.76.1' },
        body: JSON.stringify({
          type: 'notification',
          event: 'payment.succeeded',
          object: { id: serviceId, status: 'succeeded', recipient: { account_id: 'test_tea_house' } },
        }),
      });
    const addressOf = (accountId: string): string =>
      bench.sandbox.tokens.list().find((token) => token.accountId === accountId)?.webhooks[0]?.url ?? '';
    const stored = async (serviceId: string | null) =>
      host.dataSource.query<{ store: string; count: number }[]>(
        `SELECT store_id AS store, sum(count)::int AS count FROM payments_notifications WHERE object_id = $1 GROUP BY 1`,
        [serviceId],
      );

    it('belong to the store of their address, whatever their body says', async () => {
      const { accountId } = await host.partner.getStore(other);
      const { serviceId } = await host.payments.create(orderIn(mine));
      expect((await send(addressOf(accountId), serviceId)).status).toBe(200);
      expect(await stored(serviceId)).toEqual([{ store: other, count: 1 }]);
      expect((await send(addressOf('test_tea_house'), serviceId)).status).toBe(200);
      expect(await stored(serviceId)).toHaveLength(2);
    });

    it.each(['unknown', 'A'.repeat(43), '%00', "'%20OR%201=1", 'A'.repeat(5_000)])(
      'at an address of no store are answered 404 and not stored',
      async (key) => {
        expect((await send(`${host.url}/webhooks/payments/${key}`, 'never-made')).status).toBe(404);
        expect(await stored('never-made')).toEqual([]);
      },
    );

    it('from elsewhere are refused before the address is looked at', async () => {
      const answer = await fetch(addressOf('test_tea_house'), {
        method: 'POST',
        headers: { 'X-Forwarded-For': '203.0.113.9' },
      });
      expect(answer.status).toBe(403);
    });

    it('reach their own store’s address only', async () => {
      const { id, serviceId } = await host.payments.create(orderIn(mine));
      bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
      await eventually(
        () => host.payments.get(id, { store: mine }),
        ({ status }) => status === 'succeeded',
      );
      expect(await stored(serviceId)).toMatchObject([{ store: mine }]);
    });
  });
});

describe('a connected store whose token has ended', () => {
  it('is its owner’s to connect again, as the first create says', async () => {
    const bench = await openPartnerBench();
    const host = await bench.startHost();
    const { id: store } = await connect(bench, host);
    bench.sandbox.tokens.revoke(bench.sandbox.tokens.list()[0]?.id ?? '');
    await expect(host.payments.create(orderIn(store))).rejects.toMatchObject({
      code: 'store_not_connected',
      store,
      status: 'needs_reconnect',
      message: expect.stringContaining('Lead its owner through connecting it again'),
      cause: { code: 'service_credentials' },
    });
    await bench.close();
  });
});

describe('an application without a shop of its own', () => {
  let bench: PartnerBench;
  let host: PartnerHost;
  beforeAll(async () => {
    bench = await openPartnerBench();
    host = await bench.startHost({ shop: false });
  });
  afterAll(() => bench.close());

  it('has to name the store in every call', async () => {
    const rule = { code: 'payment_input', field: 'store', message: expect.stringContaining('is required') };
    await expect(host.payments.create(orderIn(undefined))).rejects.toMatchObject(rule);
    await expect(host.payments.get('x')).rejects.toMatchObject(rule);
    await expect(host.payments.getOrder('x')).rejects.toMatchObject(rule);
    await expect(host.operator.audit({ from: new Date(0), to: new Date() }).next()).rejects.toMatchObject(
      rule,
    );
  });

  it('takes payments in a connected store, and no notifications at the plain address', async () => {
    const { id: store } = await connect(bench, host);
    const { id, serviceId } = await host.payments.create(orderIn(store));
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    await eventually(
      () => host.payments.get(id, { store }),
      ({ status }) => status === 'succeeded',
    );
    const answer = await fetch(`${host.url}/webhooks/payments`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '185.71.76.1' },
      body: JSON.stringify({ type: 'notification', event: 'payment.succeeded', object: { id: serviceId } }),
    });
    expect(answer.status).toBe(404);
    expect(await host.operator.backlog()).toMatchObject({ operations: { count: 0 } });
  });
});

describe('a pool of one connection', () => {
  let bench: PartnerBench;
  let host: PartnerHost;
  let store: string;
  beforeAll(async () => {
    bench = await openPartnerBench();
    host = await bench.startHost({ poolSize: 1, cardData: true, sweeps: false });
    store = (await connect(bench, host)).id;
  });
  afterAll(() => bench.close());

  const created = async (capture = true) => {
    const payment = await host.payments.create({ ...orderIn(store), capture });
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    return (await host.payments.refresh(payment.id, { store })).id;
  };

  it('is enough for twenty captures at once, each followed by a refund', async () => {
    const held = await Promise.all(Array.from({ length: 20 }, () => created(false)));
    const captured = await Promise.all(held.map((id) => host.payments.capture(id, { store })));
    expect(captured.map(({ status }) => status)).toEqual(held.map(() => 'succeeded'));
    const refunded = await Promise.all(
      held.map((id) => host.payments.refund(id, { refundKey: 'return', store })),
    );
    expect(refunded.map(({ status }) => status)).toEqual(held.map(() => 'succeeded'));
  });

  it('is enough for every method there is', async () => {
    const { payments, operator, partner } = host;
    const [paid, held, other] = [await created(), await created(false), await created(false)];
    const now = bench.sandbox.clock.now();
    const period = { from: new Date(now.getTime() - 3_600_000), to: now, store };
    const drained = async (steps: AsyncIterable<unknown>) => {
      const all: unknown[] = [];
      for await (const step of steps) all.push(step);
      return all;
    };
    const ofPayments: Record<
      Exclude<keyof PaymentsService, 'methods' | 'receipts' | 'settlePrepayment'>,
      () => Promise<unknown>
    > = {
      create: () => payments.create(orderIn(store)),
      get: () => payments.get(paid, { store }),
      findByOrder: () => payments.findByOrder('none', { store }),
      currentPayment: () => payments.currentPayment('none', { store }),
      getOrder: () => payments.getOrder('none', { store }),
      changeTotalDue: async () =>
        payments.changeTotalDue((await payments.get(paid, { store })).orderReference, amount, { store }),
      timeline: () => payments.timeline(paid, { store }),
      capture: () => payments.capture(held, { store }),
      cancel: () => payments.cancel(other, { store }),
      refund: () => payments.refund(paid, { refundKey: 'return', amount, store }),
      refunds: () => payments.refunds(paid, { store }),
      refresh: () => payments.refresh(paid, { store }),
    };
    const ofOperator: Record<keyof PaymentsOperator, () => Promise<unknown>> = {
      backlog: () => operator.backlog(),
      now: () => operator.now(),
      search: () => operator.search({ store }),
      counts: () => operator.counts({ store }),
      holds: () => operator.holds({ store }),
      days: () => operator.days(period),
      inspect: () => operator.inspect(paid, { store }),
      reread: () => operator.reread(paid, { store }),
      deliveries: () => operator.deliveries(paid, { store }),
      note: async () => {
        await operator.note(paid, { by: 'anna', note: 'none' }, { store });
        return true;
      },
      buyer: () => operator.buyer(paid, { store }),
      showBuyer: () => operator.showBuyer(paid, { by: 'anna' }, { store }),
      paidGoods: () => operator.paidGoods(paid, { store }),
      leaveHold: () => operator.leaveHold(paid, { by: 'anna', note: 'none' }, { store }),
      operations: () => operator.operations(),
      notifications: () => operator.notifications('over'),
      handlers: () => operator.handlers(),
      stores: () => operator.stores(),
      store: () => operator.store({ store }),
      checkStore: () => operator.checkStore({ store }),
      parkedDeliveries: () => operator.parkedDeliveries(),
      failingDeliveries: () => operator.failingDeliveries(),
      problemsOf: () => operator.problemsOf('none', { store }),
      retryDelivery: () => operator.retryDelivery('1', 'none', { by: 'anna' }),
      retryAll: () => operator.retryAll({ by: 'anna' }),
      retireHandler: () => operator.retireHandler('none', { by: 'anna' }),
      foreignNotifications: () => operator.foreignNotifications(),
      refusedSenders: () => Promise.resolve(operator.refusedSenders()),
      recoveries: () => operator.recoveries(),
      recover: () => operator.recover({ from: new Date(0), to: now }),
      continueDatabase: () => operator.continueDatabase(),
      detachDatabase: () => operator.detachDatabase(),
      detachedAt: () => operator.detachedAt(),
      incidents: () => operator.incidents(),
      resolveIncident: () => operator.resolveIncident('1', { by: 'anna', note: 'none' }),
      receiptProblems: () => operator.receiptProblems(),
      unsettledPrepayments: () => operator.unsettledPrepayments({ store }),
      resolveReceipt: () => operator.resolveReceipt(paid, { by: 'anna', note: 'none' }),
      acceptRefund: () => operator.acceptRefund(paid, { by: 'anna', note: 'none' }),
      sendReceiptAgain: () => operator.sendReceiptAgain(paid, { by: 'anna', note: 'none' }),
      audit: () => drained(operator.audit(period)),
      startAudit: () => operator.startAudit({ ...period, by: 'anna' }),
      keptAudits: () => operator.keptAudits({ store }),
      keptAudit: () => operator.keptAudit(paid),
      rotateTokens: () => drained(operator.rotateTokens()),
    };
    const ofPartner: Record<keyof PartnerService, () => Promise<unknown>> = {
      authorizeUrl: () => partner.authorizeUrl({ ownerRef: 'owner-1', returnTo: '/stores' }),
      stores: () => partner.stores(),
      getStore: () => partner.getStore(store),
      refreshStore: () => partner.refreshStore(store),
      subscriptions: () => partner.subscriptions(store),
      disconnect: () => partner.disconnect(store),
    };
    const card = { number: canaries.cardNumber, expiry_month: '07', expiry_year: '2099', csc: canaries.csc };
    const ofCards: Record<Exclude<keyof CardPaymentsService, 'onModuleInit'>, () => Promise<unknown>> = {
      create: () => host.app.get(CardPaymentsService).create({ ...orderIn(store), card }),
    };
    for (const methods of [ofPayments, ofOperator, ofCards, ofPartner])
      for (const call of Object.values(methods)) expect(await call()).toBeDefined();
  });
});
