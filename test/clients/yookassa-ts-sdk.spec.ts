import type { Sandbox } from '@holdfast/sandbox';
import { CurrencyEnum, YooKassa, clearYooKassaCache, type YooKassaSdk } from '@webzaytsev/yookassa-ts-sdk';
import { shop, started } from '../sandbox/support.js';

const token = 'app-token';

async function client(): Promise<{ sandbox: Sandbox; sdk: YooKassaSdk }> {
  const sandbox = await started({ profile: 'yookassa', accessToken: token });
  clearYooKassaCache();
  const sdk = YooKassa({
    shop_id: shop.shopId,
    secret_key: shop.secretKey,
    token,
    endpoint: `${sandbox.url}/v3`,
    maxRPS: 1_000,
  });
  return { sandbox, sdk };
}

const order = {
  amount: { value: '1234.50', currency: CurrencyEnum.RUB },
  confirmation: { type: 'redirect', return_url: 'https://shop.test/back' },
} as const;

describe('the client @webzaytsev/yookassa-ts-sdk, unchanged, against the sandbox', () => {
  it('creates a payment and reads it', async () => {
    const { sdk } = await client();
    const created = await sdk.payments.create({ ...order, capture: true, metadata: { order: '7' } }, 'key-1');
    expect(created).toMatchObject({ status: 'pending', paid: false, amount: order.amount });
    expect(await sdk.payments.load(created.id)).toEqual(created);
  });

  it('reads every page of the list by itself', async () => {
    const { sdk } = await client();
    const made: string[] = [];
    for (let index = 0; index < 12; index += 1) made.push((await sdk.payments.create(order)).id);
    const listed = await sdk.payments.list({ limit: 5 });
    expect(listed.map(({ id }) => id)).toEqual(made.toReversed());
  });

  it('captures a hold', async () => {
    const { sdk, sandbox } = await client();
    const { id } = await sdk.payments.create({ ...order, capture: false });
    sandbox.payments.pay(id, { outcome: 'succeed' });
    expect(await sdk.payments.capture(id, {})).toMatchObject({ status: 'succeeded', amount: order.amount });
  });

  it('cancels a hold', async () => {
    const { sdk, sandbox } = await client();
    const { id } = await sdk.payments.create({ ...order, capture: false });
    sandbox.payments.pay(id, { outcome: 'succeed' });
    expect(await sdk.payments.cancel(id)).toMatchObject({ status: 'canceled' });
  });

  it('refunds, reads the refund and lists it', async () => {
    const { sdk, sandbox } = await client();
    const { id } = await sdk.payments.create({ ...order, capture: true });
    sandbox.payments.pay(id, { outcome: 'succeed' });
    const refund = await sdk.refunds.create({ payment_id: id, amount: order.amount }, 'refund-1');
    expect(await sdk.refunds.load(refund.id)).toEqual(refund);
    expect(await sdk.refunds.list({ payment_id: id })).toEqual([refund]);
    await expect(
      sdk.refunds.create({ payment_id: id, amount: order.amount }, 'refund-2'),
    ).rejects.toMatchObject({
      name: 'invalid_request',
      message: 'Payment is already completely refunded',
    });
  });

  it('subscribes, lists its webhooks and unsubscribes', async () => {
    const { sdk } = await client();
    const webhook = await sdk.webhooks.create({ event: 'refund.succeeded', url: 'https://shop.test/hook' });
    expect(await sdk.webhooks.list()).toEqual([webhook]);
    await sdk.webhooks.delete(webhook.id);
    expect(await sdk.webhooks.list()).toEqual([]);
  });

  it('gets the documented error of a wrong field', async () => {
    const { sdk } = await client();
    await expect(
      sdk.payments.create({ ...order, amount: { value: '0.00', currency: CurrencyEnum.RUB } }),
    ).rejects.toMatchObject({
      name: 'invalid_request',
      message: 'Needs a decimal string above zero with two fractional digits',
    });
  });

  it('sends again under the same key after a 500 whose request had taken effect', async () => {
    const { sdk, sandbox } = await client();
    sandbox.faults.order({ on: 'create', fault: 'error_500_after_commit' });
    const { id } = await sdk.payments.create(order);
    expect(sandbox.payments.list().map((payment) => payment.id)).toEqual([id]);
  });
});
