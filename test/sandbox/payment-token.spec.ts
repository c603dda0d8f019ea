import type { Sandbox } from '@holdfast/sandbox';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { order, post, refusal, started, type Json, type Reply } from './support.js';

const selling = () => started({ profile: 'yookassa' });
const token = 'eyJ0eXBlIjoiY2FyZCJ9+/==';
let keys = 0;

const create = (sandbox: Sandbox, more: Json = {}): Promise<Reply> =>
  post(
    sandbox,
    '/v3/payments',
    `token-${(keys += 1)}`,
    order({ confirmation: undefined, payment_token: token, ...more }),
  );

describe('a payment by the token of a form', () => {
  it.each([
    [true, 'succeeded'],
    [false, 'waiting_for_capture'],
  ])('with capture: %s is %s at once', async (capture, status) => {
    const sandbox = await selling();
    const reply = await create(sandbox, { capture });
    expect(reply).toMatchObject({
      status: 200,
      body: { status, payment_method: { type: 'bank_card', card: { last4: '4444' } } },
    });
    expect(sandbox.ledger.totals(String(reply.body['id'])).charges).toBe(1);
    expect(JSON.stringify(reply.body)).not.toContain(token);
  });

  it('fails for the reason that the token names', async () => {
    expect(
      (await create(await selling(), { payment_token: 'decline:insufficient_funds' })).body,
    ).toMatchObject({
      status: 'canceled',
      cancellation_details: { party: 'payment_network', reason: 'insufficient_funds' },
    });
  });

  it('waits for 3-D Secure where the merchant requires it, and needs none otherwise', async () => {
    const sandbox = await selling();
    const confirmation = { type: 'redirect', return_url: 'https://shop.example/' };
    const { body } = await create(sandbox, {
      capture: true,
      confirmation: { ...confirmation, enforce: true },
    });
    const page = `${sandbox.url}/checkout/${String(body['id'])}/3ds`;
    expect(body).toMatchObject({ status: 'pending', confirmation: { confirmation_url: page } });
    sandbox.payments.pay(String(body['id']), { outcome: 'succeed' });
    expect(sandbox.payments.get(String(body['id']))).toMatchObject({
      status: 'succeeded',
      authorization_details: { three_d_secure: { applied: true } },
    });
    const another = { payment_token: 'another', capture: true, confirmation };
    expect((await create(sandbox, another)).body).toMatchObject({ status: 'succeeded' });
  });

  it('saves the card where the shop asks for that', async () => {
    const sandbox = await selling();
    const { body } = await create(sandbox, { capture: true, save_payment_method: true });
    expect(sandbox.paymentMethods.list()).toMatchObject([{ id: body['id'], status: 'active' }]);
  });

  it('is made once, in the next run of a sandbox too, which has no token in its state', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-sandbox-spec-'));
    const kept = { profile: 'yookassa', stateFile: join(folder, 'kept.state') } as const;
    const first = await started(kept);
    expect((await create(first)).status).toBe(200);
    expect(await create(first)).toMatchObject(refusal('payment_token'));
    await first.close();
    expect((await readFile(kept.stateFile)).includes(token)).toBe(false);
    const second = await started(kept);
    expect(await create(second)).toMatchObject(refusal('payment_token'));
    await second.close();
    await rm(folder, { recursive: true });
  });

  it.each<[string, Json, string]>([
    ['an empty token', { payment_token: '' }, 'payment_token'],
    ['a token of 10,241 characters', { payment_token: 'x'.repeat(10_241) }, 'payment_token'],
    ['a method beside it', { payment_method_data: { type: 'bank_card' } }, 'payment_method_data'],
    ['a saved method beside it', { payment_method_id: 'x' }, 'payment_method_id'],
  ])('is refused with %s', async (_what, more, parameter) => {
    const sandbox = await selling();
    expect(await create(sandbox, more)).toMatchObject(refusal(parameter));
    expect(sandbox.payments.list()).toEqual([]);
  });

  it('is no part of the interface, whose service asks the buyer', async () => {
    const sandbox = await started();
    expect((await create(sandbox)).status).toBe(400);
  });
});
