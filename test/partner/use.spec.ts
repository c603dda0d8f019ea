import type { Payment } from '@holdfast/payments';
import { eventually } from '../support/eventually.js';
import {
  anotherStore,
  connect,
  openPartnerBench,
  orderIn,
  type PartnerBench,
  type PartnerHost,
} from './partner-bench.js';

const amount = { value: '10.00', currency: 'RUB' };

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
  afterAll(() => bench.close());

  const calls: [name: string, call: (scope: { store?: string }, payment: Payment) => Promise<unknown>][] = [
    ['get', (scope, { id }) => host.payments.get(id, scope)],
    ['timeline', (scope, { id }) => host.payments.timeline(id, scope)],
    ['refunds', (scope, { id }) => host.payments.refunds(id, scope)],
    ['refresh', (scope, { id }) => host.payments.refresh(id, scope)],
    ['refund', (scope, { id }) => host.payments.refund(id, { refundKey: 'r-1', amount, ...scope })],
    ['capture', (scope) => host.payments.capture(held.id, { amount, ...scope })],
    ['cancel', (scope) => host.payments.cancel(held.id, scope)],
  ];

  it.each(calls)('are unknown to %s in another store and in the shop’s own', async (_name, call) => {
    for (const scope of [{ store: other }, {}])
      await expect(call(scope, paid)).rejects.toMatchObject({ code: 'payment_not_found' });
    for (const accountId of ['test_shop', otherAccount])
      for (const endpoint of ['read', 'capture', 'cancel', 'refund'] as const)
        expect(bench.sandbox.ledger.requestCount({ endpoint, accountId })).toBe(0);
    expect(await host.payments.get(held.id, { store: mine })).toMatchObject({
      status: 'waiting_for_capture',
    });
  });

  it.each(calls.slice(0, 5))('are known to %s in their own', async (_name, call) => {
    await expect(call({ store: mine }, paid)).resolves.toBeDefined();
  });

  it('are no order of another store’s', async () => {
    for (const scope of [{ store: other }, {}]) {
      expect(await host.payments.findByOrder('paid', scope)).toEqual([]);
      expect(await host.payments.getOrder('paid', scope)).toBeNull();
    }
    const same = await host.payments.create(orderIn(other, 'paid'));
    expect(same.id).not.toBe(paid.id);
    expect(await host.payments.getOrder('paid', { store: mine })).toMatchObject({
      state: 'partially_refunded',
    });
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
    expect(await seen({})).toBe(0);
    expect(await seen({ store: other })).toBe(1);
    expect(await seen({ store: mine })).toBe(3);
  });

  it('are asked for with their own store’s token alone', () => {
    const { ledger } = bench.sandbox;
    expect(ledger.requestCount({ endpoint: 'create', accountId: 'test_shop' })).toBe(0);
    expect(ledger.requestCount({ endpoint: 'refund', accountId: 'test_tea_house' })).toBe(1);
  });

  it.each([['no UUID'], [''], ['6f1c7f7e-59a1-4f3a-8f0c-2a6d0a1f9e10']])(
    'are asked for by no store %j',
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
      'at an address that is no store’s are answered 404 and not stored',
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

    it('reach their own store’s address alone', async () => {
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

describe('before anything is stored or sent', () => {
  let bench: PartnerBench;
  let host: PartnerHost;
  beforeAll(async () => {
    bench = await openPartnerBench({ permissions: ['payments_create'] });
    host = await bench.startHost({ partner: { permissions: ['payments_create'] } });
  });
  afterAll(() => bench.close());

  const operations = async () =>
    (
      await host.dataSource.query<{ count: number }[]>(
        'SELECT count(*)::int AS count FROM payments_operations',
      )
    )[0]?.count;

  it('a call is refused whose permission the app was not registered with', async () => {
    const { id: store } = await connect(bench, host);
    const { id } = await host.payments.create({ ...orderIn(store), capture: false });
    const before = await operations();
    const { payments } = host;
    const refused: [Promise<unknown>, string][] = [
      [payments.capture(id, { store }), 'payments_capture'],
      [payments.cancel(id, { store }), 'payments_cancel'],
      [payments.refund(id, { store, refundKey: 'r' }), 'refunds_create'],
      [payments.create({ ...orderIn(store), replace: true }), 'payments_cancel'],
    ];
    for (const [call, permission] of refused)
      await expect(call).rejects.toMatchObject({ code: 'store_permission', store, permission });
    expect(await operations()).toBe(before);
    for (const endpoint of ['capture', 'cancel', 'refund'] as const)
      expect(bench.sandbox.ledger.requestCount({ endpoint })).toBe(0);
  });

  it('a create is refused in a process whose app may not make one', async () => {
    const reader = await bench.startHost({ partner: { permissions: [] } });
    const { id: store } = await connect(bench, host, { accountId: anotherStore(bench) });
    await expect(reader.payments.create(orderIn(store))).rejects.toMatchObject({
      code: 'store_permission',
      permission: 'payments_create',
    });
  });

  it('a method is refused that the store does not offer, until it does', async () => {
    const accountId = anotherStore(bench);
    bench.sandbox.stores.change(accountId, { methods: ['wallet'] });
    const { id: store } = await connect(bench, host, { accountId });
    await expect(host.payments.create({ ...orderIn(store), method: 'bank_card' })).rejects.toMatchObject({
      code: 'payment_input',
      field: 'method',
    });
    bench.sandbox.stores.change(accountId, { methods: ['wallet', 'bank_card'] });
    expect(await host.partner.refreshStore(store)).toMatchObject({ paymentMethods: ['wallet', 'bank_card'] });
    expect(await host.payments.create({ ...orderIn(store), method: 'bank_card' })).toMatchObject({
      status: 'pending',
    });
  });

  it('a demo store is refused what cannot be tested, whatever it says it offers', async () => {
    const { id: store } = await connect(bench, host, { accountId: anotherStore(bench) });
    await host.dataSource.query(`UPDATE payments_stores SET payment_methods = '["sbp"]' WHERE id = $1`, [
      store,
    ]);
    await expect(host.payments.create({ ...orderIn(store), method: 'bank_card' })).rejects.toMatchObject({
      field: 'method',
    });
    await host.dataSource.query('UPDATE payments_stores SET payment_methods = NULL WHERE id = $1', [store]);
    expect(await host.payments.create({ ...orderIn(store), method: 'wallet' })).toMatchObject({ test: true });
  });

  it('a store is refused that the service has disabled', async () => {
    const accountId = anotherStore(bench);
    const { id: store } = await connect(bench, host, { accountId });
    bench.sandbox.stores.change(accountId, { status: 'disabled' });
    expect(await host.partner.refreshStore(store)).toMatchObject({ enabled: false });
    await expect(host.payments.create(orderIn(store))).rejects.toMatchObject({
      code: 'store_disabled',
      store,
    });
    expect(bench.sandbox.ledger.requestCount({ endpoint: 'create', accountId })).toBe(0);
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

  it('takes payments in a connected one, and no notifications at the plain address', async () => {
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
