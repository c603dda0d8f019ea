import type { Sandbox } from '@holdfast/sandbox';
import { OwnerBrowser } from '../../tools/soak/stage/owner-browser.js';
import { app, start } from './oauth-support.js';
import { started } from './support.js';

const withApp = () => started({ apps: [app] });
const granting = { store: 'test_shop', decision: 'approve' };

/** The address of the callback. */
async function callback(sandbox: Sandbox, query: Record<string, string>, decision: string): Promise<URL> {
  const browser = new OwnerBrowser(sandbox);
  const consent = await browser.signIn(start(query));
  const { location } = await browser.send(consent, 'consent-form', { store: 'test_shop', decision });
  return new URL(location ?? '');
}

describe('the authorization page', () => {
  it.each([
    ['no client_id', { client_id: '' }],
    ['an unknown client_id', { client_id: 'other' }],
    ['no response_type', { response_type: '' }],
    ['another response_type', { response_type: 'token' }],
    ['another callback', { redirect_uri: 'https://thief.test/callback' }],
    ['a callback that only begins like it', { redirect_uri: `${app.callbackUrl}/../thief` }],
    ['a state of more than 1024 characters', { state: 'x'.repeat(1025) }],
  ])('answers %s with an error and sends nobody anywhere', async (_what, query) => {
    const sandbox = await withApp();
    const shown = await new OwnerBrowser(sandbox).open(start(query));
    expect(shown).toMatchObject({ status: 400, location: null });
    expect(shown.text).toContain('data-testid="authorization-error"');
    expect(shown.text).not.toContain('<form');
  });

  it.each(['client_id=platform', 'state=a&state=b', 'response_type=code'])(
    'answers a repeated parameter with an error: %s',
    async (more) => {
      const sandbox = await withApp();
      const shown = await new OwnerBrowser(sandbox).open(`${start()}&${more}`);
      expect(shown).toMatchObject({ status: 400, location: null });
    },
  );

  it('accepts the registered callback by name too', async () => {
    const sandbox = await withApp();
    const { searchParams } = await callback(sandbox, { redirect_uri: app.callbackUrl }, 'approve');
    expect(searchParams.get('code')).not.toBeNull();
  });

  it.each([
    ['the longest', 'я'.repeat(1024)],
    ['what means something in a URL', 'a=b&code=c#d%20+e?/'],
    ['what means something in HTML', '"><script>alert(1)</script>'],
    ['spaces and line ends', ' a\r\n b\t'],
    ['characters beyond 16 bits', '🫖'.repeat(600)],
    ['nothing at all', ''],
  ])('returns the state exactly: %s', async (_what, state) => {
    const sandbox = await withApp();
    expect((await callback(sandbox, { state }, 'approve')).searchParams.getAll('state')).toEqual([state]);
    expect((await callback(sandbox, { state }, 'refuse')).searchParams.getAll('state')).toEqual([state]);
  });

  it('returns no state if none was sent', async () => {
    const sandbox = await withApp();
    expect((await callback(sandbox, {}, 'approve')).searchParams.has('state')).toBe(false);
  });

  it('sends a refusal back as access_denied, and grants nothing', async () => {
    const sandbox = await withApp();
    const { origin, searchParams } = await callback(sandbox, { state: 's' }, 'refuse');
    expect(origin).toBe('https://platform.test');
    expect(Object.fromEntries(searchParams)).toEqual({ from: 'sandbox', error: 'access_denied', state: 's' });
  });

  it('lets nobody frame it, store it, or see its address', async () => {
    const sandbox = await withApp();
    const { headers } = await new OwnerBrowser(sandbox).open(start());
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('set-cookie')).toMatch(
      /^holdfast_sandbox_session=[\w-]{43}; Path=\/oauth; HttpOnly; SameSite=Lax$/,
    );
  });

  it('escapes what the app was registered with, and what it sends', async () => {
    const evil = { ...app, name: '<b>app</b>', description: '"><script>', permissions: [] };
    const sandbox = await started({ apps: [evil] });
    const { text } = await new OwnerBrowser(sandbox).signIn(start({ state: '"><script>' }));
    expect(text).toContain('&lt;b&gt;app&lt;/b&gt;');
    expect(text).not.toMatch(/<script|<b>app/);
  });
});

