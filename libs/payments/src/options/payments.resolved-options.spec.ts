import { inspect } from 'node:util';
import { authorizationHeader, shopCredentials } from '../api/credentials.js';
import { documentedProfile } from '../api/service-profile.js';
import { yookassaProfile } from '../api/yookassa-profile.js';
import { PaymentsConfigurationError } from '../common/payments.errors.js';
import type { PaymentsModuleOptions } from './payments.options.js';
import { resolveOptions } from './payments.resolved-options.js';

const SECRET = 'live_Zk3vErYsEcReT';
const TOKEN_KEY = 'c2l4dGVlbnRpbWVzdHdvaXN0aGlydHl0d29ieXRlcyE=';
const required: PaymentsModuleOptions = {
  serviceUrl: 'https://api.example.com',
  shopId: 'test_shop',
  secretKey: SECRET,
};

/** Options as a JavaScript host may pass them, whatever the types say. */
const options = (fields: object = {}): PaymentsModuleOptions => Object.assign({ ...required }, fields);

function faultsOf(fields: object): readonly string[] {
  try {
    resolveOptions(options(fields));
    return [];
  } catch (error) {
    if (error instanceof PaymentsConfigurationError) return error.faults;
    throw error;
  }
}

const versionedProfile = { ...documentedProfile, serviceUrl: 'https://api.example.com/v3' };

const chooseCancel = () => 'cancel' as const;

