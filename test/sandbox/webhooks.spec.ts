import type { Sandbox } from '@holdfast/sandbox';
import {
  basic,
  basicOf,
  bearer,
  call,
  control,
  get,
  order,
  paid,
  post,
  receiver,
  refusal,
  started,
  token,
  type Reply,
} from './support.js';

const withApp = () => started({ accessToken: token });

const subscribe = (sandbox: Sandbox, key: string, event: string, url: unknown, as = bearer): Promise<Reply> =>
  post(sandbox, '/v3/webhooks', key, { event, url }, as);

function unsubscribe(sandbox: Sandbox, id: unknown, key?: string, as = bearer): Promise<Reply> {
  return call(`${sandbox.url}/v3/webhooks/${String(id)}`, {
    method: 'DELETE',
    headers: { Authorization: as, ...(key !== undefined && { 'Idempotence-Key': key }) },
  });
}

/** The id of a payment that the app made and the buyer paid. */
async function paidByApp(sandbox: Sandbox, key: string): Promise<string> {
  const { body } = await post(sandbox, '/v3/payments', key, order({ capture: true }), bearer);
  sandbox.payments.pay(String(body['id']), { outcome: 'succeed' });
  return String(body['id']);
}

describe('webhooks', () => {
  it('are created, listed and deleted', async () => {
    const sandbox = await withApp();
    const { status, body } = await subscribe(sandbox, 'k', 'payment.succeeded', 'https://app.test/hook');
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^wh-[0-9a-f-]{36}$/),
      event: 'payment.succeeded',
      url: 'https://app.test/hook',
    });
    expect((await get(sandbox, '/v3/webhooks', bearer)).body).toEqual({ type: 'list', items: [body] });
    expect(await unsubscribe(sandbox, body['id'], 'd')).toEqual({ status: 200, body: {} });
    expect((await get(sandbox, '/v3/webhooks', bearer)).body).toEqual({ type: 'list', items: [] });
  });

  it('are deleted without an Idempotence-Key too, and once', async () => {
    const sandbox = await withApp();
    const { body } = await subscribe(sandbox, 'k', 'payment.succeeded', 'https://app.test/hook');
    expect((await unsubscribe(sandbox, body['id'])).status).toBe(200);
    expect(await unsubscribe(sandbox, body['id'])).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
  });

  it('are deleted again under the same key with the first answer', async () => {
    const sandbox = await withApp();
    const { body } = await subscribe(sandbox, 'k', 'payment.succeeded', 'https://app.test/hook');
    expect((await unsubscribe(sandbox, body['id'], 'd')).status).toBe(200);
    expect((await unsubscribe(sandbox, body['id'], 'd')).status).toBe(200);
    expect(await unsubscribe(sandbox, 'wh-other', 'd')).toMatchObject(refusal('Idempotence-Key'));
  });

  it('are one under one key', async () => {
    const sandbox = await withApp();
    const first = await subscribe(sandbox, 'k', 'payment.succeeded', 'https://app.test/hook');
    expect(await subscribe(sandbox, 'k', 'payment.succeeded', 'https://app.test/hook')).toEqual(first);
    expect((await get(sandbox, '/v3/webhooks', bearer)).body).toMatchObject({ items: [first.body] });
  });

  it('need an Idempotence-Key to be created', async () => {
    const sandbox = await withApp();
    expect(await subscribe(sandbox, '', 'payment.succeeded', 'https://app.test/hook')).toMatchObject(
      refusal('Idempotence-Key'),
    );
  });

  it('are refused to shop credentials', async () => {
    const sandbox = await withApp();
    const refused = {
      status: 401,
      body: { code: 'invalid_credentials', description: 'Authentication type is not allowed' },
    };
    expect(await get(sandbox, '/v3/webhooks')).toMatchObject(refused);
    expect(await subscribe(sandbox, 'k', 'payment.succeeded', 'https://app.test', basic)).toMatchObject(
      refused,
    );
    expect(await unsubscribe(sandbox, 'wh-1', 'd', basic)).toMatchObject(refused);
  });

  it.each([
    'https://app.test/hook',
    'https://app.test:443/hook',
    'https://app.test:8443/hook',
    'http://127.0.0.1:3000/hook',
    'http://localhost:3000/hook',
  ])('accept the address %s', async (url) => {
    const sandbox = await withApp();
    expect((await subscribe(sandbox, 'k', 'refund.succeeded', url)).status).toBe(200);
  });

  it('are answered with the address as it was written', async () => {
    const sandbox = await withApp();
    const url = 'https://App.test:443';
    expect((await subscribe(sandbox, 'k', 'refund.succeeded', url)).body['url']).toBe(url);
  });

  it.each([
    ['http://app.test/hook'],
    ['https://app.test:8080/hook'],
    ['ftp://127.0.0.1/hook'],
    ['http://127.0.0.1.app.test/hook'],
    ['/hook'],
    [7],
    [undefined],
    [`https://app.test/${'a'.repeat(2048)}`],
  ])('refuse the address %j', async (url) => {
    const sandbox = await withApp();
    expect(await subscribe(sandbox, 'k', 'payment.succeeded', url)).toMatchObject(refusal('url'));
  });

  it.each([
    'payment.pending',
    'refund.canceled',
    'payout.succeeded',
    'deal.closed',
    'payment_method.active',
    '',
  ])('refuse the event %j', async (event) => {
    const sandbox = await withApp();
    expect(await subscribe(sandbox, 'k', event, 'https://app.test')).toMatchObject(refusal('event'));
  });
});

