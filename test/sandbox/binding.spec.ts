import type { Sandbox } from '@holdfast/sandbox';
import {
  basicOf,
  control,
  get,
  order,
  post,
  realShop,
  receiver,
  refusal,
  started,
  type Json,
  type Reply,
} from './support.js';

const HOUR_MS = 3_600_000;
const credentials = basicOf(realShop);
const BACK = 'https://shop.example/cards';
const redirect = { type: 'redirect', return_url: BACK };

const store = (options = {}): Promise<Sandbox> => started({ ...realShop, profile: 'yookassa', ...options });

let keys = 0;
const send = (sandbox: Sandbox, path: string, body: Json): Promise<Reply> =>
  post(sandbox, `/v3/${path}`, `key-${(keys += 1)}`, body, credentials);

const bind = (sandbox: Sandbox, type: string, more: Json = {}): Promise<Reply> =>
  send(sandbox, 'payment_methods', { type, confirmation: redirect, ...more });

async function pending(sandbox: Sandbox, type: string, more: Json = {}): Promise<string> {
  const { status, body } = await bind(sandbox, type, more);
  expect([status, body['status']]).toEqual([200, 'pending']);
  return String(body['id']);
}

const read = async (sandbox: Sandbox, id: string): Promise<Json> =>
  (await get(sandbox, `/v3/payment_methods/${id}`, credentials)).body;

const charge = (sandbox: Sandbox, id: string): Promise<Reply> =>
  send(sandbox, 'payments', order({ confirmation: undefined, capture: true, payment_method_id: id }));

const open = async (address: string, form?: Record<string, string>) => {
  const body = form && new URLSearchParams(form);
  const response = await fetch(address, { redirect: 'manual', ...(body && { method: 'POST', body }) });
  return { status: response.status, location: response.headers.get('location'), text: await response.text() };
};

const card = { number: '5555 5555 5555 4444', expiry: '12/39', csc: '123' };

