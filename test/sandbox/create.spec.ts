import { canaries } from '../support/canaries.js';
import {
  basic,
  basicOf,
  call,
  get,
  order,
  pending,
  post,
  realShop,
  refusal,
  shop,
  started,
  type Json,
} from './support.js';

const uuid = /^[0-9a-f-]{36}$/;

describe('creating a payment', () => {
  it('answers a pending payment as the interface shows it', async () => {
    const sandbox = await started({ startAt: new Date('2030-01-02T03:04:05.678Z') });
    const { status, body } = await post(
      sandbox,
      '/v3/payments',
      'k1',
      order({
        description: 'Order 7',
        metadata: { order: '7' },
        payment_method_data: { type: 'bank_card' },
      }),
    );
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(uuid),
      status: 'pending',
      paid: false,
      amount: { value: '1234.50', currency: 'RUB' },
      confirmation: {
        type: 'redirect',
        return_url: 'http://shop.test/back',
        confirmation_url: `${sandbox.url}/checkout/${String(body['id'])}`,
      },
      created_at: expect.stringMatching(/^2030-01-02T03:04:\d\d\.\d{3}Z$/),
      description: 'Order 7',
      metadata: { order: '7' },
      payment_method: { type: 'bank_card', id: expect.stringMatching(uuid), saved: false },
      recipient: { account_id: 'test_shop', gateway_id: expect.stringMatching(/^\d+$/) },
      refundable: false,
      test: true,
    });
  });

  it('holds the money if capture is omitted', async () => {
    const sandbox = await started();
    const id = await pending(sandbox);
    expect(sandbox.payments.pay(id, { outcome: 'succeed' }).status).toBe('waiting_for_capture');
  });

  it('holds the money if capture is false: paid, not refundable, until its expires_at', async () => {
    const sandbox = await started();
    const id = await pending(sandbox, { capture: false });
    sandbox.payments.pay(id, { outcome: 'succeed' });
    const { body } = await get(sandbox, `/v3/payments/${id}`);
    expect(body).toMatchObject({
      status: 'waiting_for_capture',
      paid: true,
      refundable: false,
      expires_at: expect.stringMatching(/T\d\d:\d\d:\d\d\.\d{3}Z$/),
      authorization_details: { three_d_secure: { applied: false } },
    });
    for (const field of ['confirmation', 'captured_at', 'income_amount', 'refunded_amount'])
      expect(body).not.toHaveProperty(field);
  });

  it('does not mark the payments of a real shop as test', async () => {
    const sandbox = await started({ shopId: '4711' });
    const authorization = `Basic ${Buffer.from(`4711:${shop.secretKey}`).toString('base64')}`;
    const { body } = await call(`${sandbox.url}/v3/payments`, {
      method: 'POST',
      headers: { Authorization: authorization, 'Idempotence-Key': 'k', 'Content-Type': 'application/json' },
      body: JSON.stringify(order()),
    });
    expect(body).toMatchObject({ test: false, recipient: { account_id: '4711' } });
  });

  const redirect = { type: 'redirect', return_url: 'http://shop.test/back' };
  const refused: [string, Json, string][] = [
    ['no amount', { amount: undefined }, 'amount'],
    ['one fractional digit', { amount: { value: '1.5', currency: 'RUB' } }, 'amount.value'],
    ['a number for the value', { amount: { value: 1.5, currency: 'RUB' } }, 'amount.value'],
    ['zero', { amount: { value: '0.00', currency: 'RUB' } }, 'amount.value'],
    ['a negative amount', { amount: { value: '-1.00', currency: 'RUB' } }, 'amount.value'],
    ['another currency', { amount: { value: '1.00', currency: 'USD' } }, 'amount.currency'],
    ['no confirmation', { confirmation: undefined }, 'confirmation'],
    ['another confirmation', { confirmation: { ...redirect, type: 'external' } }, 'confirmation.type'],
    ['no return_url', { confirmation: { type: 'redirect' } }, 'confirmation.return_url'],
    [
      'a script for return_url',
      { confirmation: { ...redirect, return_url: 'javascript:alert(1)' } },
      'confirmation.return_url',
    ],
    [
      'a long return_url',
      { confirmation: { ...redirect, return_url: `http://shop.test/${'a'.repeat(2048)}` } },
      'confirmation.return_url',
    ],
    ['a text for enforce', { confirmation: { ...redirect, enforce: 'yes' } }, 'confirmation.enforce'],
    ['a text for capture', { capture: 'true' }, 'capture'],
    ['a long description', { description: 'a'.repeat(129) }, 'description'],
    ['an unknown method', { payment_method_data: { type: 'cash' } }, 'payment_method_data.type'],
    [
      'an invalid card',
      { payment_method_data: { type: 'bank_card', card: { number: '4' } } },
      'payment_method_data.card.number',
    ],
    [
      '17 metadata keys',
      { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`k${i}`, 'v'])) },
      'metadata',
    ],
    ['a long metadata key', { metadata: { ['k'.repeat(33)]: 'v' } }, 'metadata'],
    ['a long metadata value', { metadata: { k: 'v'.repeat(513) } }, 'metadata'],
    ['a number in metadata', { metadata: { k: 1 } }, 'metadata'],
  ];

  it('refuses a method that only the buyer chooses, and says which a request can name', async () => {
    const sandbox = await started(realShop);
    const named = order({ payment_method_data: { type: 'bank_app_pay' } });
    const reply = await post(sandbox, '/v3/payments', 'k', named, basicOf(realShop));
    expect(reply).toMatchObject(refusal('payment_method_data.type'));
    expect(reply.body['description']).toBe(
      "bank_app_pay is the buyer's choice on the payment page. A request to this store can name: bank_card, wallet, wallet_pay",
    );
  });

  it.each(refused)('refuses %s', async (_what, overrides, parameter) => {
    const sandbox = await started();
    const { status, body } = await post(sandbox, '/v3/payments', 'k', order(overrides));
    expect(status).toBe(400);
    expect(body).toEqual({
      type: 'error',
      id: expect.stringMatching(uuid),
      code: 'invalid_request',
      description: expect.any(String),
      parameter,
    });
    expect(sandbox.payments.list()).toEqual([]);
  });

  it('limits a bank card to 1.00 up to 350000.00, and a wallet to neither', async () => {
    const sandbox = await started();
    const statusOf = async (type: string, value: string) => {
      const body = order({ payment_method_data: { type }, amount: { value, currency: 'RUB' } });
      return (await post(sandbox, '/v3/payments', `${type} ${value}`, body)).status;
    };
    expect(await statusOf('bank_card', '0.99')).toBe(400);
    expect(await statusOf('bank_card', '1.00')).toBe(200);
    expect(await statusOf('bank_card', '350000.00')).toBe(200);
    expect(await statusOf('bank_card', '350000.01')).toBe(400);
    expect(await statusOf('wallet', '350000.01')).toBe(200);
  });

  it('accepts the longest description, metadata and return_url', async () => {
    const sandbox = await started();
    const metadata = Object.fromEntries(
      Array.from({ length: 16 }, (_, i) => [`${i}`.padStart(32, 'k'), 'v'.repeat(512)]),
    );
    const address = `http://shop.test/${'a'.repeat(2048 - 17)}`;
    const { status, body } = await post(
      sandbox,
      '/v3/payments',
      'k'.repeat(64),
      order({
        description: 'd'.repeat(128),
        metadata,
        confirmation: { type: 'redirect', return_url: address },
      }),
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({ metadata, confirmation: { return_url: address } });
  });
});

