import { OwnerBrowser } from '../../tools/soak/stage/owner-browser.js';
import { app, start } from './oauth-support.js';
import { control, get, order, post, started } from './support.js';

const registration = { name: 'Tea platform', callbackUrl: 'https://platform.test/callback' };

describe('the control API of the partnership program', () => {
  it('registers an app, with an id and a secret of its own making', async () => {
    const sandbox = await started();
    const { status, body } = await control(sandbox, '/apps', registration);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...registration,
      clientId: expect.stringMatching(/^[\w-]+$/),
      clientSecret: expect.stringMatching(/^[\w-]{43}$/),
      permissions: ['payments_create', 'payments_capture', 'payments_cancel', 'refunds_create', 'get_fees'],
    });
    const { body: listed } = await control(sandbox, '/apps', undefined, 'GET');
    expect(listed['items']).toMatchObject([{ clientId: body['clientId'] }]);
    expect(JSON.stringify(listed)).not.toContain(String(body['clientSecret']));
    const page = await new OwnerBrowser(sandbox).open(start({ client_id: String(body['clientId']) }));
    expect(page.status).toBe(200);
  });

  it.each<[string, string, object, number]>([
    ['an app without a name', '/apps', { callbackUrl: 'https://app.test' }, 400],
    ['an app without a callback', '/apps', { name: 'App' }, 400],
    ['a callback that is a script', '/apps', { name: 'App', callbackUrl: 'javascript:alert(1)' }, 400],
    ['a callback that is no address', '/apps', { name: 'App', callbackUrl: 'https://' }, 400],
    ['a callback that cannot be read', '/apps', { name: 'App', callbackUrl: 'https://[app' }, 400],
    ['a callback with a fragment', '/apps', { name: 'App', callbackUrl: 'https://app.test/#a' }, 400],
    ['an unknown permission', '/apps', { ...registration, permissions: ['all'] }, 400],
    ['permissions that are no list', '/apps', { ...registration, permissions: 'get_fees' }, 400],
    ['a client id with a colon', '/apps', { ...registration, clientId: 'a:b' }, 400],
    ['a client id that is taken', '/apps', { ...registration, clientId: app.clientId }, 409],
    ['an unknown field', '/apps', { ...registration, scope: 'all' }, 400],
    ['a login that is taken', '/users', { login: 'owner' }, 409],
    ['no login', '/users', {}, 400],
    ['a store that is there', '/stores', { accountId: 'test_shop' }, 409],
    ['a store without an owner', '/stores', { owner: 'nobody' }, 404],
    ['an unknown store', '/stores/nowhere/change', { status: 'disabled' }, 404],
    ['an unknown status', '/stores/test_shop/change', { status: 'asleep' }, 400],
    ['a card app neither on nor off', '/stores/300200/change', { cardApp: 'no' }, 400],
    ['an unknown method', '/stores/300200/change', { methods: ['cash'] }, 400],
    ['a method that demo stores lack', '/stores/test_shop/change', { methods: ['bank_app_pay'] }, 400],
    ['an invalid notification address', '/stores/test_shop/notify_url', { url: 'mailto:a' }, 400],
    ['a token of an unknown app', '/tokens', { clientId: 'other' }, 404],
    ['a token for an unknown store', '/tokens', { clientId: app.clientId, accountId: 'nowhere' }, 404],
    ['no tokens at all', '/tokens/many', { clientId: app.clientId, count: 0 }, 400],
    ['an unknown token', '/tokens/none/revoke', {}, 404],
  ])('refuses %s', async (_what, path, body, status) => {
    const sandbox = await started({ apps: [app] });
    const answer = await control(sandbox, path, body);
    expect(answer).toEqual({ status, body: { error: expect.any(String) } });
  });

  it('creates users and stores, who then can grant', async () => {
    const sandbox = await started({ apps: [app] });
    expect((await control(sandbox, '/users', { login: 'anna' })).body).toEqual({
      login: 'anna',
      name: 'anna',
    });
    const made = await control(sandbox, '/stores', { accountId: '500', owner: 'anna', name: "Anna's" });
    expect(made.body).toMatchObject({ accountId: '500', demo: false, status: 'enabled', notifyUrl: null });
    const consent = await new OwnerBrowser(sandbox).signIn(start(), 'anna');
    expect(consent.text).toContain('Anna&#39;s');
    expect((await control(sandbox, '/users', undefined, 'GET')).body['items']).toHaveLength(4);
    expect((await control(sandbox, '/stores', undefined, 'GET')).body['items']).toHaveLength(4);
  });

  it('connects stores and ends tokens, and shows no token', async () => {
    const sandbox = await started({ apps: [app] });
    const { body } = await control(sandbox, '/tokens', { clientId: app.clientId, accountId: '300200' });
    expect((await get(sandbox, '/v3/me', `Bearer ${String(body['accessToken'])}`)).status).toBe(200);
    const many = await control(sandbox, '/tokens/many', { clientId: app.clientId, count: 3 });
    expect(many.body['items']).toHaveLength(3);
    const listed = await control(sandbox, '/tokens', undefined, 'GET');
    expect(listed.body['items']).toMatchObject([
      { id: body['tokenId'], clientId: 'platform', accountId: '300200', status: 'good', webhooks: [] },
      { status: 'good' },
      { status: 'good' },
      { status: 'good' },
    ]);
    expect(JSON.stringify(listed)).not.toContain(String(body['accessToken']));
    const id = String(body['tokenId']);
    expect((await control(sandbox, `/tokens/${id}/revoke`, {})).body).toMatchObject({ status: 'revoked' });
    expect((await control(sandbox, `/tokens/${id}/expire`, {})).body).toMatchObject({ status: 'revoked' });
  });

  it('accepts faults for one store, for requests only', async () => {
    const sandbox = await started();
    const onRead = { on: 'read', fault: 'stall', store: '300200' };
    expect((await control(sandbox, '/faults', onRead)).status).toBe(200);
    expect(sandbox.faults.list()).toEqual([{ order: onRead, left: 1 }]);
    const onNotification = { on: 'notification', fault: 'drop', store: '300200' };
    expect((await control(sandbox, '/faults', onNotification)).status).toBe(400);
    expect((await control(sandbox, '/faults', { ...onRead, store: 7 })).status).toBe(400);
  });
});