describe('the options', () => {
  it('are filled with their defaults', () => {
    const { credentials, clock, ...rest } = resolveOptions(required);
    expect(rest).toEqual({
      serviceUrl: 'https://api.example.com',
      shopId: 'test_shop',
      tokenKeys: null,
      partner: null,
      profile: documentedProfile,
      trustedProxies: [],
      notificationSenders: documentedProfile.notificationSenders,
      webhookSecret: null,
      sweepIntervalMs: 5_000,
      requestTimeoutMs: 30_000,
      callDeadlineMs: 45_000,
      leaseMs: 67_500,
      leaseSpareMs: 11_250,
      rereadsPerSecond: 20,
      rereadBurst: 100,
      fiscalization: null,
      receiptLateMs: 86_400_000,
      unsettledAfterMs: 2_592_000_000,
      foreignAfterMs: 3_600_000,
      retentionMs: 31_536_000_000,
      contactsRetentionMs: 7_776_000_000,
      holdPolicy: 'flag',
      holdLeadTimeMs: 86_400_000,
      createResendMs: 600_000,
      handlerTimeoutMs: 30_000,
      handlerLeaseMs: 45_000,
      handlerAttempts: 12,
      requestsWaitForStandby: false,
      installation: null,
      unconfirmedDatabase: 'ask',
      solution: 'web_payments',
      circuit: { failures: 10, openMs: 5_000 },
      hooks: {},
    });
    expect(clock.offsetMs()).toBe(0);
    expect(
      credentials !== null && typeof credentials !== 'function' && authorizationHeader(credentials),
    ).toBe(authorizationHeader(shopCredentials('test_shop', SECRET)));
  });

  it('leave contacts to another role with everything else that is old, unless they say otherwise', () => {
    const kept = (given: Partial<PaymentsModuleOptions>) =>
      resolveOptions({ ...required, ...given }).contactsRetentionMs;
    expect(kept({ retentionMs: false })).toBeNull();
    expect(kept({ retentionMs: false, contactsRetentionMs: 86_400_000 })).toBe(86_400_000);
    expect(kept({ contactsRetentionMs: false })).toBeNull();
  });

  it('are taken as given', () => {
    const profile = { ...documentedProfile, notificationSenders: ['192.0.2.0/24'] };
    const clock = { offsetMs: () => 5 };
    const given = {
      profile,
      clock,
      trustedProxies: ['10.0.0.0/8', '2001:db8::/32'],
      sweeps: { intervalMs: 250 },
      requestTimeoutMs: 100,
      callDeadlineMs: 200,
      createResendMs: 0,
      handlerTimeoutMs: 10,
      handlerAttempts: 1,
      requestsWaitForStandby: true,
      solution: 'secure_deal',
    };
    const { sweeps, ...same } = given;
    expect(resolveOptions(options(given))).toMatchObject({
      ...same,
      sweepIntervalMs: 250,
      notificationSenders: ['192.0.2.0/24'],
    });
    expect(sweeps.intervalMs).toBe(250);
  });

  it.each<[unknown, number | null]>([
    [false, null],
    [undefined, 5_000],
    [{}, 5_000],
    [{ intervalMs: 10 }, 10],
    [{ intervalMs: 3_600_000 }, 3_600_000],
  ])('with sweeps %j sweep every %j ms', (sweeps, sweepIntervalMs) => {
    expect(resolveOptions(options({ sweeps })).sweepIntervalMs).toBe(sweepIntervalMs);
  });

  it.each([
    ['https://api.example.com/', 'https://api.example.com'],
    ['https://api.example.com///', 'https://api.example.com'],
    ['https://api.example.com/pay/', 'https://api.example.com/pay'],
    ['https://api.example.com/v30', 'https://api.example.com/v30'],
    ['https://localhost', 'https://localhost'],
    ['http://localhost:4010', 'http://localhost:4010'],
    ['http://127.0.0.1:4010', 'http://127.0.0.1:4010'],
    ['http://[::1]:4010', 'http://[::1]:4010'],
  ])('with serviceUrl %s use %s', (serviceUrl, asked) => {
    expect(resolveOptions(options({ serviceUrl })).serviceUrl).toBe(asked);
  });

  it('may leave the address to the profile', () => {
    const { serviceUrl } = resolveOptions({ shopId: 'shop', secretKey: SECRET, profile: yookassaProfile });
    expect(serviceUrl).toBe('https://api.yookassa.ru');
  });

  it.each([
    ['documentedProfile', documentedProfile],
    ['one made from it', { ...documentedProfile, name: 'own', metadataKey: null }],
  ])('with the public service’s address are refused with %s, and told which fits', (_which, profile) => {
    const serviceUrl = 'https://API.yookassa.ru:443/';
    expect(() => resolveOptions(options({ serviceUrl, profile }))).toThrow(
      `serviceUrl is the public service's, which the profile ${profile.name} does not fit: set profile: yookassaProfile`,
    );
  });

  it.each([
    ['the public service', 'https://api.yookassa.ru', yookassaProfile],
    [
      'the public service and a profile of the host’s',
      'https://api.yookassa.ru',
      { ...yookassaProfile, name: 'own' },
    ],
    ['a proxy of the host’s', 'https://pay.example', yookassaProfile],
    ['a sandbox', 'http://localhost:4010', yookassaProfile],
    ['a sandbox and documentedProfile', 'http://localhost:4010', documentedProfile],
  ])('are accepted for %s', (_where, serviceUrl, profile) => {
    expect(resolveOptions(options({ serviceUrl, profile }))).toMatchObject({ serviceUrl, profile });
  });

  const yookassa = { shopId: 'shop', secretKey: SECRET, profile: yookassaProfile };

  it('of fiscalization require a receipt with the payment, unless they say otherwise', () => {
    expect(resolveOptions({ ...yookassa, fiscalization: { register: 'service' } }).fiscalization).toEqual({
      register: 'service',
      scenario: 'with_payment',
      requireReceipt: true,
    });
  });

  it.each<[object, string]>([
    [{ ...yookassa, fiscalization: {} }, 'fiscalization.register must be one of service, third_party'],
    [
      { ...yookassa, fiscalization: { register: 'service', scenario: 'after_payment' } },
      'fiscalization.scenario must be with_payment',
    ],
    [
      { ...yookassa, fiscalization: { register: 'service', lateAfterMs: 59_999 } },
      'fiscalization.lateAfterMs must be at least 60000',
    ],
    [
      { ...yookassa, fiscalization: { register: 'service', unsettledAfterMs: 31_536_000_001 } },
      'fiscalization.unsettledAfterMs must be at most 31536000000, a year',
    ],
    [
      options({ fiscalization: { register: 'service' } }),
      'fiscalization must be left out: the documented service',
    ],
  ])('of fiscalization are refused with their fix: %j', (given, message) => {
    expect(() => resolveOptions(Object.assign(options({}), given))).toThrow(message);
  });

  it.each<[PaymentsModuleOptions['holds'], unknown, number]>([
    [{}, 'flag', 86_400_000],
    [{ policy: 'capture', leadTimeMs: 60_000 }, 'capture', 60_000],
    [{ policy: chooseCancel, leadTimeMs: 604_800_000 }, chooseCancel, 604_800_000],
  ])('accept holds %j', (holds, holdPolicy, holdLeadTimeMs) => {
    expect(resolveOptions(options({ holds }))).toMatchObject({ holdPolicy, holdLeadTimeMs });
  });

  it.each([
    [false, false],
    [{}, { failures: 10, openMs: 5_000 }],
    [{ failures: 1 }, { failures: 1, openMs: 5_000 }],
    [
      { failures: 1, openMs: 1 },
      { failures: 1, openMs: 1 },
    ],
  ])('accept circuit %j', (circuit, taken) => {
    expect(resolveOptions(options({ circuit })).circuit).toEqual(taken);
  });

  it('accept hooks as they are, and call none of them', () => {
    const called: string[] = [];
    class Hooks {
      onRequest(): void {
        called.push('onRequest');
      }
    }
    const hooks = new Hooks();
    expect(resolveOptions(options({ hooks })).hooks).toBe(hooks);
    expect(called).toEqual([]);
  });

  it('may name senders in place of the profile’s', () => {
    const notificationSenders = ['192.0.2.7/32', '2001:db8::/128'];
    expect(resolveOptions(options({ notificationSenders })).notificationSenders).toEqual(notificationSenders);
  });
});

