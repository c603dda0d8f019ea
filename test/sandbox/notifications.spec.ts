import type { NotificationReport } from '@holdfast/sandbox';
import { control, held, pending, post, receiver, started } from './support.js';

describe('a notification', () => {
  it('carries the object as it was at the change, from a documented sender', async () => {
    const shop = await receiver();
    const sandbox = await started({ notify: { url: shop.url } });
    const id = await held(sandbox);
    const then = sandbox.payments.get(id);
    await post(sandbox, `/v3/${id}/capture`, 'c');
    await sandbox.clock.advance(0);
    expect(shop.received[0]?.body).toEqual({
      type: 'notification',
      event: 'payment.waiting_for_capture',
      object: then,
    });
    expect(shop.received[0]?.headers).toMatchObject({
      'x-forwarded-for': '185.71.76.1',
      'content-type': 'application/json',
    });
    expect(shop.events()).toEqual(['payment.waiting_for_capture', 'payment.succeeded']);
  });

  it('comes from the requested sender', async () => {
    const shop = await receiver();
    const sandbox = await started({ notify: { url: shop.url, senderAddress: '2a02:5180::1' } });
    await held(sandbox);
    await sandbox.clock.advance(0);
    expect(shop.received[0]?.headers['x-forwarded-for']).toBe('2a02:5180::1');
  });

  it('is sent for a cancel', async () => {
    const shop = await receiver();
    const sandbox = await started({ notify: { url: shop.url } });
    const id = await held(sandbox);
    await post(sandbox, `/v3/${id}/cancel`, 'x');
    await sandbox.clock.advance(0);
    expect(shop.events()).toEqual(['payment.waiting_for_capture', 'payment.canceled']);
  });

  it('is repeated 10, 42, 84, 168, 672, 5376 and 86016 seconds after its event, and never later than 24 hours', async () => {
    const shop = await receiver(() => 503);
    const sandbox = await started({ notify: { url: shop.url } });
    await held(sandbox);
    await sandbox.clock.advance(3 * 24 * 60 * 60 * 1000);
    const [notification] = sandbox.notifications.list();
    expect(notification && secondsOfAttempts(notification)).toEqual([0, 10, 42, 84, 168, 672, 5376, 86_016]);
    expect(notification).toMatchObject({ done: true, nextDueAt: null });
    expect(new Set(notification?.attempts.map(({ status }) => status))).toEqual(new Set([503]));
  });

  it('that was delayed is repeated at what is left of those times', async () => {
    const shop = await receiver(() => 503);
    const sandbox = await started({ notify: { url: shop.url } });
    sandbox.faults.order({ on: 'notification', fault: 'delay', ms: 100_000 });
    await held(sandbox);
    await sandbox.clock.advance(24 * 60 * 60 * 1000);
    const [notification] = sandbox.notifications.list();
    expect(notification && secondsOfAttempts(notification)).toEqual([100, 168, 672, 5376, 86_016]);
  });

  it.each([201, 204, 302, 400, 500])('is repeated after %i, until 200', async (status) => {
    const shop = await receiver((count) => (count === 1 ? status : 200));
    const sandbox = await started({ notify: { url: shop.url } });
    await held(sandbox);
    await sandbox.clock.advance(0);
    expect(sandbox.notifications.list()).toMatchObject([{ done: false, nextDueAt: expect.any(String) }]);
    await sandbox.clock.advance(60 * 60 * 1000);
    expect(sandbox.notifications.list()).toMatchObject([
      { done: true, nextDueAt: null, attempts: [{ status }, { status: 200 }] },
    ]);
  });

  it('follows no redirect', async () => {
    const elsewhere = await receiver();
    const shop = await receiver(() => 307, { Location: elsewhere.url });
    const sandbox = await started({ notify: { url: shop.url } });
    await held(sandbox);
    await sandbox.clock.advance(0);
    expect([shop.received.length, elsewhere.received.length]).toEqual([1, 0]);
  });

  it('is repeated to the new address after a change of it, and shows why an attempt failed', async () => {
    const sandbox = await started({ notify: { url: 'http://127.0.0.1:1/closed' } });
    await held(sandbox);
    await sandbox.clock.advance(0);
    const shop = await receiver();
    sandbox.setNotifyUrl(shop.url);
    await sandbox.clock.advance(10_000);
    expect(shop.events()).toEqual(['payment.waiting_for_capture']);
    expect(sandbox.notifications.list()[0]?.attempts).toMatchObject([
      { status: null, error: expect.stringContaining('ECONNREFUSED') },
      { status: 200, error: null },
    ]);
  });

  it.each([
    ['127.0.0.1', '::1'],
    ['localhost', '::1'],
    ['[::1]', '127.0.0.1'],
    ['localhost', '127.0.0.1'],
  ] as const)('sent to %s reaches a shop that listens on %s alone', async (host, address) => {
    const shop = await receiver(() => 200, {}, address);
    const url = new URL(shop.url);
    url.hostname = host;
    const sandbox = await started({ notify: { url: url.href } });
    await held(sandbox);
    await sandbox.clock.advance(0);
    expect(sandbox.notifications.list()[0]?.attempts).toMatchObject([{ status: 200, error: null }]);
    expect(shop.received[0]?.headers.host).toBe(url.host);
  });

  it('is not made without a subscription', async () => {
    const sandbox = await started();
    await held(sandbox);
    expect(sandbox.notifications.list()).toEqual([]);
  });

  it('is sent again by hand, acknowledged or not', async () => {
    const shop = await receiver();
    const sandbox = await started({ notify: { url: shop.url } });
    await held(sandbox);
    await sandbox.clock.advance(0);
    const id = sandbox.notifications.list()[0]?.id;
    const { status, body } = await control(sandbox, `/notifications/${id}/redeliver`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, done: true, attempts: [{ status: 200 }, { status: 200 }] });
    expect(shop.received).toHaveLength(2);
    expect((await control(sandbox, '/notifications', undefined, 'GET')).body).toMatchObject({
      items: [body],
    });
    expect((await control(sandbox, '/notifications/none/redeliver')).status).toBe(404);
  });

  it('acknowledged by hand is no longer repeated', async () => {
    const shop = await receiver((count) => (count === 1 ? 503 : 200));
    const sandbox = await started({ notify: { url: shop.url } });
    await held(sandbox);
    await sandbox.clock.advance(0);
    await sandbox.notifications.redeliver(String(sandbox.notifications.list()[0]?.id));
    await sandbox.clock.advance(60 * 60 * 1000);
    expect(shop.received).toHaveLength(2);
    expect(sandbox.notifications.list()).toMatchObject([{ done: true, nextDueAt: null }]);
  });

  it('that hangs does not outlive the sandbox, nor delay another', async () => {
    const shop = await receiver((count) => (count === 1 ? 'never' : 200));
    const sandbox = await started({ notify: { url: shop.url } });
    const [first, second] = [await pending(sandbox), await pending(sandbox)];
    sandbox.payments.pay(first, { outcome: 'succeed' });
    while (shop.received.length < 1) await sandboxTurn();
    sandbox.payments.pay(second, { outcome: 'succeed' });
    while (shop.received.length < 2) await sandboxTurn();
    await sandbox.close();
    expect(sandbox.notifications.list()[0]?.attempts).toMatchObject([{ status: null }]);
  });
});