describe('the control page', () => {
  const page = async (url: string, tab = 'stores') => (await fetch(`${url}/sandbox/pages/${tab}`)).text();

  it('shows stores, apps and tokens, but no secret and no token', async () => {
    const sandbox = await started({ apps: [app] });
    const { accessToken } = sandbox.tokens.connect({ clientId: app.clientId, accountId: '300200' });
    const text = await page(sandbox.url);
    expect(text).toContain('Tea platform');
    expect(text).toContain('refund creation');
    expect(text).toContain('acts for <code>300200</code>');
    expect(text).not.toContain(accessToken);
    expect(text).not.toContain(app.clientSecret);
  });

  it.each([
    ['revoke-token', 'revoked'],
    ['expire-token', 'expired'],
  ])('ends a token: %s', async (action, status) => {
    const sandbox = await started({ apps: [app] });
    const { tokenId } = sandbox.tokens.connect({ clientId: app.clientId });
    const body = new URLSearchParams({ id: tokenId });
    const sent = await fetch(`${sandbox.url}/sandbox/do/${action}`, {
      method: 'POST',
      body,
      redirect: 'manual',
    });
    expect(sent.headers.get('location')).toBe(`/sandbox/pages/stores?done=${action}`);
    expect(sandbox.tokens.list()).toMatchObject([{ status }]);
    expect(await page(sandbox.url)).not.toContain('data-testid="revoke-token"');
  });

  it('disables a store, and names the store of a payment that is not in its own', async () => {
    const sandbox = await started({ apps: [app] });
    const { accessToken } = sandbox.tokens.connect({ clientId: app.clientId, accountId: '300200' });
    await post(sandbox, '/v3/payments', 'p', order(), `Bearer ${accessToken}`);
    await post(sandbox, '/v3/payments', 'p', order());
    const list = await (await fetch(`${sandbox.url}/sandbox/`)).text();
    expect(list.match(/<small>store 300200<\/small>/g)).toHaveLength(1);
    const [own, other] = sandbox.payments.list().map(({ id }) => page(sandbox.url, `payments/${id}`));
    expect(await own).not.toContain('data-testid="pay-bank_app_pay"');
    expect(await other).toMatch(/<dt>Store<\/dt>\s*<dd><code>300200/);
    expect(await other).toContain('data-testid="pay-bank_app_pay"');
    const body = new URLSearchParams({ id: '300200', status: 'disabled' });
    await fetch(`${sandbox.url}/sandbox/do/set-store-status`, { method: 'POST', body, redirect: 'manual' });
    expect(sandbox.stores.list()).toContainEqual(
      expect.objectContaining({ accountId: '300200', status: 'disabled' }),
    );
  });
});
