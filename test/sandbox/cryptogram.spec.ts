import type { Sandbox } from '@holdfast/sandbox';
import { basicOf, order, post, refusal, started, realShop, type Json, type Reply } from './support.js';

const hour = 60 * 60 * 1000;

const create = (sandbox: Sandbox, overrides: Json = {}, data: Json = {}): Promise<Reply> =>
  post(
    sandbox,
    '/v3/payments',
    'k',
    order({
      confirmation: undefined,
      payment_method_data: { type: 'wallet_pay', payment_method_token: 'cryptogram', ...data },
      ...overrides,
    }),
    basicOf(realShop),
  );

describe('a wallet cryptogram', () => {
  it('holds the money at once for six hours, without a confirmation', async () => {
    const sandbox = await started(realShop);
    const { body } = await create(sandbox);
    expect(body).toMatchObject({
      status: 'waiting_for_capture',
      paid: true,
      refundable: false,
      payment_method: { type: 'wallet_pay', saved: false },
      authorization_details: {
        rrn: expect.stringMatching(/^\d{12}$/),
        auth_code: expect.stringMatching(/^\d{6}$/),
        three_d_secure: { applied: false },
      },
    });
    expect(body).not.toHaveProperty('confirmation');
    const holdMs = Date.parse(String(body['expires_at'])) - Date.parse(String(body['created_at']));
    expect(Math.floor(holdMs / 60_000)).toBe(6 * 60);
    await sandbox.clock.advance(6 * hour);
    expect(sandbox.payments.get(String(body['id']))).toMatchObject({
      status: 'canceled',
      cancellation_details: { reason: 'expired_on_capture' },
    });
  });

  it('succeeds at once with capture', async () => {
    const sandbox = await started(realShop);
    expect((await create(sandbox, { capture: true })).body).toMatchObject({ status: 'succeeded' });
    expect(sandbox.ledger.totals()).toMatchObject({ charges: 1, captures: 1, captured: '1234.50' });
  });

  it('that is declined ends canceled with its reason, and no money moves', async () => {
    const sandbox = await started(realShop);
    const { body } = await create(sandbox, {}, { payment_method_token: 'decline:insufficient_funds' });
    expect(body).toMatchObject({
      status: 'canceled',
      paid: false,
      cancellation_details: { party: 'payment_network', reason: 'insufficient_funds' },
    });
    expect(sandbox.ledger.totals().charges).toBe(0);
  });

  it('is not shown again', async () => {
    const sandbox = await started(realShop);
    await create(sandbox, {}, { payment_method_token: 'c1pher' });
    expect(JSON.stringify([sandbox.payments.list(), sandbox.ledger.report()])).not.toContain('c1pher');
  });

  it.each<[string, Json, Json, string]>([
    ['no token', {}, { payment_method_token: undefined }, 'payment_method_data.payment_method_token'],
    ['an empty token', {}, { payment_method_token: '' }, 'payment_method_data.payment_method_token'],
    ['a number for the token', {}, { payment_method_token: 5 }, 'payment_method_data.payment_method_token'],
    [
      'a confirmation',
      { confirmation: { type: 'redirect', return_url: 'http://shop.test/back' } },
      {},
      'confirmation',
    ],
  ])('is refused with %s', async (_what, overrides, data, parameter) => {
    const sandbox = await started(realShop);
    expect(await create(sandbox, overrides, data)).toMatchObject(refusal(parameter));
    expect(sandbox.payments.list()).toEqual([]);
  });
});