describe("the shop's notification address", () => {
  it.each(['https://shop.test/hook', 'https://shop.test:443/hook', 'https://shop.test:8443/hook'])(
    'may be %s if the sandbox was started for that, and not otherwise',
    async (url) => {
      const sandbox = await started({ notify: { elsewhere: true } });
      sandbox.setNotifyUrl(url);
      expect(sandbox.notifyUrl()).toBe(url);
      const bound = await started();
      expect(() => bound.setNotifyUrl(url)).toThrow(/another machine.*--notify-elsewhere/);
      expect(await control(bound, '/stores/test_shop/notify_url', { url })).toMatchObject({ status: 400 });
      expect(bound.notifyUrl()).toBeNull();
    },
  );

  it.each([
    ['http://shop.test/hook', 'an https address'],
    ['https://shop.test:8080/hook', 'port 443 or 8443'],
    ['ftp://127.0.0.1/hook', 'an https address'],
    ['http://127.0.0.1.shop.test/hook', 'an https address'],
    ['shop', 'an https address'],
  ])('is refused as %s', async (url, fault) => {
    const sandbox = await started({ notify: { elsewhere: true } });
    expect(() => sandbox.setNotifyUrl(url)).toThrow(fault);
    const { status, body } = await control(sandbox, '/notify_url', { url });
    expect([status, body['error']]).toEqual([400, expect.stringContaining(fault)]);
    await expect(started({ notify: { url, elsewhere: true } })).rejects.toThrow(fault);
  });

  it.each([
    'http://127.0.0.1:3000/hook',
    'http://localhost/hook',
    'http://[::1]:8080/',
    'https://127.1.2.3:1/',
  ])('may be %s, of this machine', async (url) => {
    const sandbox = await started();
    sandbox.setNotifyUrl(url);
    expect(sandbox.notifyUrl()).toBe(url);
  });
});

/** When it was sent, in seconds since its event. */
function secondsOfAttempts({ eventAt, attempts }: NotificationReport): number[] {
  return attempts.map(({ at }) => (Date.parse(at) - Date.parse(eventAt)) / 1000);
}

/** Lets the servers of this process work. */
function sandboxTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
