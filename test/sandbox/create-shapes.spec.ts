import { order, post, refusal, started, type Json } from './support.js';

describe('the other fields of a create request', () => {
  it('merchant_customer_id comes back in the answer', async () => {
    const sandbox = await started();
    const { body } = await post(sandbox, '/v3/payments', 'k', order({ merchant_customer_id: 'c-7' }));
    expect(body).toMatchObject({ merchant_customer_id: 'c-7' });
  });

  it('metadata comes back, and is an empty object if there is none', async () => {
    const sandbox = await started();
    const metadataOf = async (key: string, fields: Json) =>
      (await post(sandbox, '/v3/payments', key, order(fields))).body['metadata'];
    expect(await metadataOf('k1', { metadata: { basket: '7' } })).toEqual({ basket: '7' });
    expect(await metadataOf('k2', { metadata: {} })).toEqual({});
    expect(await metadataOf('k3', {})).toEqual({});
  });

  it('description and the names in metadata are counted in characters, beyond the 16-bit range too', async () => {
    const sandbox = await started();
    const fits = { description: '😀'.repeat(128), metadata: { ['😀'.repeat(32)]: '😀'.repeat(512) } };
    expect((await post(sandbox, '/v3/payments', 'k', order(fits))).body).toMatchObject(fits);
    expect(await post(sandbox, '/v3/payments', 'l', order({ description: '😀'.repeat(129) }))).toMatchObject(
      refusal('description'),
    );
  });

  it('thirteen whole digits are an amount, and fourteen are none', async () => {
    const sandbox = await started();
    const amount = { value: '9999999999999.99', currency: 'RUB' };
    expect((await post(sandbox, '/v3/payments', 'k', order({ amount }))).body).toMatchObject({ amount });
    const beyond = { ...amount, value: '10000000000000.00' };
    expect(await post(sandbox, '/v3/payments', 'l', order({ amount: beyond }))).toMatchObject(
      refusal('amount.value'),
    );
  });

  it('enforce asks for 3-D Secure, and the payment shows that it was applied', async () => {
    const sandbox = await started();
    const confirmation = { type: 'redirect', return_url: 'http://shop.test/back', enforce: true };
    const { body } = await post(sandbox, '/v3/payments', 'k', order({ confirmation }));
    const paid = sandbox.payments.pay(String(body['id']), { outcome: 'succeed' });
    expect(paid.authorization_details).toMatchObject({ three_d_secure: { applied: true } });
  });

  it('tolerates fields it does not know, as real clients send them', async () => {
    const sandbox = await started();
    const { status } = await post(
      sandbox,
      '/v3/payments',
      'k',
      order({ receipt: { items: [] }, client_ip: '127.0.0.1', recipient: { gateway_id: '1' } }),
    );
    expect(status).toBe(200);
  });

  it.each<[string, Json, string]>([
    ['a text for save_payment_method', { save_payment_method: 'yes' }, 'save_payment_method'],
    ['a long merchant_customer_id', { merchant_customer_id: 'c'.repeat(201) }, 'merchant_customer_id'],
    ['a number for merchant_customer_id', { merchant_customer_id: 7 }, 'merchant_customer_id'],
    ['a number for the description', { description: 7 }, 'description'],
    ['a text for metadata', { metadata: 'order 7' }, 'metadata'],
    ['a text for the amount', { amount: '1.00' }, 'amount'],
    ['a text for the confirmation', { confirmation: 'redirect' }, 'confirmation'],
  ])('refuses %s', async (_what, overrides, parameter) => {
    const sandbox = await started();
    expect(await post(sandbox, '/v3/payments', 'k', order(overrides))).toMatchObject(refusal(parameter));
  });

  it('refuses a body that is a list', async () => {
    const sandbox = await started();
    expect(await post(sandbox, '/v3/payments', 'k', [order()])).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', description: 'Needs a JSON object as its body' },
    });
  });
});
