import { yookassaProfile } from '@holdfast/payments';
import { eventually } from '../support/eventually.js';
import {
  anotherStore,
  app,
  connect,
  openPartnerBench,
  orderIn,
  type PartnerBench,
  type PartnerHost,
} from './partner-bench.js';

describe('a shop whose identifier is a connected store’s', () => {
  it('does not start: one store has one kind of credentials', async () => {
    const bench = await openPartnerBench();
    const host = await bench.startHost();
    const store = await connect(bench, host);
    await expect(bench.startHost({ shopId: store.accountId })).rejects.toMatchObject({
      name: 'PaymentsConfigurationError',
      message: expect.stringContaining(`shopId ${store.accountId} is a store that was connected by token`),
    });
    expect(await host.partner.getStore(store.id)).toEqual(store);
    await bench.close();
  });
});

describe('the path that owners come back to', () => {
  it('is no route of an application that acts for nobody', async () => {
    const bench = await openPartnerBench();
    const { url } = await bench.startHost({ alone: true });
    const answer = await fetch(`${url}/partner/callback?code=x`);
    expect(await answer.json()).toMatchObject({ message: 'Cannot GET /partner/callback?code=x' });
    await bench.close();
  });
});

describe('a hold whose policy the app may not carry out', () => {
  it.each([
    ['capture', 'payments_capture'],
    ['cancel', 'payments_cancel'],
  ] as const)('%s is reported to a person, and nothing is sent', async (policy, permission) => {
    const permissions = app.permissions.filter((name) => name !== permission);
    const bench = await openPartnerBench({ permissions });
    const host = await bench.startHost({ partner: { permissions }, holds: { policy } });
    const { id: store } = await connect(bench, host);
    const { id, serviceId } = await host.payments.create({ ...orderIn(store), capture: false });
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    await eventually(
      () => host.payments.get(id, { store }),
      ({ status }) => status === 'waiting_for_capture',
    );
    await bench.sandbox.clock.advance(6.5 * 24 * 3_600_000);
    const timeline = await eventually(
      () => host.payments.timeline(id, { store }),
      (entries) => entries.some(({ name }) => name === 'hold.expiring'),
    );
    expect(timeline.find(({ name }) => name === 'hold.expiring')?.evidence).toMatchObject({
      policy: 'flag',
      fault: expect.stringContaining(`a ${policy} needs`),
    });
    expect(bench.sandbox.ledger.requestCount({ endpoint: policy })).toBe(0);
    expect(await host.operator.backlog()).toMatchObject({ flaggedHolds: { count: 1 } });
    await bench.close();
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

  it('a call is refused if the app was not registered with its permission', async () => {
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

  it('a method is refused until the store offers it', async () => {
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

  it('a demo store is refused what cannot be tested, whatever it claims to offer', async () => {
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

describe('a store’s receipts', () => {
  it('are as the service says of the store, whatever the option says of the others', async () => {
    const receipts = { scenario: 'with_payment' as const };
    const { permissions: names, readPermissions } = yookassaProfile;
    const permissions = [names.create, names.refund, ...readPermissions];
    const bench = await openPartnerBench({ permissions }, { profile: 'yookassa' });
    const host = await bench.startHost({ profile: yookassaProfile, partner: { permissions } });
    const store = await connect(bench, host);
    expect(store).toMatchObject({ fiscalizationEnabled: false, fiscalizationProvider: null });
    await host.payments.create(orderIn(store.id));
    bench.sandbox.stores.change(store.accountId, { receipts });
    expect(await host.partner.refreshStore(store.id)).toMatchObject({
      fiscalizationEnabled: true,
      fiscalizationProvider: 'yoo_receipt',
    });
    const bare = () => host.payments.create(orderIn(store.id));
    await expect(bare()).rejects.toMatchObject({ code: 'payment_input', field: 'receipt' });
    const receipt = {
      customer: { email: 'buyer@shop.example' },
      items: [
        {
          description: 'Tea',
          amount: orderIn(store.id).amount,
          quantity: 1,
          vatCode: 11 as const,
          measure: 'piece' as const,
        },
      ],
    };
    await host.payments.create({ ...orderIn(store.id), receipt });
    bench.sandbox.stores.change(store.accountId, { receipts: null });
    await host.partner.refreshStore(store.id);
    const strict = await bench.startHost({
      profile: yookassaProfile,
      partner: { permissions },
      fiscalization: { register: 'service' },
    });
    expect(await strict.payments.create(orderIn(store.id))).toMatchObject({ status: 'pending' });
    await expect(strict.payments.create(orderIn(undefined))).rejects.toMatchObject({ field: 'receipt' });
    await bench.close();
  });
});
