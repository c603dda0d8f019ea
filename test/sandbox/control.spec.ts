import { ControlError, startSandbox } from '@holdfast/sandbox';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import http from 'node:http';
import type { Socket } from 'node:net';
import {
  basic,
  basicOf,
  control,
  get,
  held,
  order,
  pending,
  post,
  receiver,
  shop,
  started,
} from './support.js';

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('the secret keys', () => {
  it('are valid as they are set, the old one beside the new one during a change', async () => {
    const sandbox = await started();
    const statuses = async () =>
      Promise.all(
        [shop.secretKey, 'new_key'].map(async (secretKey) => {
          const reply = await get(sandbox, '/v3/payments', basicOf({ ...shop, secretKey }));
          return reply.status;
        }),
      );
    expect(await statuses()).toEqual([200, 401]);
    const both = await control(sandbox, '/secret_keys', { keys: [shop.secretKey, 'new_key'] });
    expect(both).toEqual({ status: 200, body: { valid: 2 } });
    expect(await statuses()).toEqual([200, 200]);
    sandbox.setSecretKeys(['new_key']);
    expect(await statuses()).toEqual([401, 200]);
  });

  it.each([[{}], [{ keys: 'new_key' }], [{ keys: [''] }], [{ keys: [5] }], [{ keys: [], key: '' }]])(
    'are refused as %j',
    async (body) => {
      const sandbox = await started();
      expect((await control(sandbox, '/secret_keys', body)).status).toBe(400);
      expect((await get(sandbox, '/v3/payments')).status).toBe(200);
    },
  );
});

describe('what the buyer does', () => {
  it('succeed pays by card, at once if the merchant asked for that', async () => {
    const sandbox = await started();
    const id = await pending(sandbox, { capture: true });
    const { status, body } = await control(sandbox, `/payments/${id}/pay`, { outcome: 'succeed' });
    expect(status).toBe(200);
    expect(body).toEqual({
      id,
      status: 'succeeded',
      paid: true,
      amount: { value: '1234.50', currency: 'RUB' },
      // Less 3.5 %: 43.2075, rounded to 43.21.
      income_amount: { value: '1191.29', currency: 'RUB' },
      refunded_amount: { value: '0.00', currency: 'RUB' },
      created_at: expect.stringMatching(timestamp),
      captured_at: expect.stringMatching(timestamp),
      metadata: {},
      payment_method: {
        type: 'bank_card',
        id,
        saved: false,
        title: 'Bank card *4444',
        card: {
          first6: '555555',
          last4: '4444',
          expiry_month: '12',
          expiry_year: '2099',
          card_type: 'MasterCard',
          card_product: { code: 'MCS', name: 'Standard' },
          issuer_country: 'RU',
          issuer_name: 'Sandbox Bank',
        },
      },
      recipient: { account_id: 'test_shop', gateway_id: expect.stringMatching(/^\d+$/) },
      refundable: true,
      test: true,
      authorization_details: {
        rrn: expect.stringMatching(/^\d{12}$/),
        auth_code: expect.stringMatching(/^\d{6}$/),
        three_d_secure: { applied: false },
      },
    });
    expect((await get(sandbox, `/v3/payments/${id}`)).body).toEqual(body);
    expect((await control(sandbox, `/payments/${id}`, undefined, 'GET')).body).toEqual(body);
  });

  it('succeed pays by wallet, without a card or its authorization', async () => {
    const sandbox = await started();
    const body = sandbox.payments.pay(await pending(sandbox), { outcome: 'succeed', method: 'wallet' });
    expect(body.payment_method).toEqual({ type: 'wallet', id: body.id, saved: false, title: 'E-wallet' });
    expect(body).not.toHaveProperty('authorization_details');
  });

  it('decline ends the payment with the reason', async () => {
    const sandbox = await started();
    const body = { outcome: 'decline', reason: 'insufficient_funds' };
    expect((await control(sandbox, `/payments/${await pending(sandbox)}/pay`, body)).body).toMatchObject({
      status: 'canceled',
      paid: false,
      cancellation_details: { party: 'payment_network', reason: 'insufficient_funds' },
    });
  });

  it('abandon leaves the payment to its term', async () => {
    const sandbox = await started();
    const id = await pending(sandbox);
    expect(sandbox.payments.pay(id, { outcome: 'abandon' }).status).toBe('pending');
    await sandbox.clock.advance(60 * 60 * 1000);
    expect(sandbox.payments.get(id).cancellation_details?.reason).toBe('expired_on_confirmation');
  });

  it('is answered without waiting for the notification', async () => {
    const merchant = await receiver(() => 'never');
    const sandbox = await started({ notify: { url: merchant.url } });
    const id = await pending(sandbox);
    expect((await control(sandbox, `/payments/${id}/pay`, { outcome: 'succeed' })).status).toBe(200);
  });

  it('is refused for an unknown payment, a finished one, another method, an amount no card allows, a bad body', async () => {
    const sandbox = await started();
    const done = await held(sandbox);
    const fixed = await pending(sandbox, { payment_method_data: { type: 'wallet' } });
    const large = await pending(sandbox, { amount: { value: '350000.01', currency: 'RUB' } });
    const pay = async (id: string, body: unknown) =>
      (await control(sandbox, `/payments/${id}/pay`, body)).status;
    expect(await pay('none', { outcome: 'succeed' })).toBe(404);
    expect(await pay(done, { outcome: 'succeed' })).toBe(409);
    expect(await pay(fixed, { outcome: 'succeed', method: 'bank_card' })).toBe(409);
    expect(await pay(large, { outcome: 'succeed' })).toBe(409);
    expect(await pay(fixed, { outcome: 'maybe' })).toBe(400);
    expect(await pay(fixed, { outcome: 'succeed', method: 'cash' })).toBe(400);
    expect(await pay(fixed, { outcome: 'decline', reason: 'No Money' })).toBe(400);
    expect(() => sandbox.payments.pay('none', { outcome: 'succeed' })).toThrow(ControlError);
  });
});

