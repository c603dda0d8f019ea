import type { Sandbox } from '@holdfast/sandbox';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  basicOf,
  bearer,
  control,
  get,
  post,
  realShop,
  refusal,
  started,
  token,
  type Json,
  type Reply,
} from './support.js';

const authorization = basicOf(realShop);
const options = { ...realShop, profile: 'yookassa' } as const;
const DAY_MS = 86_400_000;
const roubles = (value: string) => ({ value, currency: 'RUB' });
const cups = { description: 'Cup', price: roubles('150.00'), discount_price: roubles('100.00'), quantity: 2 };
const tea = { description: 'Tea, kg', price: roubles('300.00'), quantity: 0.5 };
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

let keys = 0;
const issue = (sandbox: Sandbox, more: Json = {}, by = authorization): Promise<Reply> =>
  post(
    sandbox,
    '/v3/invoices',
    `invoice-${(keys += 1)}`,
    {
      payment_data: { amount: roubles('350.00'), capture: true },
      cart: [cups, tea],
      expires_at: inDays(2),
      delivery_method_data: { type: 'self' },
      ...more,
    },
    by,
  );
const issued = async (sandbox: Sandbox, more: Json = {}) => String((await issue(sandbox, more)).body['id']);
const read = async (sandbox: Sandbox, id: string) =>
  (await get(sandbox, `/v3/invoices/${id}`, authorization)).body;
const send = (sandbox: Sandbox, path: string) =>
  post(sandbox, `/v3/payments/${path}`, `move-${(keys += 1)}`, {}, authorization);

