import type { Sandbox } from '@holdfast/sandbox';
import { app } from './oauth-support.js';
import { basic, basicOf, call, get, order, post, receiver, shop, started, type Reply } from './support.js';

const other = { ...app, clientId: 'other', clientSecret: 'other-secret' };
const withApps = () => started({ apps: [app, other] });

/** The Authorization header of an app for a store; a new demo store by default. */
function bearerOf(sandbox: Sandbox, accountId?: string, clientId = app.clientId): string {
  const grant = { clientId, ...(accountId !== undefined && { accountId }) };
  return `Bearer ${sandbox.tokens.connect(grant).accessToken}`;
}

/** The id of a payment that was made with these credentials and paid. */
async function paidBy(sandbox: Sandbox, authorization: string, key = 'paid'): Promise<string> {
  const wanted = order({ capture: true, save_payment_method: true });
  const { body } = await post(sandbox, '/v3/payments', key, wanted, authorization);
  sandbox.payments.pay(String(body['id']), { outcome: 'succeed' });
  return String(body['id']);
}

const one = { value: '1.00', currency: 'RUB' };

describe('what belongs to one store', () => {
  it('is not found through another, by any call', async () => {
    const sandbox = await withApps();
    const [mine, foreign] = [bearerOf(sandbox), bearerOf(sandbox)];
    const id = await paidBy(sandbox, mine);
    const hold = String((await post(sandbox, '/v3/payments', 'hold', order(), mine)).body['id']);
    sandbox.payments.pay(hold, { outcome: 'succeed' });
    const refund = await post(sandbox, '/v3/refunds', 'r', { payment_id: id, amount: one }, mine);
    const refundId = String(refund.body['id']);
    const webhook = { event: 'payment.succeeded', url: 'https://app.test/hook' };
    const webhookId = String((await post(sandbox, '/v3/webhooks', 'w', webhook, mine)).body['id']);
    const [payout, deal] = [sandbox.payouts.create({ amount: '1.00' }), sandbox.deals.create()];

    for (const authorization of [foreign, basic]) {
      const unknown = [
        await get(sandbox, `/v3/payments/${id}`, authorization),
        await post(sandbox, `/v3/${hold}/capture`, 'c', {}, authorization),
        await post(sandbox, `/v3/payments/${hold}/cancel`, 'x', {}, authorization),
        await post(sandbox, '/v3/refunds', 'f', { payment_id: id, amount: one }, authorization),
        await get(sandbox, `/v3/refunds/${refundId}`, authorization),
        await get(sandbox, `/v3/payment_methods/${id}`, authorization),
      ];
      expect(unknown.map(({ status }) => status)).toEqual(unknown.map(() => 404));
      expect((await get(sandbox, '/v3/payments', authorization)).body['items']).toEqual([]);
      expect((await get(sandbox, '/v3/refunds', authorization)).body['items']).toEqual([]);
      const byMethod = order({ payment_method_id: id });
      expect((await post(sandbox, '/v3/payments', 'm', byMethod, authorization)).status).toBe(400);
    }
    expect((await get(sandbox, `/v3/payouts/${payout.id}`, foreign)).status).toBe(404);
    expect((await get(sandbox, `/v3/deals/${deal.id}`, foreign)).status).toBe(404);
    expect((await get(sandbox, '/v3/webhooks', foreign)).body['items']).toEqual([]);
    const headers = { Authorization: foreign };
    const deleted = await call(`${sandbox.url}/v3/webhooks/${webhookId}`, { method: 'DELETE', headers });
    expect(deleted.status).toBe(404);
    expect((await get(sandbox, '/v3/webhooks', mine)).body['items']).toHaveLength(1);
    expect(sandbox.payments.get(hold).status).toBe('waiting_for_capture');
  });

  it('names its store, and is shared by its secret key and every token for it', async () => {
    const sandbox = await withApps();
    const { accountId: shopId, secretKey } = sandbox.stores.add({ accountId: 'test_second' });
    const bearer = bearerOf(sandbox, shopId);
    const id = await paidBy(sandbox, bearer);
    const { body } = await get(sandbox, `/v3/payments/${id}`, basicOf({ shopId, secretKey }));
    expect(body).toMatchObject({ id, recipient: { account_id: 'test_second' }, test: true });
    expect((await get(sandbox, `/v3/payments/${id}`, bearerOf(sandbox, shopId, 'other'))).body).toEqual(body);
  });

  it('has its own list pages', async () => {
    const sandbox = await withApps();
    const [mine, foreign] = [bearerOf(sandbox), bearerOf(sandbox)];
    const ids: string[] = [];
    for (const key of ['1', '2', '3']) {
      ids.unshift(await paidBy(sandbox, mine, key));
      await paidBy(sandbox, foreign, key);
    }
    const first = await get(sandbox, '/v3/payments?limit=2', mine);
    const next = await get(sandbox, `/v3/payments?limit=2&cursor=${String(first.body['next_cursor'])}`, mine);
    expect(first.body['items']).toMatchObject([{ id: ids[0] }, { id: ids[1] }]);
    expect(next.body).toEqual({ type: 'list', items: [expect.objectContaining({ id: ids[2] })] });
  });

  it('is paid for by the methods of its own store', async () => {
    const sandbox = await withApps();
    const [real, demo] = [bearerOf(sandbox, '300200'), bearerOf(sandbox)];
    const { body } = await post(sandbox, '/v3/payments', 'p', order(), real);
    expect(body).toMatchObject({ test: false, recipient: { account_id: '300200' } });
    const page = await (await fetch(`${sandbox.url}/checkout/${String(body['id'])}`)).text();
    expect(page).toContain('Bank application');
    const cryptogram = { type: 'wallet_pay', payment_method_token: 'cryptogram' };
    const byWallet = order({ confirmation: undefined, payment_method_data: cryptogram });
    expect((await post(sandbox, '/v3/payments', 'w', byWallet, real)).status).toBe(200);
    expect((await post(sandbox, '/v3/payments', 'w', byWallet, demo)).status).toBe(400);
  });
});