describe('an option at its limit', () => {
  it.each<[keyof PaymentsModuleOptions, number, number | null, object]>([
    ['requestTimeoutMs', 100, 120_000, { callDeadlineMs: 160_000 }],
    ['callDeadlineMs', 100, 160_000, { requestTimeoutMs: 100 }],
    ['createResendMs', 0, 43_200_000, {}],
    ['handlerTimeoutMs', 10, 3_600_000, {}],
    ['foreignAfterMs', 60_000, 604_800_000, {}],
    ['handlerAttempts', 1, null, {}],
  ])('%s may be from %i to %j', (name, least, most, beside) => {
    const faults = (value: unknown) => faultsOf({ ...beside, [name]: value });
    expect(faults(least)).toEqual([]);
    expect(faults(least - 1)).toContain(`${name} must be at least ${least}`);
    expect(faults(least + 0.5).join()).toMatch(`${name} must be a whole number`);
    expect(faults(String(least)).join()).toMatch(`${name} must be a whole number`);
    expect(faults(null).join()).toMatch(`${name} must be a whole number`);
    expect(faults(NaN).join()).toMatch(`${name} must be a whole number`);
    expect(most === null ? [] : faults(most)).toEqual([]);
    expect(most === null ? `${name} must be at most` : faults(most + 1).join()).toMatch(
      `${name} must be at most`,
    );
  });

  it('a call must be over, and its lease with it, before a lost request counts as over', () => {
    expect(faultsOf({ callDeadlineMs: 160_001 })).toEqual([
      expect.stringMatching(/^callDeadlineMs must be at most 160000: .* 300000 ms after it was sent$/),
    ]);
  });

  it('a hold must be handled before it ends', () => {
    const sweeps = { intervalMs: 20_000 };
    expect(faultsOf({ sweeps, callDeadlineMs: 40_000, holds: { leadTimeMs: 60_000 } })).toEqual([]);
    expect(faultsOf({ sweeps, callDeadlineMs: 40_001, holds: { leadTimeMs: 60_000 } })).toEqual([
      expect.stringMatching(
        /^holds\.leadTimeMs must be at least 60001, sweeps\.intervalMs and callDeadlineMs/,
      ),
    ]);
  });

  it('callDeadlineMs must leave time for one attempt', () => {
    expect(faultsOf({ requestTimeoutMs: 1_000, callDeadlineMs: 1_000 })).toEqual([]);
    expect(faultsOf({ requestTimeoutMs: 1_000, callDeadlineMs: 999 })).toEqual([
      'callDeadlineMs (999) must be at least requestTimeoutMs (1000): raise one or lower the other',
    ]);
    expect(faultsOf({ requestTimeoutMs: 45_001 })).toHaveLength(1);
  });
});

