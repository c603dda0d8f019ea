import { OwnerBrowser } from '../../tools/soak/stage/owner-browser.js';
import { app, connected, exchange, granted, start } from './oauth-support.js';
import { get, order, post, receiver, started } from './support.js';

const withApp = () => started({ apps: [app] });

describe('a store is connected', () => {
  it('from sign-in and consent to a token that acts for the chosen store', async () => {
    const sandbox = await withApp();
    const browser = new OwnerBrowser(sandbox);
    const consent = await browser.signIn(start({ state: 'a b&c=d' }), 'second_owner');
    expect(consent.status).toBe(200);
    const { status, location } = await browser.send(consent, 'consent-form', {
      store: '300200',
      decision: 'approve',
    });
    expect(status).toBe(303);
    const callback = new URL(location ?? '');
    expect(callback.origin + callback.pathname).toBe('https://platform.test/callback');
    expect(Object.fromEntries(callback.searchParams)).toEqual({
      from: 'sandbox',
      code: expect.stringMatching(/^[\w-]{43}$/),
      state: 'a b&c=d',
    });

    const issued = await exchange(sandbox, callback.searchParams.get('code') ?? '');
    expect(issued).toEqual({
      status: 200,
      body: { access_token: expect.stringMatching(/^[\w-]{43}$/), expires_in: 157_680_000 },
    });
    const bearer = `Bearer ${String(issued.body['access_token'])}`;
    expect((await get(sandbox, '/v3/me', bearer)).body).toMatchObject({
      account_id: '300200',
      test: false,
      status: 'enabled',
      payment_methods: ['bank_card', 'wallet', 'wallet_pay', 'bank_app_pay'],
    });
  });

  it('and its webhooks report what the app made there', async () => {
    const hook = await receiver();
    const sandbox = await withApp();
    const bearer = await connected(sandbox);
    const webhook = { event: 'payment.succeeded', url: hook.url };
    expect((await post(sandbox, '/v3/webhooks', 'w', webhook, bearer)).status).toBe(200);
    const { body } = await post(sandbox, '/v3/payments', 'p', order({ capture: true }), bearer);
    sandbox.payments.pay(String(body['id']), { outcome: 'succeed' });
    await sandbox.clock.advance(0);
    expect(hook.events()).toEqual(['payment.succeeded']);
    expect(hook.received[0]?.body['object']).toMatchObject({ id: body['id'] });
  });

  it('again, with one more token', async () => {
    const sandbox = await withApp();
    const [first, second] = [await connected(sandbox), await connected(sandbox)];
    expect(second).not.toBe(first);
    expect((await get(sandbox, '/v3/me', first)).body).toEqual((await get(sandbox, '/v3/me', second)).body);
  });

  it('by nobody but its owner', async () => {
    const sandbox = await withApp();
    const browser = new OwnerBrowser(sandbox);
    const consent = await browser.signIn(start());
    const refused = await browser.send(consent, 'consent-form', { store: '300200', decision: 'approve' });
    expect(refused).toMatchObject({ status: 422, location: null });
    expect(sandbox.tokens.list()).toEqual([]);
    expect(await granted(sandbox, 'test_shop')).not.toBe('');
  });
});
