import { formatAmount, PaymentsService } from '@holdfast/payments';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import supertest from 'supertest';
import { DataSource } from 'typeorm';
import { OwnerBrowser } from '../../tools/soak/stage/owner-browser.js';
import { listedSender, notification, post } from '../hosts/notification.js';
import { eventually } from '../support/eventually.js';
import { startTestPlatform, type TestPlatform } from '../support/platform.js';
import { routesOf } from '../support/routes.js';
import { sumAsked, sure } from '../support/staff.js';

describe('the example platform', () => {
  let test: TestPlatform;
  beforeAll(async () => {
    test = await startTestPlatform();
  });
  afterAll(async () => {
    await test.close();
    // Until then sweeps may still log what a test took away.
    jest.restoreAllMocks();
  });

  interface Sent {
    form?: Record<string, string>;
    cookie?: string;
    headers?: Record<string, string>;
  }

  function ask(path: string, { form, cookie, headers = {} }: Sent = {}) {
    const platform = supertest(test.platform.url);
    const request = form === undefined ? platform.get(path) : platform.post(path).type('form').send(form);
    return request.redirects(0).set({ ...headers, ...(cookie !== undefined && { cookie }) });
  }

  async function signIn(owner: string): Promise<string> {
    const { headers } = await ask('/sign-in', { form: { owner } });
    return String(headers['set-cookie']).split(';')[0] ?? '';
  }

  /** A store of an owner, connected as its owner would in a browser; and the code that connected it. */
  async function connect(owner: string, accountId: string): Promise<{ id: string; callback: string }> {
    const cookie = await signIn(owner);
    const { headers } = await ask('/stores/connect', { form: {}, cookie });
    const browser = new OwnerBrowser(test.sandbox);
    const { pathname, search } = new URL(headers['location'] ?? '');
    const consent = await browser.signIn(pathname + search, owner);
    const granting = { store: accountId, decision: 'approve' };
    const { location } = await browser.send(consent, 'consent-form', granting);
    const callback = (location ?? '').slice(test.platform.url.length);
    const arrived = await ask(callback, { cookie });
    const id = /^\/stores\?store=([\w-]+)$/.exec(arrived.headers['location'] ?? '')?.[1] ?? '';
    return { id, callback };
  }

  it('keeps its sessions from scripts, and accepts them on the way back from the service', async () => {
    const { headers } = await ask('/sign-in', { form: { owner: 'vera' } });
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^market_row_session=[\w-]{43}; (?=.*Path=\/)(?=.*HttpOnly)(?=.*SameSite=Lax)(?!.*Domain)/,
      ),
    ]);
  });

  it('ends a session when it is signed out, also for whoever has copied its cookie', async () => {
    const [cookie, another] = [await signIn('vera'), await signIn('vera')];
    const left = await ask('/sign-out', { form: {}, cookie });
    expect(left.headers['set-cookie']).toEqual([expect.stringMatching(/^market_row_session=; .*Expires=/)]);
    expect((await ask('/stores', { cookie })).status).toBe(303);
    expect((await ask('/stores', { cookie: another })).status).toBe(200);
    // Signing in again in the same browser ends the previous session.
    await ask('/sign-in', { form: { owner: 'oleg' }, cookie: another });
    expect((await ask('/stores', { cookie: another })).status).toBe(303);
  });

  it('ends a session after twelve hours, and forgets it', async () => {
    const cookie = await signIn('vera');
    const dataSource = test.platform.app.get(DataSource);
    await dataSource.query(`UPDATE market_sessions SET ends_at = ends_at - interval '12 hours'`);
    expect((await ask('/stores', { cookie })).status).toBe(303);
    await signIn('oleg');
    expect(await dataSource.query('SELECT owner_id FROM market_sessions')).toEqual([{ owner_id: 'oleg' }]);
  });

  it.each(['/stores', '/stores/00000000-0000-4000-8000-000000000000'])(
    'sends a visitor who is not signed in from %s to the start',
    async (path) => {
      const forged = (await signIn('vera')).replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'));
      for (const cookie of ['', forged, 'market_row_session=vera', `${forged.slice(0, 30)}\u00ff`]) {
        const { status, headers } = await ask(path, { cookie });
        expect([status, headers['location']]).toEqual([303, '/?notice=sign_in']);
      }
    },
  );

  it('signs in no unknown owner, and lets nobody try passwords for long', async () => {
    const from = (address: string, owner: string) =>
      ask('/sign-in', { form: { owner }, headers: { 'X-Forwarded-For': address } });
    for (const owner of ['', 'nobody', '__proto__', 'constructor']) {
      const { status, headers } = await from('203.0.113.1', owner);
      expect([owner, status, headers['location']]).toEqual([owner, 303, '/?notice=not_signed_in']);
      expect(headers).not.toHaveProperty('set-cookie');
    }
    for (let tries = 0; tries < 6; tries += 1) await from('203.0.113.1', 'nobody');
    const late = await from('203.0.113.1', 'vera');
    expect([late.status, late.text]).toEqual([429, expect.stringContaining('Too many tries')]);
    expect((await from('203.0.113.2', 'vera')).status).toBe(303);
  });

  it('shows and gives an owner’s stores to nobody else', async () => {
    const { id } = await connect('vera', 'test_crumb_and_crust');
    const oleg = await signIn('oleg');
    const routes = routesOf(test.platform.app).filter((route) => /^\w+ \/stores/.test(route));
    expect(routes.toSorted()).toEqual([
      'GET /stores',
      'GET /stores/:id',
      'POST /stores/:id/disconnect',
      'POST /stores/:id/payments/:payment/refund',
      'POST /stores/:id/refresh',
      'POST /stores/connect',
    ]);
    for (const route of routes) {
      const [method, pattern = ''] = route.split(' ');
      const path = pattern.replace(':id', id).replace(':payment', crypto.randomUUID());
      const sent = method === 'POST' ? { form: { refundKey: crypto.randomUUID() } } : {};
      const stranger = await ask(path, sent);
      expect([route, stranger.status, stranger.headers['location']]).toEqual([
        route,
        303,
        '/?notice=sign_in',
      ]);
      if (!route.includes(':id')) continue;
      expect([route, (await ask(path, { ...sent, cookie: oleg })).status]).toEqual([route, 404]);
    }
    expect((await ask('/stores', { cookie: oleg })).text).not.toContain(id);
    expect((await ask(`/stores/${id}`, { cookie: await signIn('vera') })).text).toContain('Connected');
  });

  it('asks its owner once more, with the sum, before it refunds, and again once that has changed', async () => {
    const { id } = await connect('nina', '510300');
    const cookie = await signIn('nina');
    const reference = /name="reference"\s+value="([^"]+)"/.exec((await ask(`/shops/${id}`)).text)?.[1] ?? '';
    await ask(`/shops/${id}/sales`, { form: { reference, item: 'candle' } });
    const [payment] = test.sandbox.payments.list();
    test.sandbox.payments.pay(payment?.id ?? '', { outcome: 'succeed' });
    const forms =
      /action="(\/stores\/[^"]+\/refund)">\s*<input type="hidden" name="refundKey"\s+value="([^"]+)"/;
    const [, path = '', refundKey = ''] = await eventually(
      async () => forms.exec((await ask(`/stores/${id}`, { cookie })).text) ?? [],
      ({ length }) => length > 0,
    );
    const sent = async (form: Record<string, string>) => {
      const answer = await ask(path, { form: { refundKey, ...form }, cookie });
      return { status: answer.status, page: answer.text.replaceAll('\u00a0', ' ') };
    };
    const refunded = () => test.sandbox.refunds.list().map(({ amount }) => amount.value);

    const asked = await sent({});
    expect([asked.status, refunded()]).toEqual([200, []]);
    expect(asked.page).toContain('Refund 640,00 ₽ for Beeswax candle?');
    const payments = test.platform.app.get(PaymentsService);
    const paymentId = path.split('/')[4] ?? '';
    const amount = formatAmount(10_000);
    await payments.refund(paymentId, { store: id, refundKey: 'by-somebody-else', amount });
    const again = await sent({ sum: sumAsked(asked.page), ...sure });
    expect([again.status, refunded()]).toEqual([200, ['100.00']]);
    expect(again.page).toContain('Refund 540,00 ₽ for Beeswax candle?');
    expect(again.page).toContain('The sum has changed meanwhile.');
    const answer = { sum: sumAsked(again.page), ...sure };
    const twice = await Promise.all([sent(answer), sent(answer)]);
    expect(twice.map(({ status }) => status)).toEqual([303, 303]);
    expect((await sent(answer)).status).toBe(303);
    expect(refunded().toSorted()).toEqual(['100.00', '540.00']);
  });

  it('answers with headers that protect personal data, whatever the answer', async () => {
    const cookie = await signIn('vera');
    const paths = ['/', '/styles.css', '/stores', '/nowhere', '/sales/%00', '/partner/callback', '/%E0%A4%A'];
    for (const path of paths) {
      const { status, type, headers } = await ask(path, { cookie });
      expect([path, status, headers]).toEqual([
        path,
        status,
        expect.objectContaining({
          'x-content-type-options': 'nosniff',
          'content-security-policy': expect.stringMatching(/^default-src 'none'.*frame-ancestors 'none'/),
          'cache-control': type === 'text/css' ? 'no-cache' : 'no-store',
          'referrer-policy': expect.stringMatching(/^(same-origin|no-referrer)$/),
        }),
      ]);
      expect(headers).not.toHaveProperty('x-powered-by');
    }
  });

  it.each([
    ['/?notice=__proto__', undefined],
    ['/?notice=%00', undefined],
    ['/stores?error=__proto__', undefined],
    ['/stores?error=access_denied&error=expired', undefined],
    ['/stores?store=%00', undefined],
    ['/stores/%00', undefined],
    ['/stores/%E0%A4%A', undefined],
    ['/shops/%00', undefined],
    ['/sales/%00', undefined],
    [`/sales/ABCDEFGHJKMN?x=${'x'.repeat(3_000)}`, undefined],
    ['/sign-in', { owner: 'vera\0' }],
    ['/sign-in', { 'owner[]': 'vera' }],
    ['/sign-in', { 'owner[id]': 'vera' }],
    ['/sales/%00/pay', {}],
    ['/shops/%00/sales', { reference: 'A', item: 'mug' }],
  ])('answers 400 to %.60s with %j', async (path, form: Record<string, string> | undefined) => {
    const cookie = await signIn('vera');
    const answer = await ask(path, { cookie, ...(form && { form }) });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('That did not work')]);
  });

  it('has a return address for owners that accepts nothing odd', async () => {
    const cookie = await signIn('oleg');
    const { callback } = await connect('oleg', '510200');
    const [, good] = /state=([\w-]+)/.exec(callback) ?? [];
    const odd = [
      '',
      '?state=__proto__&code=x',
      '?state=%00&code=x',
      '?state[]=x&code=x',
      `?state=${good}&state=${good}&code=x`,
      `?state=${'x'.repeat(10_000)}&code=x`,
      '?state=%ff&code=%ff',
      `?state=${good}%00&code=x`,
      `?error=__proto__&state=x`,
    ];
    for (const query of odd) {
      const { status, text, headers } = await ask(`/partner/callback${query}`, { cookie });
      expect([query.slice(0, 40), status, text]).toEqual([
        query.slice(0, 40),
        400,
        expect.stringContaining('This link does not work any more'),
      ]);
      expect(headers['location']).toBeUndefined();
    }
    expect((await ask(callback)).status).toBe(401);
    // Only the owner of the link gets to where it leads.
    expect((await ask(callback, { cookie: await signIn('nina') })).status).toBe(400);
    const again = await ask(callback, { cookie });
    expect([again.status, again.headers['location']]).toEqual([
      303,
      expect.stringMatching(/^\/stores\?store=/),
    ]);
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another port of this machine', { 'sec-fetch-site': 'same-site' }],
    ['another site, in a browser that only sends Origin', { origin: 'https://evil.example' }],
  ])('accepts no form of %s', async (_where, headers) => {
    const cookie = await signIn('vera');
    expect((await ask('/stores/connect', { form: {}, cookie, headers })).status).toBe(403);
    expect((await ask('/sign-in', { form: { owner: 'oleg' }, headers })).status).toBe(403);
    expect((await ask('/stores/connect', { form: {}, cookie })).status).toBe(303);
  });

  it.each([
    ['access_denied', 'You refused access'],
    ['expired', 'That took too long'],
    ['own_store', 'the platform’s own store'],
    ['connected_by_another', 'connected by another owner'],
    ['refused', 'The payment service refused'],
    ['service_unavailable', 'did not answer'],
    ['in_progress', 'still being connected'],
  ])('has words for ?error=%s', async (error, words) => {
    const { text: page } = await ask(`/stores?error=${error}`, { cookie: await signIn('vera') });
    expect(page).toContain('id="connect-error"');
    expect(page).toContain(words);
  });

  it('shows nothing that comes in an address', async () => {
    const cookie = await signIn('vera');
    for (const query of ['error=<script>', 'error=toString', 'error=refused&error=expired', 'store=x'])
      expect((await ask(`/stores?${query}`, { cookie })).text).not.toMatch(/class="notice/);
  });

  it.each([
    '/stores/nothing',
    '/shops/nothing',
    '/shops/00000000-0000-4000-8000-000000000000',
    '/sales/ABCDEFGHJKMN',
    '/nowhere',
  ])('has nothing at %s', async (path) => {
    const answer = await ask(path, { cookie: await signIn('vera') });
    expect([answer.status, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    // The signed-in owner stays signed in.
    expect(answer.text).toContain('Sign out, Vera');
  });

  it('logs a notification that failed, and not its address: that of a store’s webhook is a secret', async () => {
    const logged: string[] = [];
    const keep = (message: unknown): void => void logged.push(String(message));
    for (const level of ['warn', 'error'] as const)
      jest.spyOn(Logger.prototype, level).mockImplementation(keep);
    const dataSource = test.platform.app.get(DataSource);
    await dataSource.query('ALTER TABLE payments_stores RENAME TO stores_elsewhere');
    try {
      const key = 'k'.repeat(43);
      const about = notification('payment.succeeded', { id: '2f1c1a64-000f-5000-8000-1b68e7f07a52' });
      const status = await post(`${test.platform.url}/webhooks/payments/${key}`, about, listedSender);
      expect(status).toBe(503);
      expect(logged).toContainEqual(
        expect.stringMatching(/^A notification could not be stored and was answered 503/),
      );
      expect(logged.join('\n')).not.toContain(key);
    } finally {
      await dataSource.query('ALTER TABLE stores_elsewhere RENAME TO payments_stores');
    }
  });
});
