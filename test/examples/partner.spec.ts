import { Logger } from '@nestjs/common';
import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';

import { listedSender, notification, post } from '../hosts/notification.js';
import { startTestPlatform, type TestPlatform } from '../support/platform.js';

describe('the example platform', () => {
  let test: TestPlatform;
  beforeAll(async () => {
    test = await startTestPlatform();
  });
  afterAll(async () => {
    await test.close();
    // Until then sweeps may still tell of what a test took away.
    jest.restoreAllMocks();
  });

  interface Sent {
    form?: Record<string, string>;
    cookie?: string;
    headers?: Record<string, string>;
  }

  function ask(path: string, { form, cookie, headers = {} }: Sent = {}): Promise<Response> {
    return fetch(test.platform.url + path, {
      redirect: 'manual',
      headers: { ...headers, ...(cookie !== undefined && { cookie }) },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
  }

  async function signIn(owner: string): Promise<string> {
    const { headers } = await ask('/sign-in', { form: { owner } });
    const [cookie = ''] = headers.getSetCookie();
    return cookie.split(';')[0] ?? '';
  }

  it('keeps its sessions from scripts, and lets them come along on the way back from the service', async () => {
    const { headers } = await ask('/sign-in', { form: { owner: 'vera' } });
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^market_row_session=vera\.\d+\.[\w-]{43}; (?=.*HttpOnly)(?=.*SameSite=Lax)/),
    ]);
  });

  it.each(['/stores', '/stores/00000000-0000-4000-8000-000000000000'])(
    'sends whoever is not signed in from %s to the start',
    async (path) => {
      const forged = (await signIn('vera')).replace('vera', 'oleg');
      for (const cookie of ['', forged]) {
        const { status, headers } = await ask(path, { cookie });
        expect([status, headers.get('location')]).toEqual([303, '/?notice=sign_in']);
      }
    },
  );

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another port of this machine', { 'sec-fetch-site': 'same-site' }],
    ['another site, in a browser that says so by Origin alone', { origin: 'https://evil.example' }],
  ])('takes no form of %s', async (_where, headers) => {
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
    const page = await (await ask(`/stores?error=${error}`, { cookie: await signIn('vera') })).text();
    expect(page).toContain('id="connect-error"');
    expect(page).toContain(words);
  });

  it('shows nothing that an address brings along', async () => {
    const cookie = await signIn('vera');
    for (const query of ['error=<script>', 'error=toString', 'error=refused&error=expired', 'store=x'])
      expect(await (await ask(`/stores?${query}`, { cookie })).text()).not.toMatch(/class="notice/);
  });

  it.each([
    '/stores/nothing',
    '/shops/nothing',
    '/shops/00000000-0000-4000-8000-000000000000',
    '/sales/ABCDEFGHJKMN',
    '/nowhere',
  ])('has nothing at %s', async (path) => {
    const answer = await ask(path, { cookie: await signIn('vera') });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    // Who is signed in stays so.
    expect(await answer.text()).toContain('Sign out, Vera');
  });

  it('logs a request that failed by its route: the address of a store’s webhook is a secret', async () => {
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
        expect.stringMatching(/^POST \/webhooks\/payments\/:storeKey: ServiceUnavailableException/),
      );
      expect(logged.join('\n')).not.toContain(key);
    } finally {
      await dataSource.query('ALTER TABLE stores_elsewhere RENAME TO payments_stores');
    }
  });
});
