import { startSandbox, type Sandbox } from '@holdfast/sandbox';
import supertest from 'supertest';

import {
  placeFromEnvironment,
  platformOptions,
  serviceFromEnvironment,
} from '../../examples/partner/config/options-from-environment.js';
import { parsePlatformEnvironment } from '../../examples/partner/config/platform-environment.js';
import type { OwnerSignIn } from '../../examples/partner/owners/owner-sign-in.js';
import { findOwner } from '../../examples/partner/owners/owners.js';
import { startPlatform } from '../../examples/partner/start-platform.js';
import { formText } from '../../examples/shared/pages/form.js';
import { html } from '../../examples/shared/pages/html.js';
import type { RunningApplication } from '../../examples/shared/start-application.js';
import { testAccount } from '../support/account.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

const signIn: OwnerSignIn = {
  form: html`<form method="post" action="/sign-in"><input name="password" type="password" /></form>`,
  check: (form) =>
    Promise.resolve(formText(form, 'password') === 'password of vera' ? findOwner('vera') : null),
};

describe('the example platform at the service that its environment names, with a sign-in of its own', () => {
  let database: TestDatabase;
  let sandbox: Sandbox;
  let platform: RunningApplication;
  let clientId: string;
  let listening: string;
  beforeAll(async () => {
    database = await createTestDatabase();
    sandbox = await startSandbox(testAccount);
    const app = sandbox.apps.register({
      name: 'Market Row',
      callbackUrl: 'https://market.example/partner/callback',
    });
    ({ clientId } = app);
    const environment = parsePlatformEnvironment({
      PORT: '0',
      PUBLIC_URL: 'https://market.example',
      PARTNER_CLIENT_ID: clientId,
      PARTNER_CLIENT_SECRET: app.clientSecret,
      PARTNER_AUTH_URL: sandbox.url,
      PAYMENTS_SERVICE_URL: sandbox.url,
      PAYMENTS_TOKEN_KEYS: `1:${Buffer.alloc(32, 1).toString('base64')}`,
    });
    const place = { ...(await placeFromEnvironment(environment)), databaseUrl: database.url };
    const service = serviceFromEnvironment(environment, signIn);
    platform = await startPlatform(platformOptions(environment, place, service));
    listening = `http://127.0.0.1:${place.port}`;
  });
  afterAll(async () => {
    await platform.close();
    await sandbox.close();
    await database.drop();
  });

  const send = (path: string, form: Record<string, string>, cookie = '') =>
    supertest(listening).post(path).redirects(0).set('cookie', cookie).type('form').send(form);

  it('shows only that sign-in, and accepts nobody as an owner by name', async () => {
    const home = await supertest(listening).get('/');
    expect(home.text).toContain('type="password"');
    expect(home.text).not.toMatch(/no password|value="vera"/);
    const { status, headers } = await send('/sign-in', { owner: 'vera' });
    expect([status, headers['location'], headers['set-cookie']]).toEqual([
      303,
      '/?notice=not_signed_in',
      undefined,
    ]);
  });

  it('signs its owners in under a cookie of this host alone, and leads them to the service', async () => {
    const signedIn = await send('/sign-in', { password: 'password of vera' });
    expect(signedIn.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^__Host-market_row_session=[\w-]{43}; (?=.*Path=\/;)(?=.*HttpOnly)(?=.*Secure)(?=.*SameSite=Lax)(?!.*Domain)/,
      ),
    ]);
    const [cookie = ''] = String(signedIn.headers['set-cookie']).split(';');
    const setOut = await send('/stores/connect', {}, cookie);
    expect(setOut.headers['location']).toMatch(`${sandbox.url}/oauth/v2/authorize?client_id=${clientId}&`);
    // A cookie name that any page of the same domain may set is not ours.
    expect((await send('/stores/connect', {}, cookie.replace('__Host-', ''))).headers['location']).toBe(
      '/?notice=sign_in',
    );
  });
});