describe('saving a method without a payment', () => {
  it('answers a pending card with the page to confirm it on', async () => {
    const sandbox = await store();
    const { body } = await bind(sandbox, 'bank_card', { metadata: { user: '7' } });
    const id = String(body['id']);
    expect(body).toEqual({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      type: 'bank_card',
      saved: false,
      status: 'pending',
      holder: { account_id: realShop.shopId, gateway_id: expect.any(String) },
      confirmation: { ...redirect, confirmation_url: `${sandbox.url}/binding/${id}` },
      metadata: { user: '7' },
    });
    expect(await read(sandbox, id)).toEqual(body);
    expect(await charge(sandbox, id)).toMatchObject(refusal('payment_method_id'));
  });

  it('keeps a card that was typed, announces it, and charges it', async () => {
    const shop = await receiver();
    const sandbox = await store({ notify: { url: shop.url } });
    const id = await pending(sandbox, 'bank_card');
    const address = `${sandbox.url}/binding/${id}`;
    expect((await open(address)).text).toContain('Save a card');
    expect((await open(address, card)).location).toBe(BACK);
    const saved = await read(sandbox, id);
    expect(saved).toMatchObject({ saved: true, status: 'active', title: 'Bank card *4444' });
    expect(saved).not.toHaveProperty('confirmation');
    await sandbox.clock.advance(0);
    expect(shop.received[0]?.body).toEqual({
      type: 'notification',
      event: 'payment_method.active',
      object: saved,
    });
    expect((await charge(sandbox, id)).body).toMatchObject({ status: 'succeeded', payment_method: { id } });
    expect((await open(address)).text).toContain('data-status="active"');
  });

  it('lets a buyer whose card was refused try another', async () => {
    const sandbox = await store();
    const id = await pending(sandbox, 'bank_card');
    const address = `${sandbox.url}/binding/${id}`;
    const refused = await open(address, { ...card, number: '5555555555554600' });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('not enough money')]);
    expect((await open(address, { ...card, csc: '1' })).text).toContain('data-testid="csc-error"');
    expect((await read(sandbox, id))['status']).toBe('pending');
    expect((await open(address, card)).location).toBe(BACK);
  });

  it.each([
    ['redirect', redirect],
    ['qr', { type: 'qr' }],
  ])('keeps an SBP account by %s', async (type, confirmation) => {
    const sandbox = await store();
    const id = await pending(sandbox, 'sbp', { confirmation });
    const bank = `${sandbox.url}/binding/${id}/bank`;
    const shown = (await read(sandbox, id))['confirmation'];
    expect(shown).toMatchObject(type === 'qr' ? { confirmation_data: bank } : { return_url: BACK });
    expect((await open(`${sandbox.url}/binding/${id}`)).text).toContain('data-testid="qr-code"');
    expect((await open(bank)).text).toContain('data-testid="confirm"');
    await open(bank, {});
    expect(await read(sandbox, id)).toMatchObject({
      type: 'sbp',
      status: 'active',
      payer_bank_details: { bank_id: expect.stringMatching(/^\d{12}$/) },
    });
    expect(await read(sandbox, id)).not.toHaveProperty('sbp_operation_id');
    expect((await charge(sandbox, id)).body).toMatchObject({
      status: 'succeeded',
      payment_method: { type: 'sbp', id, sbp_operation_id: expect.any(String) },
    });
  });

  it('keeps nothing where the buyer refuses, or takes longer than an hour', async () => {
    const sandbox = await store();
    const [refused, late] = [await pending(sandbox, 'bank_card'), await pending(sandbox, 'sbp')];
    expect((await open(`${sandbox.url}/binding/${refused}/refuse`, {})).location).toBe(BACK);
    await sandbox.clock.advance(HOUR_MS - 60_000);
    expect((await read(sandbox, late))['status']).toBe('pending');
    await sandbox.clock.advance(60_000);
    for (const id of [refused, late])
      expect(await read(sandbox, id)).toMatchObject({ status: 'inactive', saved: false });
    expect((await open(`${sandbox.url}/binding/${late}/bank`, {})).text).toContain('It was not saved.');
    expect((await read(sandbox, late))['status']).toBe('inactive');
    expect((await open(`${sandbox.url}/binding/none`)).status).toBe(404);
  });

  it('is confirmed or refused by the control API too, and by buttons', async () => {
    const sandbox = await store();
    const confirm = (id: string, outcome: string) =>
      control(sandbox, `/payment_methods/${id}/confirm`, { outcome });
    const [good, bad, left] = [
      await pending(sandbox, 'sbp'),
      await pending(sandbox, 'bank_card'),
      await pending(sandbox, 'sbp'),
    ];
    expect((await confirm(good, 'succeed')).body).toMatchObject({ id: good, status: 'active' });
    expect((await confirm(bad, 'decline')).body).toMatchObject({ id: bad, status: 'inactive' });
    expect((await confirm(left, 'abandon')).body).toMatchObject({ id: left, status: 'pending' });
    expect([await confirm(good, 'succeed'), await confirm('none', 'succeed')]).toMatchObject([
      { status: 409 },
      { status: 404 },
    ]);
    expect((await open(`${sandbox.url}/sandbox/pages/objects`)).text).toContain(
      'data-testid="confirm-method-succeed"',
    );
    await open(`${sandbox.url}/sandbox/do/confirm-method`, { id: left, outcome: 'succeed' });
    expect((await read(sandbox, left))['status']).toBe('active');
  });

  it.each<[string, string, Json, string]>([
    ['another type', 'yoo_money', {}, 'type'],
    ['no confirmation', 'bank_card', { confirmation: undefined }, 'confirmation'],
    ['a code for a card', 'bank_card', { confirmation: { type: 'qr' } }, 'confirmation.type'],
    ['no way back', 'bank_card', { confirmation: { type: 'redirect' } }, 'confirmation.return_url'],
    ['odd metadata', 'sbp', { metadata: { user: 7 } }, 'metadata'],
  ])('is refused with %s', async (_what, type, more, parameter) => {
    expect(await bind(await store(), type, more)).toMatchObject(refusal(parameter));
  });

  it('has one answer under one key, and faults of its own', async () => {
    const sandbox = await store();
    const body = { type: 'sbp', confirmation: redirect };
    const again = () => post(sandbox, '/v3/payment_methods', 'once', body, credentials);
    sandbox.faults.order({ on: 'bind', fault: 'error_500_after_commit' });
    expect((await again()).status).toBe(500);
    expect((await again()).body['id']).toBe((await again()).body['id']);
    expect(sandbox.paymentMethods.list()).toHaveLength(1);
  });

  it('is not part of the interface', async () => {
    const sandbox = await started(realShop);
    expect((await bind(sandbox, 'bank_card')).status).toBe(404);
  });
});

describe('a store that cannot charge again', () => {
  it('is told so wherever it tries', async () => {
    const sandbox = await store();
    const id = await pending(sandbox, 'bank_card');
    sandbox.paymentMethods.confirm(id, { outcome: 'succeed' });
    await control(sandbox, `/stores/${realShop.shopId}/change`, { recurring: false });
    const forbidden = {
      status: 403,
      body: {
        type: 'error',
        code: 'forbidden',
        description: expect.stringMatching(/^This store can't make recurring payments/),
      },
    };
    for (const reply of [
      await bind(sandbox, 'bank_card'),
      await charge(sandbox, id),
      await send(sandbox, 'payments', order({ save_payment_method: true })),
    ]) {
      expect(reply).toMatchObject(forbidden);
      expect(reply.body).not.toHaveProperty('parameter');
    }
    expect((await send(sandbox, 'payments', order())).status).toBe(200);
  });
});