describe('the settings of a store', () => {
  it('are shown by /v3/me, and change for existing tokens', async () => {
    const sandbox = await withApps();
    const bearer = bearerOf(sandbox, '300200');
    sandbox.stores.change('300200', { methods: ['wallet'], status: 'disabled' });
    expect((await get(sandbox, '/v3/me', bearer)).body).toMatchObject({
      account_id: '300200',
      status: 'disabled',
      payment_methods: ['wallet'],
    });
  });

  it('refuse a method that is not offered', async () => {
    const sandbox = await withApps();
    const bearer = bearerOf(sandbox, '300200');
    sandbox.stores.change('300200', { methods: ['wallet'] });
    const byCard = order({ payment_method_data: { type: 'bank_card' } });
    expect(await post(sandbox, '/v3/payments', 'p', byCard, bearer)).toMatchObject({
      status: 400,
      body: { parameter: 'payment_method_data.type' },
    });
  });

  it('refuse new payments to a disabled store, until it is enabled', async () => {
    const sandbox = await withApps();
    const bearer = bearerOf(sandbox, '300200');
    const id = await paidBy(sandbox, bearer);
    sandbox.stores.change('300200', { status: 'disabled' });
    const refused = await post(sandbox, '/v3/payments', 'p', order(), bearer);
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect((await get(sandbox, `/v3/payments/${id}`, bearer)).status).toBe(200);
    sandbox.stores.change('300200', { status: 'enabled' });
    expect((await post(sandbox, '/v3/payments', 'p', order(), bearer)).status).toBe(200);
  });
});