describe('the door of the REST API', () => {
  it.each([
    ['no credentials', undefined],
    ['a wrong key', `Basic ${Buffer.from('test_shop:wrong').toString('base64')}`],
    ['a wrong shop', `Basic ${Buffer.from(`other:${canaries.secretKey}`).toString('base64')}`],
    ['a token', `Bearer ${canaries.secretKey}`],
  ])('answers 401 to %s', async (_what, authorization) => {
    const sandbox = await started();
    const { status, body } = await call(`${sandbox.url}/v3/payments`, {
      ...(authorization !== undefined && { headers: { Authorization: authorization } }),
    });
    expect(status).toBe(401);
    expect(body).toMatchObject({ type: 'error', code: 'invalid_credentials' });
  });

  it('answers 404 for an unknown payment and for an unknown path', async () => {
    const sandbox = await started();
    for (const path of ['/v3/payments/none', '/v3/nothing']) {
      expect(await get(sandbox, path)).toMatchObject({
        status: 404,
        body: { type: 'error', code: 'not_found' },
      });
    }
  });

  it('answers 405 and 415 without a body', async () => {
    const sandbox = await started();
    const headers = { Authorization: basic, 'Idempotence-Key': 'k' };
    const put = await fetch(`${sandbox.url}/v3/payments`, { method: 'PUT', headers });
    const text = await fetch(`${sandbox.url}/v3/payments`, { method: 'POST', headers, body: 'amount=1' });
    expect([put.status, await put.text()]).toEqual([405, '']);
    expect([text.status, await text.text()]).toEqual([415, '']);
  });

  it('answers 400 to a body that is not JSON', async () => {
    const sandbox = await started();
    const headers = { Authorization: basic, 'Idempotence-Key': 'k', 'Content-Type': 'application/json' };
    const reply = await call(`${sandbox.url}/v3/payments`, { method: 'POST', headers, body: '{"amount":' });
    expect(reply).toMatchObject({ status: 400, body: { type: 'error', code: 'invalid_request' } });
  });
});