describe('the ledger', () => {
  it('lists every charge, capture and cancel with its key, and their sums', async () => {
    const sandbox = await started();
    const created = await post(sandbox, '/v3/payments', 'create-1', order());
    const id = String(created.body['id']);
    sandbox.payments.pay(id, { outcome: 'succeed' });
    await post(sandbox, `/v3/${id}/capture`, 'capture-1', { amount: { value: '1000.00', currency: 'RUB' } });
    const other = await held(sandbox);
    await post(sandbox, `/v3/${other}/cancel`, 'cancel-1');
    const declined = await pending(sandbox);
    sandbox.payments.pay(declined, { outcome: 'decline' });

    const { body } = await control(sandbox, '/ledger', undefined, 'GET');
    expect(body).toEqual(JSON.parse(JSON.stringify(sandbox.ledger.report())));
    const at = expect.any(String);
    expect(body['entries']).toEqual([
      { kind: 'charge', paymentId: id, amount: '1234.50', at, requestKey: 'create-1' },
      { kind: 'capture', paymentId: id, amount: '1000.00', at, requestKey: 'capture-1' },
      { kind: 'charge', paymentId: other, amount: '1234.50', at, requestKey: expect.stringMatching(/^new-/) },
      { kind: 'cancel', paymentId: other, amount: '1234.50', at, requestKey: 'cancel-1' },
      { kind: 'cancel', paymentId: declined, amount: '0.00', at, requestKey: null },
    ]);
    expect(body['payments']).toMatchObject({
      [id]: { charges: 1, captures: 1, cancels: 0, charged: '1234.50', captured: '1000.00' },
      [other]: { charges: 1, captures: 0, cancels: 1 },
      [declined]: { charges: 0, captures: 0, cancels: 1, charged: '0.00' },
    });
    expect(sandbox.ledger.totals()).toMatchObject({ charges: 2, charged: '2469.00', captured: '1000.00' });
  });

  it('counts a one-stage payment as one charge and one capture', async () => {
    const sandbox = await started();
    const id = await pending(sandbox, { capture: true });
    sandbox.payments.pay(id, { outcome: 'succeed' });
    expect(sandbox.ledger.totals(id)).toEqual({
      charges: 1,
      captures: 1,
      cancels: 0,
      charged: '1234.50',
      captured: '1234.50',
      refunds: 0,
      refunded: '0.00',
    });
  });

  it('counts requests by endpoint, key and payment, including those a fault swallowed', async () => {
    const sandbox = await started();
    const id = await held(sandbox);
    sandbox.faults.order({ on: 'capture', fault: 'error_500_before_commit' });
    await post(sandbox, `/v3/${id}/capture`, 'c');
    await post(sandbox, `/v3/payments/${id}/capture`, 'c');
    await get(sandbox, `/v3/payments/${id}`);
    await get(sandbox, '/v3/payments');
    const { ledger } = sandbox;
    expect(ledger.requestCount({ endpoint: 'capture', requestKey: 'c', paymentId: id })).toBe(2);
    expect(ledger.requestCount({ endpoint: 'read', paymentId: id })).toBe(1);
    expect(ledger.requestCount({ endpoint: 'list' })).toBe(1);
    expect(ledger.requestCount({ requestKey: 'other' })).toBe(0);
    expect(ledger.requestCount()).toBe(5);
    expect(sandbox.payments.get(id).status).toBe('succeeded');
    expect(ledger.requestCount({ endpoint: 'read' })).toBe(1);
  });
});