describe('a permission that an app did not ask for', () => {
  it.each<[string, string, (sandbox: Sandbox, as: string, hold: string, paid: string) => Promise<Reply>]>([
    ['payments_create', 'payment creation', (s, as) => post(s, '/v3/payments', 'n', order(), as)],
    ['payments_capture', 'payment capture', (s, as, hold) => post(s, `/v3/${hold}/capture`, 'n', {}, as)],
    [
      'payments_cancel',
      'payment cancellation',
      (s, as, hold) => post(s, `/v3/payments/${hold}/cancel`, 'n', {}, as),
    ],
    [
      'refunds_create',
      'refund creation',
      (s, as, _hold, paid) => post(s, '/v3/refunds', 'n', { payment_id: paid, amount: one }, as),
    ],
  ])('%s: is named by the refusal, and no other request needs it', async (permission, words, ask) => {
    const all = ['payments_create', 'payments_capture', 'payments_cancel', 'refunds_create'];
    const without = all.filter((name) => name !== permission);
    const sandbox = await started({
      apps: [
        { ...app, permissions: without },
        { ...other, permissions: [permission] },
      ],
    });
    const hold = String((await post(sandbox, '/v3/payments', 'hold', order())).body['id']);
    sandbox.payments.pay(hold, { outcome: 'succeed' });
    const paid = await paidBy(sandbox, basic);
    const lacking = bearerOf(sandbox, shop.shopId);
    expect(await ask(sandbox, lacking, hold, paid)).toMatchObject({
      status: 403,
      body: { code: 'forbidden', description: `The app has no permission ${permission}: ${words}` },
    });
    expect((await get(sandbox, '/v3/payments', lacking)).status).toBe(200);
    expect((await get(sandbox, `/v3/payments/${hold}`, lacking)).body['status']).toBe('waiting_for_capture');
    expect((await ask(sandbox, bearerOf(sandbox, shop.shopId, 'other'), hold, paid)).status).toBe(200);
  });

  it('is checked before the Idempotence-Key', async () => {
    const sandbox = await started({ apps: [{ ...app, permissions: [] }] });
    const refused = await post(sandbox, '/v3/payments', '', order(), bearerOf(sandbox));
    expect(refused.status).toBe(403);
  });
});

describe('Idempotence-Keys', () => {
  it('are those of one app in one store, whichever token it has', async () => {
    const sandbox = await withApps();
    const make = (as: string) => post(sandbox, '/v3/payments', 'same', order(), as);
    const first = await make(bearerOf(sandbox, '300200'));
    expect(await make(bearerOf(sandbox, '300200'))).toEqual(first);
    const others = [bearerOf(sandbox, 'test_tea_house'), bearerOf(sandbox, '300200', 'other'), basic];
    const ids = (await Promise.all(others.map(make))).map(({ body }) => body['id']);
    expect(new Set([first.body['id'], ...ids]).size).toBe(4);
  });

  it('of webhooks are those of one token', async () => {
    const sandbox = await withApps();
    const [old, fresh] = [bearerOf(sandbox, '300200'), bearerOf(sandbox, '300200')];
    const webhook = { event: 'payment.succeeded', url: 'https://app.test/hook' };
    await post(sandbox, '/v3/webhooks', 'same', webhook, old);
    await post(sandbox, '/v3/webhooks', 'same', webhook, fresh);
    expect((await get(sandbox, '/v3/webhooks', fresh)).body['items']).toHaveLength(1);
  });
});

