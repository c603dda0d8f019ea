import { documentedProfile, yookassaProfile } from '@holdfast/payments/client';
import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';

import { html } from '../../shared/pages/html.js';
import type { OwnerSignIn } from '../owners/owner-sign-in.js';
import { placeFromEnvironment, platformOptions, serviceFromEnvironment } from './options-from-environment.js';
import { PlatformEnvironment, parsePlatformEnvironment } from './platform-environment.js';

describe('the platform’s environment', () => {
  const app = {
    PARTNER_CLIENT_ID: 'market_row',
    PARTNER_CLIENT_SECRET: 'app_password',
    PAYMENTS_TOKEN_KEYS: '2030-01:a2V5',
  };

  const signIn: OwnerSignIn = { form: html`<form></form>`, check: () => Promise.resolve(null) };

  async function optionsOf(variables: Record<string, string>) {
    const environment = parsePlatformEnvironment(variables);
    const place = { ...(await placeFromEnvironment(environment)), databaseUrl: 'postgres://db/market_row' };
    return platformOptions(environment, place, serviceFromEnvironment(environment, signIn));
  }

  it('brings a sandbox when nothing is set', () => {
    expect(parsePlatformEnvironment({ PARTNER_CLIENT_ID: ' ', PATH: '/bin' })).toMatchObject({
      HOST: '127.0.0.1',
      PORT: 3000,
      SANDBOX_PORT: 4010,
      usesService: false,
    });
  });

  it('is described completely by .env.example, which changes nothing as it is', async () => {
    const example = parseEnv(await readFile(new URL('../../.env.example', import.meta.url), 'utf8'));
    expect(parsePlatformEnvironment(example)).toEqual(parsePlatformEnvironment({}));
    expect(Object.keys(example).toSorted()).toEqual(Object.keys(new PlatformEnvironment()).toSorted());
  });

  it('describes the platform at the configured service', async () => {
    expect(
      await optionsOf({
        ...app,
        HOST: '::',
        PORT: '8080',
        PARTNER_AUTH_URL: 'http://127.0.0.1:4010',
        PAYMENTS_SERVICE_URL: 'http://127.0.0.1:4010',
        TRUSTED_PROXIES: '10.0.0.0/8',
      }),
    ).toEqual({
      databaseUrl: 'postgres://db/market_row',
      host: '::',
      port: 8080,
      publicUrl: 'http://127.0.0.1:8080',
      signIn,
      app: {
        clientId: 'market_row',
        clientSecret: 'app_password',
        authUrl: 'http://127.0.0.1:4010',
        permissions: ['payments_create', 'refunds_create'],
      },
      payments: {
        serviceUrl: 'http://127.0.0.1:4010',
        tokenKeys: { current: '2030-01', keys: { '2030-01': 'a2V5' } },
        trustedProxies: ['10.0.0.0/8'],
        profile: documentedProfile,
        sweeps: { intervalMs: 5_000 },
      },
    });
  });

  it('leaves both addresses to a profile that knows them, and the names of the permissions', async () => {
    const { app: named, payments } = await optionsOf({ ...app, PAYMENTS_PROFILE: 'yookassa' });
    expect(named).not.toHaveProperty('authUrl');
    expect(payments).not.toHaveProperty('serviceUrl');
    const { permissions, readPermissions } = yookassaProfile;
    expect(named.permissions).toEqual([permissions.create, permissions.refund, ...readPermissions]);
  });

  it('replaces port 0 before the address is used', async () => {
    const { port, publicUrl } = await optionsOf({ PORT: '0' });
    expect(port).toBeGreaterThan(0);
    expect(publicUrl).toBe(`http://127.0.0.1:${port}`);
    expect((await optionsOf({ PUBLIC_URL: 'https://market.example/' })).publicUrl).toBe(
      'https://market.example',
    );
  });

  it('without a sign-in of its own is for the sandbox only', () => {
    const environment = parsePlatformEnvironment({
      ...app,
      PARTNER_AUTH_URL: 'http://127.0.0.1:4010',
      PAYMENTS_SERVICE_URL: 'http://127.0.0.1:4010',
    });
    expect(() => serviceFromEnvironment(environment, null)).toThrow(
      /^The platform cannot start:\n {2}- With PARTNER_CLIENT_ID .*Implement OwnerSignIn .*owner-sign-in\.ts/,
    );
  });

  it('lists every fault at once, each with its fix', () => {
    const faulty = { PARTNER_CLIENT_ID: 'market_row', PORT: 'many' };
    expect(() => parsePlatformEnvironment(faulty)).toThrow(
      /^The platform cannot start:\n(?=[\s\S]*PORT must)(?=[\s\S]*PARTNER_CLIENT_SECRET must)(?=[\s\S]*PARTNER_AUTH_URL must)(?=[\s\S]*PAYMENTS_SERVICE_URL must)(?=[\s\S]*PAYMENTS_TOKEN_KEYS must)/,
    );
    expect(() => parsePlatformEnvironment({ PAYMENTS_TOKEN_KEYS: 'none' })).toThrow(
      /PAYMENTS_TOKEN_KEYS must/,
    );
  });
});