describe('the control API', () => {
  it.each([
    ['localhost:4010', 200],
    ['127.0.0.1', 200],
    ['[::1]:4010', 200],
    ['shop.example', 403],
    ['127.0.0.1.shop.example', 403],
    ['localhost.shop.example:4010', 403],
    ['user@shop.example', 403],
  ])('answers Host %s with %i', async (host, status) => {
    const sandbox = await started();
    expect(await statusFor(`${sandbox.url}/sandbox/ledger`, host)).toBe(status);
  });

  it.each([
    ['127.0.0.1', 200],
    ['::1', 200],
    ['::ffff:127.0.0.1', 200],
    ['192.0.2.7', 403],
    ['::ffff:192.0.2.7', 403],
    ['2001:db8::7', 403],
  ])('answers %s with %i, whatever Host it names', async (address, status) => {
    const sandbox = await started();
    const from = (message: unknown) => {
      if (isFrom(message)) Object.defineProperty(message.socket, 'remoteAddress', { value: address });
    };
    subscribe('http.server.request.start', from);
    try {
      expect(await statusFor(`${sandbox.url}/sandbox/ledger`, '127.0.0.1:4010')).toBe(status);
      expect(await statusFor(`${sandbox.url}/sandbox/`, 'localhost')).toBe(status);
      expect(await statusFor(`${sandbox.url}/v3/payments`, '127.0.0.1:4010')).toBe(401);
    } finally {
      unsubscribe('http.server.request.start', from);
    }
  });

  it('answers 404 to an unknown call, 400 to a body that is not JSON', async () => {
    const sandbox = await started();
    expect((await control(sandbox, '/nothing')).status).toBe(404);
    const response = await fetch(`${sandbox.url}/sandbox/faults`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{',
    });
    expect(response.status).toBe(400);
  });

  it('lists payments newest first', async () => {
    const sandbox = await started();
    const ids = [await pending(sandbox), await pending(sandbox)];
    const { body } = await control(sandbox, '/payments', undefined, 'GET');
    expect(body).toMatchObject({ items: ids.toReversed().map((id) => ({ id })) });
  });
});

describe('the life of a sandbox', () => {
  it('ends with close, even while requests stall, and a second close changes nothing', async () => {
    const sandbox = await startSandbox(shop);
    sandbox.faults.order({ on: 'list', fault: 'stall' });
    const stalled = fetch(`${sandbox.url}/v3/payments`, { headers: { Authorization: basic } });
    const failure = stalled.catch(String);
    while (sandbox.ledger.requestCount() === 0) await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([sandbox.close(), sandbox.close()]);
    expect(await failure).toContain('fetch failed');
    await expect(fetch(sandbox.url)).rejects.toThrow('fetch failed');
  });

  it.each(['0.0.0.0', '::'])('that listens on %s is reached, and controlled, on 127.0.0.1', async (host) => {
    const sandbox = await started({ host });
    expect(sandbox.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await control(sandbox, '/ledger', undefined, 'GET')).status).toBe(200);
  });

  it('cannot start on a port that is in use', async () => {
    const sandbox = await started();
    await expect(startSandbox({ ...shop, port: Number(new URL(sandbox.url).port) })).rejects.toThrow(
      'EADDRINUSE',
    );
  });
});

/** A message of Node about the beginning of a request. */
function isFrom(message: unknown): message is { socket: Socket } {
  return typeof message === 'object' && message !== null && 'socket' in message;
}

async function statusFor(url: string, host: string): Promise<number | undefined> {
  const [response] = await once(http.get(url, { headers: { Host: host }, agent: false }), 'response');
  return response instanceof http.IncomingMessage ? response.resume().statusCode : undefined;
}