describe('an invoice', () => {
  it('is answered as it was issued, with the page where it is paid', async () => {
    const sandbox = await started(options);
    const expires = inDays(2);
    const { status, body } = await issue(sandbox, {
      description: 'Order 7',
      metadata: { no: '7' },
      expires_at: expires,
    });
    expect(status).toBe(200);
    const id = String(body['id']);
    expect(body).toEqual({
      id: expect.stringMatching(/^in-.{36}$/),
      status: 'pending',
      cart: [cups, tea],
      created_at: expect.any(String),
      expires_at: expires,
      delivery_method: { type: 'self', url: `${sandbox.url}/invoice/${id}` },
      description: 'Order 7',
      metadata: { no: '7' },
    });
    expect(await read(sandbox, id)).toEqual(body);
    const mailed = { delivery_method_data: { type: 'email', email: 'buyer@shop.example' } };
    expect((await issue(sandbox, mailed)).body['delivery_method']).toEqual({ type: 'email' });
  });

  it('is paid by a payment of its own, after one that failed', async () => {
    const sandbox = await started(options);
    const id = await issued(sandbox);
    const failed = sandbox.invoices.pay(id, { outcome: 'decline' });
    expect(failed).toMatchObject({ status: 'canceled', invoice_details: { id } });
    expect(await read(sandbox, id)).toMatchObject({ status: 'pending' });
    const paid = sandbox.invoices.pay(id, { outcome: 'succeed', method: 'sbp' });
    expect(paid).toMatchObject({ status: 'succeeded', amount: roubles('350.00'), invoice_details: { id } });
    const body = await read(sandbox, id);
    expect(body).toMatchObject({
      status: 'succeeded',
      payment_details: { id: paid.id, status: 'succeeded' },
    });
    expect(body).not.toHaveProperty('expires_at');
    expect(body).not.toHaveProperty('delivery_method');
    expect(() => sandbox.invoices.pay(id, { outcome: 'succeed' })).toThrow('is succeeded, not pending');
  });

  it('is paid on its page, where a try that is under way goes on', async () => {
    const sandbox = await started(options);
    const id = await issued(sandbox);
    const page = `${sandbox.url}/invoice/${id}`;
    expect(await (await fetch(page)).text()).toContain('350,00');
    const start = async () =>
      (await fetch(`${page}/pay`, { method: 'POST', redirect: 'manual' })).headers.get('location');
    const address = await start();
    expect(address).toMatch(/^\/checkout\//);
    expect(await start()).toBe(address);
    sandbox.payments.pay(address?.split('/')[2] ?? '', { outcome: 'succeed' });
    expect(await (await fetch(page)).text()).toContain('This invoice is paid');
    expect((await fetch(`${sandbox.url}/invoice/none`)).status).toBe(404);
  });

  it.each([
    ['capture', { status: 'succeeded', payment_details: { status: 'succeeded' } }],
    [
      'cancel',
      { status: 'canceled', cancellation_details: { party: 'merchant', reason: 'payment_canceled' } },
    ],
  ])('that holds the money goes the way of the hold: %s', async (move, end) => {
    const sandbox = await started(options);
    const id = await issued(sandbox, { payment_data: { amount: roubles('350.00') } });
    const held = sandbox.invoices.pay(id, { outcome: 'succeed' });
    expect(await read(sandbox, id)).toMatchObject({
      status: 'succeeded',
      payment_details: { id: held.id, status: 'waiting_for_capture' },
    });
    await send(sandbox, `${held.id}/${move}`);
    expect(await read(sandbox, id)).toMatchObject(end);
  });

  it('ends with a hold that ran out, by its own term, or by the shop', async () => {
    const sandbox = await started(options);
    const [held, forgotten, withdrawn] = [
      await issued(sandbox, { payment_data: { amount: roubles('350.00') } }),
      await issued(sandbox),
      await issued(sandbox),
    ];
    sandbox.invoices.pay(held, { outcome: 'succeed' });
    expect((await control(sandbox, `/invoices/${withdrawn}/cancel`, {})).body).toMatchObject({
      cancellation_details: { party: 'merchant', reason: 'invoice_canceled' },
    });
    await sandbox.clock.advance(8 * DAY_MS);
    const reason = async (id: string) => (await read(sandbox, id))['cancellation_details'];
    expect(await reason(held)).toEqual({ party: 'yoo_money', reason: 'payment_expired_on_capture' });
    expect(await reason(forgotten)).toEqual({ party: 'yoo_money', reason: 'invoice_expired' });
  });

  it('is kept for the next run', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-sandbox-spec-'));
    const kept = { ...options, stateFile: join(folder, 'kept.state') };
    const first = await started(kept);
    const id = await issued(first);
    await first.close();
    const second = await started(kept);
    expect(second.invoices.get(id).status).toBe('pending');
    await second.clock.advance(2 * DAY_MS);
    expect(second.invoices.get(id)).toMatchObject({ cancellation_details: { reason: 'invoice_expired' } });
    await second.close();
    await rm(folder, { recursive: true });
  });

  it('needs a receipt where payments do', async () => {
    const receipts = { scenario: 'with_payment', provider: 'atol' } as const;
    const sandbox = await started({ ...options, receipts });
    expect(await issue(sandbox)).toMatchObject(refusal('receipt'));
    const items = [{ description: 'Tea', amount: roubles('350.00'), quantity: 1, vat_code: 11 }];
    const receipt = { customer: { email: 'buyer@shop.example' }, items };
    const id = await issued(sandbox, { payment_data: { amount: roubles('350.00'), capture: true, receipt } });
    sandbox.invoices.pay(id, { outcome: 'succeed' });
    await sandbox.clock.advance(2_000);
    expect(sandbox.ledger.receiptsShort()).toEqual([]);
    expect(sandbox.receipts.list()).toHaveLength(1);
  });

  it.each<[string, Json, string]>([
    ['no payment data', { payment_data: undefined }, 'payment_data'],
    ['an odd amount', { payment_data: { amount: roubles('0.00') } }, 'payment_data.amount.value'],
    ['no cart', { cart: undefined }, 'cart'],
    ['a cart of another sum', { cart: [cups] }, 'cart'],
    ['a line without a name', { cart: [{ ...cups, description: '' }, tea] }, 'cart[0].description'],
    ['a line without a quantity', { cart: [cups, { ...tea, quantity: 0 }] }, 'cart[1].quantity'],
    ['no end', { expires_at: undefined }, 'expires_at'],
    ['an end in the past', { expires_at: inDays(-1) }, 'expires_at'],
    ['an end in 31 days', { expires_at: inDays(31) }, 'expires_at'],
    ['another delivery', { delivery_method_data: { type: 'dove' } }, 'delivery_method_data.type'],
    ['no phone', { delivery_method_data: { type: 'sms' } }, 'delivery_method_data.phone'],
    ['no e-mail', { delivery_method_data: { type: 'email' } }, 'delivery_method_data.email'],
    [
      'too little for an SMS',
      {
        payment_data: { amount: roubles('99.99') },
        cart: [{ description: 'Tea', price: roubles('99.99'), quantity: 1 }],
        delivery_method_data: { type: 'sms', phone: '79001234567' },
      },
      'payment_data.amount.value',
    ],
  ])('is refused with %s', async (_what, more, parameter) => {
    expect(await issue(await started(options), more)).toMatchObject(refusal(parameter));
  });

  it('is for shops with their own key, of the public service, that are no demo stores', async () => {
    const sandbox = await started({ ...options, accessToken: token });
    const id = await issued(sandbox);
    expect((await issue(sandbox, {}, bearer)).status).toBe(401);
    expect((await get(sandbox, `/v3/invoices/${id}`, bearer)).status).toBe(401);
    const demo = await started({ profile: 'yookassa' });
    expect((await issue(demo, {}, basicOf({ ...realShop, shopId: 'test_shop' }))).status).toBe(403);
    expect((await issue(await started(realShop))).status).toBe(404);
  });
});