describe('notifications', () => {
  const subscribe = (sandbox: Sandbox, as: string, url: string) =>
    post(sandbox, '/v3/webhooks', url, { event: 'payment.succeeded', url }, as);

  it('go to the webhooks of the app that made the object, in its store only', async () => {
    const sandbox = await withApps();
    const bearers = [
      bearerOf(sandbox, 'test_tea_house'),
      bearerOf(sandbox, '300200'),
      bearerOf(sandbox, 'test_tea_house', 'other'),
    ];
    const hooks = [await receiver(), await receiver(), await receiver()];
    for (const [index, hook] of hooks.entries()) await subscribe(sandbox, bearers[index] ?? '', hook.url);
    const ids: string[] = [];
    for (const bearer of bearers) ids.push(await paidBy(sandbox, bearer));
    await sandbox.clock.advance(0);
    expect(hooks.map(({ received }) => received.map(({ body }) => body['object']))).toMatchObject(
      ids.map((id) => [{ id }]),
    );
    expect(sandbox.notifications.list().map(({ accountId }) => accountId)).toEqual([
      'test_tea_house',
      '300200',
      'test_tea_house',
    ]);
  });

  it('reach an app about what it made with an older token of its own', async () => {
    const hook = await receiver();
    const sandbox = await withApps();
    const old = bearerOf(sandbox, '300200');
    const { body } = await post(sandbox, '/v3/payments', 'p', order({ capture: true }), old);
    sandbox.tokens.revoke(sandbox.tokens.list()[0]?.id ?? '');
    await subscribe(sandbox, bearerOf(sandbox, '300200'), hook.url);
    sandbox.payments.pay(String(body['id']), { outcome: 'succeed' });
    await sandbox.clock.advance(0);
    expect(hook.events()).toEqual(['payment.succeeded']);
  });

  it.each(['revoke', 'expire'] as const)('end with the token: %s', async (end) => {
    const [ended, going] = [await receiver(() => 503), await receiver()];
    const sandbox = await withApps();
    const [first, second] = [bearerOf(sandbox, 'test_tea_house'), bearerOf(sandbox, '300200')];
    await subscribe(sandbox, first, ended.url);
    await subscribe(sandbox, second, going.url);
    await paidBy(sandbox, first);
    const { body } = await post(sandbox, '/v3/payments', 'later', order({ capture: true }), first);
    await sandbox.clock.advance(0);
    sandbox.tokens[end](sandbox.tokens.list()[0]?.id ?? '');
    sandbox.payments.pay(String(body['id']), { outcome: 'succeed' });
    await paidBy(sandbox, second);
    await sandbox.clock.advance(24 * 60 * 60 * 1000);
    expect(ended.received).toHaveLength(1);
    expect(going.received).toHaveLength(1);
  });

  it("go to each shop's own address for its store, whoever made the object", async () => {
    const [own, second] = [await receiver(), await receiver()];
    const sandbox = await started({ apps: [app], notify: { url: own.url } });
    sandbox.stores.setNotifyUrl('300200', second.url);
    const ofShop = await paidBy(sandbox, basic);
    const ofApp = await paidBy(sandbox, bearerOf(sandbox, '300200'));
    await sandbox.clock.advance(0);
    expect(own.received).toMatchObject([{ body: { object: { id: ofShop } } }]);
    expect(second.received).toMatchObject([{ body: { object: { id: ofApp } } }]);
    expect(sandbox.notifyUrl()).toBe(own.url);
  });
});

describe('a thousand connected stores', () => {
  it('are created by one call, each with a token for itself only', async () => {
    const sandbox = await withApps();
    const stores = sandbox.tokens.connectMany({ clientId: app.clientId, count: 1000 });
    expect(new Set(stores.map(({ accessToken }) => accessToken)).size).toBe(1000);
    for (const { accountId, accessToken } of [stores[0], stores[999]].flatMap((store) => store ?? [])) {
      const { body } = await get(sandbox, '/v3/me', `Bearer ${accessToken}`);
      expect(body).toMatchObject({ account_id: accountId, test: true });
    }
    expect(sandbox.tokens.list()).toHaveLength(1000);
    expect((await fetch(`${sandbox.url}/sandbox/`)).status).toBe(200);
  });

  it('can fail one by one, and are counted one by one', async () => {
    const sandbox = await withApps();
    const [dead, alive] = sandbox.tokens.connectMany({ clientId: app.clientId, count: 2 });
    sandbox.faults.order({ on: 'list', fault: 'too_many_requests', store: dead?.accountId ?? '', times: 5 });
    const statuses = [];
    for (const store of [alive, dead, alive]) {
      statuses.push((await get(sandbox, '/v3/payments', `Bearer ${store?.accessToken}`)).status);
    }
    expect(statuses).toEqual([200, 429, 200]);
    expect(sandbox.ledger.requestCount({ endpoint: 'list', accountId: alive?.accountId ?? '' })).toBe(2);
  });
});
