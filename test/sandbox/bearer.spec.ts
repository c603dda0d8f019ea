import { basic, bearer, call, get, order, post, started, token } from './support.js';

describe('the token of an app', () => {
  it('opens every endpoint that shop credentials open, on the same store', async () => {
    const sandbox = await started({ accessToken: token });
    const { status, body } = await post(sandbox, '/v3/payments', 'p', order(), bearer);
    expect(status).toBe(200);
    expect(body).toMatchObject({ recipient: { account_id: 'test_shop' } });
    const id = String(body['id']);
    expect((await get(sandbox, `/v3/payments/${id}`, basic)).body).toEqual(body);
    sandbox.payments.pay(id, { outcome: 'succeed' });
    expect((await post(sandbox, `/v3/${id}/capture`, 'c', {}, bearer)).body['status']).toBe('succeeded');
    const amount = { value: '1.00', currency: 'RUB' };
    expect((await post(sandbox, '/v3/refunds', 'r', { payment_id: id, amount }, bearer)).status).toBe(200);
    expect((await get(sandbox, '/v3/refunds', bearer)).status).toBe(200);
    expect((await get(sandbox, '/v3/payments', bearer)).status).toBe(200);
  });

  it('has Idempotence-Keys of its own', async () => {
    const sandbox = await started({ accessToken: token });
    const ofApp = await post(sandbox, '/v3/payments', 'k', order(), bearer);
    const ofShop = await post(sandbox, '/v3/payments', 'k', order());
    expect(ofShop.body['id']).not.toBe(ofApp.body['id']);
  });

  it.each([
    ['another token', 'Bearer other'],
    ['an empty token', 'Bearer '],
    ['the token as a password', `Basic ${Buffer.from(`:${token}`).toString('base64')}`],
    ['another scheme', `Token ${token}`],
  ])('is not %s', async (_what, authorization) => {
    const sandbox = await started({ accessToken: token });
    expect(await get(sandbox, '/v3/payments', authorization)).toMatchObject({
      status: 401,
      body: { type: 'error', code: 'invalid_credentials' },
    });
  });

  it('is answered with a challenge that names the schemes', async () => {
    const sandbox = await started({ accessToken: token });
    const { headers } = await fetch(`${sandbox.url}/v3/me`);
    expect(headers.get('www-authenticate')).toBe('Basic realm="sandbox", Bearer realm="sandbox"');
  });

  it('is required before the body is read', async () => {
    const sandbox = await started({ accessToken: token });
    const { status } = await call(`${sandbox.url}/v3/payments`, { method: 'POST', body: 'amount=1' });
    expect(status).toBe(401);
  });
});