describe('sign-in', () => {
  it.each([
    ['a wrong password', { login: 'owner', password: 'guess' }],
    ['no password', { login: 'owner' }],
    ['an unknown login', { login: 'nobody', password: 'sandbox' }],
    ['nothing', {}],
  ])('is refused with %s', async (_what, typed) => {
    const sandbox = await withApp();
    const browser = new OwnerBrowser(sandbox);
    const shown = await browser.send(await browser.open(start()), 'sign-in-form', typed);
    expect(shown).toMatchObject({ status: 422, location: null });
    expect(shown.text).toContain('There is no such login and password.');
    expect((await browser.open(start())).text).toContain('id="sign-in-form"');
  });

  it('lasts, so that the next app asks for consent at once', async () => {
    const sandbox = await started({ apps: [app, { ...app, clientId: 'second', name: 'Second app' }] });
    const browser = new OwnerBrowser(sandbox);
    await browser.signIn(start());
    const { text } = await browser.open(start({ client_id: 'second' }));
    expect(text).toContain('Second app');
    expect(text).toContain('id="consent-form"');
  });

  it('ends if another account is wanted, with the same request', async () => {
    const sandbox = await withApp();
    const browser = new OwnerBrowser(sandbox);
    const { location } = await browser.send(await browser.signIn(start({ state: 's' })), 'sign-out-form');
    expect(location).toBe(start({ state: 's' }));
    expect((await browser.open(location ?? '')).text).toContain('id="sign-in-form"');
  });

  it('gives the browser another session id', async () => {
    const sandbox = await withApp();
    const browser = new OwnerBrowser(sandbox);
    const page = await browser.open(start());
    const before = page.headers.get('set-cookie');
    const { headers } = await browser.send(page, 'sign-in-form', { login: 'owner', password: 'sandbox' });
    expect(headers.get('set-cookie')).toMatch(/^holdfast_sandbox_session=/);
    expect(headers.get('set-cookie')).not.toBe(before);
  });
});

describe('the consent page', () => {
  it('lists the permissions in words, and the stores of this owner only', async () => {
    const sandbox = await started({
      apps: [{ ...app, permissions: ['payments_create', 'payments_capture'] }],
    });
    const { text } = await new OwnerBrowser(sandbox).signIn(start(), 'second_owner');
    expect(text).toContain('<li>payment creation</li><li>payment capture</li>');
    expect(text).not.toContain('refund creation');
    expect(text).toContain('value="test_tea_house"');
    expect(text).toContain('value="300200"');
    expect(text).not.toContain('value="test_shop"');
  });

  it('has nothing to grant for a user who owns no store', async () => {
    const sandbox = await withApp();
    const browser = new OwnerBrowser(sandbox);
    const consent = await browser.signIn(start(), 'cashier');
    expect(consent.text).toContain('Only the owner of a store can grant access');
    expect(consent.text).not.toContain('data-testid="approve"');
    expect((await browser.send(consent, 'consent-form', granting)).status).toBe(422);
    const { location } = await browser.send(consent, 'consent-form', { decision: 'refuse' });
    expect(location).toContain('error=access_denied');
  });

  it.each([
    ['no store', { decision: 'approve' }],
    ['no decision', { store: 'test_shop' }],
    ['another decision', { store: 'test_shop', decision: 'yes' }],
    ['an unknown store', { store: 'toString', decision: 'approve' }],
  ])('asks again after %s', async (_what, chosen) => {
    const sandbox = await withApp();
    const browser = new OwnerBrowser(sandbox);
    const shown = await browser.send(await browser.signIn(start()), 'consent-form', chosen);
    expect(shown).toMatchObject({ status: 422, location: null });
    expect(shown.text).toContain('data-testid="consent-error"');
  });

  it('accepts no form that was not shown to this browser', async () => {
    const sandbox = await withApp();
    const [victim, attacker] = [new OwnerBrowser(sandbox), new OwnerBrowser(sandbox)];
    const own = await victim.signIn(start());
    const foreign = await attacker.signIn(start(), 'second_owner');
    expect(await victim.send(foreign, 'consent-form', granting)).toMatchObject({
      status: 403,
      location: null,
    });
    const without = { ...own, text: own.text.replaceAll(/<input type="hidden"[^>]*>/g, '') };
    expect(await victim.send(without, 'consent-form', granting)).toMatchObject({
      status: 403,
      location: null,
    });
    expect((await victim.send(own, 'consent-form', granting)).status).toBe(303);
  });

  it('leads back to sign-in if that has ended meanwhile', async () => {
    const sandbox = await withApp();
    const browser = new OwnerBrowser(sandbox);
    const page = await browser.open(start());
    const asConsent = { ...page, text: page.text.replace('/oauth/v2/sign-in', '/oauth/v2/consent') };
    const { status, location } = await browser.send(asConsent, 'sign-in-form', granting);
    expect({ status, location }).toEqual({ status: 303, location: start() });
  });

  it('answers a form too large to read with a page', async () => {
    const sandbox = await withApp();
    const browser = new OwnerBrowser(sandbox);
    const shown = await browser.send(await browser.signIn(start()), 'consent-form', {
      x: 'x'.repeat(20_000),
    });
    expect(shown.status).toBe(400);
    expect(shown.text).not.toContain('node_modules');
  });
});
