import { inspect } from 'node:util';
import { documentedProfile } from '../api/service-profile.js';
import { yookassaProfile } from '../api/yookassa-profile.js';
import { PaymentsConfigurationError } from '../common/payments.errors.js';
import type { PartnerOptions } from './partner.options.js';
import { resolveOptions } from './payments.resolved-options.js';

const SECRET = 'app-password';
const valid: PartnerOptions = {
  clientId: 'app',
  clientSecret: SECRET,
  permissions: ['payments_create'],
  webhookUrl: 'https://shop.example/webhooks/payments',
  authUrl: 'https://auth.example.com',
  ownerOf: () => null,
};
const required = {
  serviceUrl: 'https://api.example.com',
  tokenKeys: { current: 'k', keys: { k: Buffer.alloc(32).toString('base64') } },
};

function faultsOf(changes: object, profile = documentedProfile): readonly string[] {
  try {
    resolveOptions({ ...required, profile, partner: { ...valid, ...changes } });
    return [];
  } catch (error) {
    if (error instanceof PaymentsConfigurationError) return error.faults;
    throw error;
  }
}

describe('the option partner', () => {
  it.each([
    {},
    { webhookUrl: 'https://shop.example:8443/hooks/' },
    { webhookUrl: 'http://127.0.0.1:3000/webhooks/payments' },
    { authUrl: 'http://localhost:4010' },
    { permissions: [] },
    { expiryNoticeMs: 86_400_000 },
  ])('may be as %j', (changes) => {
    expect(faultsOf(changes)).toEqual([]);
  });

  it.each<[object, RegExp]>([
    [{ clientId: '' }, /^partner.clientId must/],
    [{ clientId: 'a:b' }, /^partner.clientId must/],
    [{ clientSecret: undefined }, /^partner.clientSecret must/],
    [{ clientSecret: `${SECRET} ` }, /^partner.clientSecret must/],
    [{ permissions: ['payments_crate'] }, /^partner.permissions must be an array of payments_create, /],
    [{ permissions: 'payments_create' }, /^partner.permissions must/],
    [{ webhookUrl: 'http://shop.example/webhooks' }, /^partner.webhookUrl must .*through a proxy with TLS/],
    [{ webhookUrl: 'https://shop.example:3000/webhooks' }, /^partner.webhookUrl must .*port 443 or 8443/],
    [{ webhookUrl: 'https://shop.example/webhooks?a=1' }, /^partner.webhookUrl must .*without query/],
    [{ webhookUrl: `https://shop.example/${'a'.repeat(2_000)}` }, /^partner.webhookUrl must/],
    [{ authUrl: 'http://auth.example.com' }, /^partner.authUrl must/],
    [
      { authUrl: 'https://auth.example.com/oauth/v2' },
      /^partner.authUrl must be https:\/\/auth\.example\.com: /,
    ],
    [{ authUrl: undefined }, /^partner.authUrl must/],
    [{ expiryNoticeMs: 1 }, /^partner.expiryNoticeMs must/],
    [{ ownerOf: undefined }, /^partner.ownerOf must/],
    [{ clientSercet: SECRET }, /^partner.clientSercet is not an option/],
  ])('may not be as %j, and says how to fix it', (changes, fault) => {
    const faults = faultsOf(changes);
    expect(faults).toEqual([expect.stringMatching(fault)]);
    expect(faults.join()).not.toContain(SECRET);
  });

  it('accepts the profile’s names of permissions', () => {
    const permissions = ['checkout:payments_create', 'checkout:payments_get', 'refunds_get'];
    expect(faultsOf({ permissions }, yookassaProfile)).toEqual([]);
    expect(faultsOf({ permissions })).toHaveLength(1);
  });

  it.each([
    [[], 'checkout:payments_get, refunds_get'],
    [['checkout:payments_create', 'checkout:payments_get'], 'refunds_get'],
  ])(
    'may not leave out a permission for reading if the profile has one, as %j does',
    (permissions, missing) => {
      expect(faultsOf({ permissions }, yookassaProfile)).toEqual([
        `partner.permissions must name ${missing} too: have the app registered with it, since without it no payment or refund can be re-read`,
      ]);
    },
  );

  it('holds the app’s password where nothing prints it', () => {
    const { partner } = resolveOptions({ ...required, partner: valid });
    expect(inspect(partner, { depth: Infinity, showHidden: true })).not.toContain(SECRET);
  });

  it('may be an object whose class has the method ownerOf', async () => {
    class App {
      readonly clientId = 'app';
      readonly clientSecret = SECRET;
      readonly permissions = [];
      readonly webhookUrl = valid.webhookUrl;
      readonly authUrl = 'https://auth.example.com';

      ownerOf(): string {
        return this.clientId;
      }
    }
    const { partner } = resolveOptions({ ...required, partner: new App() });
    expect(await partner?.ownerOf({})).toBe('app');
  });

  it('replaces the shop’s own credentials, which are given both or not at all', () => {
    const rest = { ...required, partner: valid };
    expect(resolveOptions(rest)).toMatchObject({ shopId: null, credentials: null });
    expect(() => resolveOptions({ ...rest, shopId: 'shop' })).toThrow(/secretKey must be/);
    expect(() => resolveOptions({ ...rest, secretKey: 'x' })).toThrow(/shopId must be/);
    expect(() => resolveOptions({ serviceUrl: rest.serviceUrl })).toThrow(
      /shopId must be[^]*secretKey must be/,
    );
    expect(() => resolveOptions({ serviceUrl: rest.serviceUrl, partner: valid })).toThrow(
      /tokenKeys must be set with partner/,
    );
  });
});
