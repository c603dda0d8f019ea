import { YooCheckout } from '@a2seven/yoo-checkout';
import type { Sandbox } from '@holdfast/sandbox';
import { receiver, shop, started } from '../sandbox/support.js';

const token = 'app-token';

/** The published client, unchanged; it has no option for its address, only a field. */
async function client(): Promise<{ sandbox: Sandbox; checkout: YooCheckout }> {
  const sandbox = await started({ profile: 'yookassa', accessToken: token });
  const checkout = new YooCheckout({ ...shop, token });
  Reflect.set(checkout, 'root', `${sandbox.url}/v3`);
  return { sandbox, checkout };
}

const order = {
  amount: { value: '1234.50', currency: 'RUB' },
  confirmation: { type: 'redirect', return_url: 'https://shop.test/back' },
} as const;

describe('the client @a2seven/yoo-checkout, unchanged, against the sandbox', () => {
  it('creates a payment and reads it', async () => {
    const { checkout } = await client();
    const created = await checkout.createPayment(
      { ...order, description: 'Order 7', capture: true },
      'key-1',
    );
    expect(created).toMatchObject({ status: 'pending', paid: false, amount: order.amount });
    expect(created.confirmation.confirmation_url).toContain('/checkout/');
    expect(await checkout.getPayment(created.id)).toEqual(created);
  });

  it('gets the same payment under the same key', async () => {
    const { checkout, sandbox } = await client();
    const first = await checkout.createPayment(order, 'key-1');
    const second = await checkout.createPayment(order, 'key-1');
    expect(second).toEqual(first);
    expect(sandbox.payments.list()).toHaveLength(1);
  });

  it('lists payments by status, page after page', async () => {
    const { checkout, sandbox } = await client();
    for (const key of ['key-1', 'key-2', 'key-3']) {
      const { id } = await checkout.createPayment({ ...order, capture: true }, key);
      if (key !== 'key-2') sandbox.payments.pay(id, { outcome: 'succeed', method: 'wallet' });
    }
    const page = await checkout.getPaymentList({ status: 'succeeded', limit: 1 });
    expect(page.items.map(({ status }) => status)).toEqual(['succeeded']);
    const rest = await checkout.getPaymentList({
      status: 'succeeded',
      limit: 1,
      cursor: Reflect.get(page, 'next_cursor'),
    });
    expect(rest.items).toHaveLength(1);
    expect(rest.items[0]?.id).not.toBe(page.items[0]?.id);
    expect(rest.items[0]?.payment_method.type).toBe('yoo_money');
  });

  it('captures a part of a hold', async () => {
    const { checkout, sandbox } = await client();
    const { id } = await checkout.createPayment({ ...order, capture: false });
    sandbox.payments.pay(id, { outcome: 'succeed' });
    const captured = await checkout.capturePayment(id, { amount: { value: '1000.00', currency: 'RUB' } });
    expect(captured).toMatchObject({ status: 'succeeded', amount: { value: '1000.00' } });
    expect(sandbox.ledger.totals(id)).toMatchObject({ captures: 1, captured: '1000.00' });
  });

  it('cancels a hold', async () => {
    const { checkout, sandbox } = await client();
    const { id } = await checkout.createPayment({ ...order, capture: false });
    sandbox.payments.pay(id, { outcome: 'succeed' });
    expect(await checkout.cancelPayment(id)).toMatchObject({
      status: 'canceled',
      cancellation_details: { party: 'merchant', reason: 'canceled_by_merchant' },
    });
  });

  it('refunds, reads the refund and lists it', async () => {
    const { checkout, sandbox } = await client();
    const { id } = await checkout.createPayment({ ...order, capture: true });
    sandbox.payments.pay(id, { outcome: 'succeed' });
    const refund = await checkout.createRefund({
      payment_id: id,
      amount: { value: '200.00', currency: 'RUB' },
    });
    expect(refund).toMatchObject({ payment_id: id, status: 'succeeded' });
    expect(await checkout.getRefund(refund.id)).toMatchObject({ id: refund.id });
    const { items } = await checkout.getRefundList({ payment_id: id });
    expect(items.map((item) => item.id)).toEqual([refund.id]);
    expect((await checkout.getPayment(id)).refunded_amount).toEqual({ value: '200.00', currency: 'RUB' });
  });

  it('subscribes to an event, is notified of its own payment, and unsubscribes', async () => {
    const { checkout, sandbox } = await client();
    const { url, events } = await receiver();
    const webhook = await checkout.createWebHook({ event: 'payment.succeeded', url });
    expect((await checkout.getWebHookList()).items).toMatchObject([
      { id: webhook.id, event: 'payment.succeeded', url },
    ]);
    await checkout.deleteWebHook(webhook.id);
    expect((await checkout.getWebHookList()).items).toEqual([]);
    const { id } = await checkout.createPayment({ ...order, capture: true });
    sandbox.payments.pay(id, { outcome: 'succeed' });
    await sandbox.clock.advance(60_000);
    expect(events()).toEqual([]);
  });

  it('reads the store', async () => {
    const { checkout } = await client();
    expect(await checkout.getShop()).toMatchObject({
      account_id: shop.shopId,
      test: true,
      status: 'enabled',
    });
  });

  it('gets the documented error of a capture in the wrong status', async () => {
    const { checkout } = await client();
    const { id } = await checkout.createPayment(order);
    await expect(checkout.capturePayment(id, { amount: order.amount })).rejects.toMatchObject({
      response: {
        status: 400,
        data: {
          type: 'error',
          code: 'invalid_request',
          description: 'Payment can not be captured in current status',
        },
      },
    });
  });

  it('gets the documented error of wrong credentials', async () => {
    const { sandbox } = await client();
    const stranger = new YooCheckout({ ...shop, secretKey: 'wrong' });
    Reflect.set(stranger, 'root', `${sandbox.url}/v3`);
    await expect(stranger.getPaymentList()).rejects.toMatchObject({
      response: { status: 401, data: { code: 'invalid_credentials' } },
    });
  });
});