describe('an option that is wrong', () => {
  it.each<[object, RegExp]>([
    [{ serviceUrl: undefined }, /^serviceUrl must be the address/],
    [{ serviceUrl: '' }, /^serviceUrl must be the address/],
    [{ serviceUrl: 'api.example.com' }, /^serviceUrl must be the address/],
    [{ serviceUrl: 'ftp://api.example.com' }, /^serviceUrl must be the address/],
    [{ serviceUrl: 'https://' }, /^serviceUrl must be the address/],
    [{ serviceUrl: 5 }, /^serviceUrl must be the address/],
    [{ serviceUrl: 'https://user:pass@api.example.com' }, /^serviceUrl must be the address/],
    [{ serviceUrl: 'https://api.example.com?a=1' }, /^serviceUrl must be the address/],
    [{ serviceUrl: 'https://api.example.com/#a' }, /^serviceUrl must be the address/],
    [{ profile: null }, /^profile must be a ServiceProfile/],
    [{ profile: 'documented' }, /^profile must be a ServiceProfile/],
    [
      { trustedProxies: true },
      /^trustedProxies must be an array .* your own reverse proxies, e\.g\. \['10\.0\.0\.7'/,
    ],
    [
      { trustedProxies: ['0.0.0.0/0'] },
      /^trustedProxies must name only the addresses of your own reverse proxies, e\.g\./,
    ],
    [
      { trustedProxies: ['::/0'] },
      /^trustedProxies must name only the addresses of your own reverse proxies, e\.g\./,
    ],
    [{ notificationSenders: true }, /^notificationSenders must be an array/],
    [
      { notificationSenders: ['0.0.0.0/0'] },
      /^notificationSenders must name only the addresses of the service/,
    ],
    [{ serviceUrl: 'http://api.example.com' }, /^serviceUrl must use https/],
    [{ serviceUrl: 'http://localhost.example.com' }, /^serviceUrl must use https/],
    [{ serviceUrl: 'http://127.0.0.1.example.com' }, /^serviceUrl must use https/],
    [{ serviceUrl: 'http://10.0.0.1' }, /^serviceUrl must use https/],
    [{ shopId: undefined }, /^shopId must be the shop identifier/],
    [{ shopId: '' }, /^shopId must be the shop identifier/],
    [{ shopId: 'a:b' }, /^shopId must be the shop identifier/],
    [{ shopId: 'a b' }, /^shopId must be the shop identifier/],
    [{ shopId: 'x'.repeat(65) }, /^shopId must be the shop identifier/],
    [{ shopId: 507 }, /^shopId must be the shop identifier/],
    [{ secretKey: undefined }, /^secretKey must be the secret key/],
    [{ secretKey: '' }, /^secretKey must be the secret key/],
    [{ secretKey: 'a b' }, /^secretKey must be the secret key/],
    [{ secretKey: `${SECRET}\n` }, /^secretKey must be the secret key/],
    [{ secretKey: { value: SECRET } }, /^secretKey must be the secret key/],
    [{ secretKey: [SECRET] }, /^secretKey must be .* or a function that returns it$/],
    [{ tokenKeys: null }, /^tokenKeys must be \{ current, keys \}$/],
    [{ tokenKeys: { current: 'a' } }, /^tokenKeys must be \{ current, keys \}$/],
    [{ tokenKeys: { current: 'a', keys: [TOKEN_KEY] } }, /^tokenKeys must be \{ current, keys \}$/],
    [{ tokenKeys: { current: 'a', keys: {} } }, /^tokenKeys\.current must be the id of one/],
    [{ tokenKeys: { current: 'toString', keys: { a: TOKEN_KEY } } }, /^tokenKeys\.current must be/],
    [{ tokenKeys: { current: 'a.b', keys: { 'a.b': TOKEN_KEY } } }, /^tokenKeys\.keys must have ids/],
    [{ tokenKeys: { current: 'a', keys: { a: 'c2hvcnQ=' } } }, /^tokenKeys\.keys\.a must be base64 of 32/],
    [{ tokenKeys: { current: 'a', keys: { a: `${TOKEN_KEY}\n` } } }, /^tokenKeys\.keys\.a must be base64/],
    [{ tokenKeys: { current: 'a', keys: { a: 5 } } }, /^tokenKeys\.keys\.a must be base64 of 32 bytes/],
    [{ trustedProxies: '10.0.0.0/8' }, /^trustedProxies must be an array/],
    [{ webhookSecret: '' }, /^webhookSecret must be a secret of 32 to 128 letters/],
    [{ webhookSecret: 'x'.repeat(31) }, /^webhookSecret must be a secret/],
    [{ webhookSecret: `${'x'.repeat(40)}/` }, /^webhookSecret must be a secret/],
    [
      { serviceUrl: 'https://api.example.com/v3' },
      /^serviceUrl must be https:\/\/api\.example\.com: .*\/v3\//,
    ],
    [
      { serviceUrl: 'https://api.example.com/v3/' },
      /^serviceUrl must be https:\/\/api\.example\.com: .*\/v3\//,
    ],
    [
      { serviceUrl: 'https://api.example.com/a/V3/payments' },
      /^serviceUrl must be https:\/\/api\.example\.com\/a: .*\/v3\//,
    ],
    [
      { serviceUrl: undefined, profile: versionedProfile },
      /^serviceUrl must be https:\/\/api\.example\.com: .*\/v3\//,
    ],
    [
      { trustedProxies: ['0.0.0.0/1', '128.0.0.0/1'] },
      /^trustedProxies must name only the addresses of your own reverse proxies/,
    ],
    [
      { trustedProxies: ['::/1', '8000::/1'] },
      /^trustedProxies must name only the addresses of your own reverse proxies/,
    ],
    [{ notificationSenders: ['0.0.0.0/1', '128.0.0.0/1'] }, /^notificationSenders must name/],
    [{ trustedProxies: ['10.0.0'] }, /^trustedProxies must be addresses or CIDRs/],
    [{ trustedProxies: ['10.0.0.1:80'] }, /^trustedProxies must be addresses or CIDRs/],
    [{ trustedProxies: ['::10.0.0.7'] }, /^trustedProxies must be addresses or CIDRs/],
    [{ trustedProxies: ['fe80::1%eth0'] }, /^trustedProxies must be addresses or CIDRs/],
    [{ trustedProxies: ['10.0.0.0/33'] }, /^trustedProxies must be addresses or CIDRs/],
    [{ trustedProxies: ['2001:db8::/129'] }, /^trustedProxies must be addresses or CIDRs/],
    [{ trustedProxies: ['10.0.0.0/'] }, /^trustedProxies must be addresses or CIDRs/],
    [{ trustedProxies: ['10.0.0.0/8/8'] }, /^trustedProxies must be addresses or CIDRs/],
    [{ trustedProxies: ['10.0.0.0/-1'] }, /^trustedProxies must be addresses or CIDRs/],
    [{ trustedProxies: ['10.0.0.0/255.0.0.0'] }, /^trustedProxies must be addresses or CIDRs/],
    [{ trustedProxies: ['proxy.local/8'] }, /^trustedProxies must be addresses or CIDRs/],
    [{ trustedProxies: ['10.0.0.0/8', 5] }, /^trustedProxies must be addresses or CIDRs/],
    [{ trustedProxies: ['loopback'] }, /^trustedProxies must be addresses or CIDRs/],
    [{ trustedProxies: ['10.0.0.0/8', '10.0.0.0/8'] }, /^trustedProxies must not repeat/],
    [{ notificationSenders: '185.71.76.0/27' }, /^notificationSenders must be an array/],
    [{ notificationSenders: ['185.71.76.05'] }, /^notificationSenders must be addresses or CIDRs/],
    [{ solution: 'acquiring' }, /^solution must be one of web_payments, payouts, .*, secure_deal$/],
    [{ solution: null }, /^solution must be one of/],
    [{ circuit: true }, /^circuit must be false or/],
    [{ circuit: [] }, /^circuit must be false or/],
    [{ circuit: null }, /^circuit must be false or/],
    [{ circuit: { failures: 0 } }, /^circuit\.failures must be at least 1$/],
    [{ circuit: { failures: 1.5 } }, /^circuit\.failures must be a whole number/],
    [{ circuit: { openMs: 0 } }, /^circuit\.openMs must be at least 1$/],
    [{ circuit: { openMs: 600_001 } }, /^circuit\.openMs must be at most 600000/],
    [{ circuit: { openMs: '5' } }, /^circuit\.openMs must be a whole number/],
    [{ retentionMs: 86_399_999 }, /^retentionMs must be at least 86400000$/],
    [{ contactsRetentionMs: 86_399_999 }, /^contactsRetentionMs must be at least 86400000$/],
    [{ contactsRetentionMs: null }, /^contactsRetentionMs must be false or a whole number/],
    [{ retentionMs: null }, /^retentionMs must be false or a whole number/],
    [{ retentionMs: true }, /^retentionMs must be false or a whole number/],
    [{ rereads: 20 }, /^rereads must be \{ perSecond, burst \}$/],
    [{ rereads: { perSecond: 0 } }, /^rereads\.perSecond must be a number from 0\.1 to 1000$/],
    [{ rereads: { perSecond: NaN } }, /^rereads\.perSecond must be/],
    [{ rereads: { burst: 0 } }, /^rereads\.burst must be at least 1$/],
    [{ rereads: { burst: 1.5 } }, /^rereads\.burst must be a whole number$/],
    [{ holds: 'capture' }, /^holds must be \{ policy, leadTimeMs \}$/],
    [{ holds: null }, /^holds must be/],
    [{ holds: { policy: 'ship' } }, /^holds\.policy must be one of capture, cancel, flag, or a function/],
    [{ holds: { policy: null } }, /^holds\.policy must be one of/],
    [{ holds: { leadTimeMs: 59_999 } }, /^holds\.leadTimeMs must be at least 60000/],
    [{ holds: { leadTimeMs: 604_800_001 } }, /^holds\.leadTimeMs must be at most 604800000/],
    [{ holds: { leadTimeMs: '1d' } }, /^holds\.leadTimeMs must be a whole number/],
    [{ holds: { leadTime: 5 } }, /^holds\.leadTime is not an option/],
    [{ shop_id: '1' }, /^shop_id is not an option: shopId is meant$/],
    [{ holds: { lead_time_ms: 5 } }, /^holds\.lead_time_ms is not an option: leadTimeMs is meant$/],
    [{ hooks: null }, /^hooks must be an object with the functions/],
    [{ hooks: () => undefined }, /^hooks must be an object with the functions/],
    [{ hooks: { onAnswer: 'log' } }, /^hooks must be an object with the functions/],
    [{ sweeps: true }, /^sweeps must be false or/],
    [{ sweeps: null }, /^sweeps must be false or/],
    [{ sweeps: 5_000 }, /^sweeps must be false or/],
    [{ sweeps: [] }, /^sweeps must be false or/],
    [{ sweeps: { intervalMs: 9 } }, /^sweeps\.intervalMs must be at least 10$/],
    [{ sweeps: { intervalMs: 3_600_001 } }, /^sweeps\.intervalMs must be at most 3600000/],
    [{ sweeps: { intervalMs: '250' } }, /^sweeps\.intervalMs must be a whole number/],
  ])('%o is reported', (fields, fault) => {
    expect(faultsOf(fields)).toContainEqual(expect.stringMatching(fault));
  });

  it.each([[true], ['10.0.0.7'], [['0.0.0.0/0']], [['10.0.0.7', '10.0.0.7']], [[5, 'x']], [null]])(
    'is reported in one sentence if the proxies are %j',
    (trustedProxies) => {
      expect(faultsOf({ trustedProxies })).toHaveLength(1);
    },
  );

  it('is reported together with every other', () => {
    const faults = faultsOf({
      serviceUrl: 'nowhere',
      shopId: '',
      secretKey: '',
      trustedProxies: ['10.0.0'],
      notificationSenders: ['x'],
      sweeps: { intervalMs: 1 },
      requestTimeoutMs: 1,
      callDeadlineMs: 1,
      createResendMs: -1,
      handlerTimeoutMs: 1,
      handlerAttempts: 0,
    });
    expect(new Set(faults.map((fault) => fault.split(' ')[0]))).toEqual(
      new Set([
        'serviceUrl',
        'shopId',
        'secretKey',
        'trustedProxies',
        'notificationSenders',
        'sweeps.intervalMs',
        'requestTimeoutMs',
        'callDeadlineMs',
        'createResendMs',
        'handlerTimeoutMs',
        'handlerAttempts',
      ]),
    );
    expect(() => resolveOptions(options({ shopId: '', handlerAttempts: 0 }))).toThrow(
      /^The payments module cannot start:\n {2}- .*\n {2}- .*$/,
    );
  });

  it.each<[object]>([
    [{ secretKey: `${SECRET} ${SECRET}` }],
    [{ secretKey: [SECRET] }],
    [{ tokenKeys: { current: 'b', keys: { a: SECRET } } }],
    [{ shopId: '', serviceUrl: 'nowhere' }],
    [{ serviceUrl: 'http://api.example.com' }],
  ])('%# never shows the secret key', (fields) => {
    const resolve = () => resolveOptions(options(fields));
    expect(resolve).toThrow(PaymentsConfigurationError);
    let shown = '';
    try {
      resolve();
    } catch (error) {
      shown = inspect(error, { depth: Infinity, showHidden: true, getters: true });
    }
    expect(shown).toContain('cannot start');
    expect(shown).not.toContain(SECRET);
  });

  it('or right, shows no secret key once it is resolved', () => {
    const tokenKeys = { current: 'a', keys: { a: TOKEN_KEY } };
    const resolved = resolveOptions({ ...required, tokenKeys });
    expect(resolved.tokenKeys?.keys.get('a')?.reveal()).toBe(TOKEN_KEY);
    const deep = { depth: Infinity, showHidden: true, getters: true };
    const shown = [
      inspect(resolved, deep),
      inspect(resolved, { ...deep, customInspect: false }),
      JSON.stringify(resolved),
    ];
    expect(shown.join()).not.toContain(SECRET);
    expect(shown.join()).not.toContain(TOKEN_KEY);
  });
});