describe('the notifications of an app', () => {
  it('go to the webhook of their event, for objects the app made', async () => {
    const [payments, refunds] = [await receiver(), await receiver()];
    const sandbox = await withApp();
    await subscribe(sandbox, 'k1', 'payment.succeeded', payments.url);
    await subscribe(sandbox, 'k2', 'refund.succeeded', refunds.url);
    const id = await paidByApp(sandbox, 'p');
    const amount = { value: '1.00', currency: 'RUB' };
    await post(sandbox, '/v3/refunds', 'r', { payment_id: id, amount }, bearer);
    await sandbox.clock.advance(0);
    expect(payments.events()).toEqual(['payment.succeeded']);
    expect(refunds.events()).toEqual(['refund.succeeded']);
  });

  it('do not report what the shop made itself', async () => {
    const app = await receiver();
    const sandbox = await withApp();
    await subscribe(sandbox, 'k', 'payment.succeeded', app.url);
    await subscribe(sandbox, 'k2', 'refund.succeeded', app.url);
    const { body } = await post(sandbox, '/v3/payments', 'p', order({ capture: true }));
    sandbox.payments.pay(String(body['id']), { outcome: 'succeed' });
    sandbox.refunds.make(String(body['id']));
    await sandbox.clock.advance(0);
    expect(app.events()).toEqual([]);
  });

  it('are repeated like any other, until the webhook is deleted', async () => {
    const app = await receiver(() => 503);
    const sandbox = await withApp();
    const { body } = await subscribe(sandbox, 'k', 'payment.succeeded', app.url);
    await paidByApp(sandbox, 'p');
    await sandbox.clock.advance(10_000);
    expect(app.received).toHaveLength(2);
    expect(sandbox.notifications.list()).toMatchObject([{ webhookId: body['id'], done: false }]);
    await unsubscribe(sandbox, body['id'], 'd');
    await sandbox.clock.advance(24 * 60 * 60 * 1000);
    expect(app.received).toHaveLength(2);
  });
});

describe('an address on another machine', () => {
  it('is stored as the service would, and nothing is sent there', async () => {
    const sandbox = await withApp();
    await subscribe(sandbox, 'k', 'payment.succeeded', 'https://app.test/hook');
    await paidByApp(sandbox, 'p');
    await sandbox.clock.advance(0);
    expect(sandbox.notifications.list()[0]?.attempts).toMatchObject([
      { status: null, error: expect.stringMatching(/another machine.*--notify-elsewhere/) },
    ]);
  });

  it('is used if the sandbox was started for that', async () => {
    const sandbox = await started({ accessToken: token, notify: { elsewhere: true } });
    await subscribe(sandbox, 'k', 'payment.succeeded', 'https://app.invalid/hook');
    await paidByApp(sandbox, 'p');
    await sandbox.clock.advance(0);
    expect(sandbox.notifications.list()[0]?.attempts).toMatchObject([
      { status: null, error: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/) },
    ]);
  });
});

