import { order, post, refusal, started, type Json } from './support.js';

describe('the other fields of a creation', () => {
  it('merchant_customer_id comes back in the answer', async () => {
    const sandbox = await started();
    const { body } = await post(sandbox, '/v3/payments', 'k', order({ merchant_customer_id: 'c-7' }));
    expect(body).toMatchObject({ merchant_customer_id: 'c-7' });
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