describe("the shop's own notifications", () => {
  it('report every object of the store, whoever made it', async () => {
    const shop = await receiver();
    const sandbox = await started({ accessToken: token, notify: { url: shop.url } });
    await paidByApp(sandbox, 'p');
    await sandbox.clock.advance(0);
    expect(shop.events()).toEqual(['payment.succeeded']);
    expect(sandbox.notifications.list()).toMatchObject([{ webhookId: null }]);
  });

  it('report the ticked events only', async () => {
    const shop = await receiver();
    const sandbox = await started({ notify: { url: shop.url, events: ['refund.succeeded'] } });
    const { body } = await post(sandbox, '/v3/payments', 'p', order({ capture: true }));
    sandbox.payments.pay(String(body['id']), { outcome: 'succeed' });
    sandbox.refunds.make(String(body['id']));
    await sandbox.clock.advance(0);
    expect(shop.events()).toEqual(['refund.succeeded']);
  });

  it('end for an event that is unticked, repeats included, and resume for one that is ticked', async () => {
    const shop = await receiver(() => 503);
    const sandbox = await started({ notify: { url: shop.url } });
    const first = await paid(sandbox);
    await sandbox.clock.advance(0);
    const { body } = await control(sandbox, '/notify_events', { events: ['refund.succeeded'] });
    expect(body).toEqual({ events: ['refund.succeeded'] });
    await paid(sandbox);
    await sandbox.clock.advance(10_000);
    expect(shop.events()).toEqual(['payment.succeeded']);
    sandbox.setNotifyEvents(['payment.succeeded']);
    const last = await paid(sandbox);
    await sandbox.clock.advance(32_000);
    expect(sandbox.notifications.list()).toMatchObject([
      { objectId: first, attempts: [{ status: 503 }, { status: null }, { status: 503 }] },
      { objectId: last },
    ]);
  });

  it('are ticked for each store separately', async () => {
    const shop = await receiver();
    const sandbox = await started({ notify: { url: shop.url } });
    const { secretKey } = sandbox.stores.add({ accountId: '500' });
    sandbox.stores.setNotifyUrl('500', shop.url);
    const { body } = await control(sandbox, '/stores/500/notify_events', { events: ['payment.canceled'] });
    expect(body).toMatchObject({ accountId: '500', notifyEvents: ['payment.canceled'] });
    const own = await paid(sandbox);
    const { body: other } = await post(
      sandbox,
      '/v3/payments',
      'p',
      order({ capture: true }),
      basicOf({ shopId: '500', secretKey }),
    );
    sandbox.payments.pay(String(other['id']), { outcome: 'succeed' });
    await sandbox.clock.advance(0);
    expect(sandbox.notifications.list()).toMatchObject([{ objectId: own, accountId: 'test_shop' }]);
  });

  it.each([[{}], [{ events: 'refund.succeeded' }], [{ events: ['payment.pending'] }], [{ url: null }]])(
    'are not ticked by %j',
    async (body) => {
      const sandbox = await started();
      expect((await control(sandbox, '/notify_events', body)).status).toBe(400);
      expect((await control(sandbox, '/stores/test_shop/notify_events', body)).status).toBe(400);
      expect(sandbox.notifyEvents()).toHaveLength(8);
    },
  );

  it('cannot be ticked for an event that does not exist', async () => {
    const events = JSON.parse('["payment.pending"]');
    await expect(started({ notify: { url: 'http://127.0.0.1:1', events } })).rejects.toThrow(
      /^events must be one of payment\.waiting_for_capture, /,
    );
  });
});
