import { yookassaProfile } from '@holdfast/payments/client';
import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { Environment, parseEnvironment } from './environment.js';
import { sandboxReceipts } from './sandbox-receipts.js';
import { serviceFromEnvironment } from './service-from-environment.js';

describe('the environment', () => {
  it('starts a shop with a sandbox when nothing is set', () => {
    const environment = parseEnvironment({ PAYMENTS_SHOP_ID: '', PORT: ' ', PATH: '/bin' });
    expect(environment).toMatchObject({
      PORT: 3000,
      HOST: '127.0.0.1',
      SANDBOX_PORT: 4010,
      PAYMENTS_PROFILE: 'documented',
      usesService: false,
    });
    expect(environment.DATABASE_URL).toBeUndefined();
  });

  it('reads what is set', () => {
    const environment = parseEnvironment({
      DATABASE_URL: 'postgres://u:p@db:5432/shop',
      PORT: '0',
      PUBLIC_URL: 'https://shop.example',
      STAFF_PASSWORD: 'pour-over-1842',
      PAYMENTS_SHOP_ID: 'test_1',
      PAYMENTS_SECRET_KEY: 'key',
      PAYMENTS_SERVICE_URL: 'http://127.0.0.1:4010',
      PAYMENTS_PROFILE: 'yookassa',
      TRUSTED_PROXIES: '10.0.0.0/8, ::1/128',
      METRICS_PORT: '9464',
      SWEEP_INTERVAL_MS: '100',
      BUSINESS_CLOCK_OFFSET_MS: '-60000',
    });
    expect(environment).toMatchObject({
      PORT: 0,
      STAFF_PASSWORD: 'pour-over-1842',
      PAYMENTS_PROFILE: 'yookassa',
      TRUSTED_PROXIES: ['10.0.0.0/8', '::1/128'],
      METRICS_PORT: 9464,
      SWEEP_INTERVAL_MS: 100,
      BUSINESS_CLOCK_OFFSET_MS: -60_000,
      usesService: true,
    });
  });

  it('is described completely by .env.example, which changes nothing as it is', async () => {
    const example = parseEnv(await readFile(new URL('../../.env.example', import.meta.url), 'utf8'));
    expect(parseEnvironment(example)).toEqual(parseEnvironment({}));
    expect(Object.keys(example).toSorted()).toEqual(Object.keys(new Environment()).toSorted());
  });

  it('sends receipts to the register that is named, and with a sandbox of its own wherever there are any', () => {
    const registerOf = (variables: Record<string, string>) =>
      serviceFromEnvironment(parseEnvironment(variables), 'postgres://db/shop').payments.fiscalization;
    const PAYMENTS_PROFILE = 'yookassa';
    expect(registerOf({})).toBeUndefined();
    expect(registerOf({ PAYMENTS_PROFILE })).toEqual({ register: 'service', scenario: 'with_payment' });
    const account = { PAYMENTS_PROFILE, PAYMENTS_SHOP_ID: '4711', PAYMENTS_SECRET_KEY: 'key' };
    expect(registerOf(account)).toBeUndefined();
    expect(registerOf({ ...account, PAYMENTS_REGISTER: 'third_party' })).toEqual({
      register: 'third_party',
      scenario: 'with_payment',
    });
    expect(() => parseEnvironment({ PAYMENTS_REGISTER: 'ours' })).toThrow(/PAYMENTS_REGISTER must be/);
  });

  it('sends receipts after the money where a third party’s register works so, and its own sandbox takes them so', () => {
    const after = {
      PAYMENTS_PROFILE: 'yookassa',
      PAYMENTS_REGISTER: 'third_party',
      PAYMENTS_RECEIPTS: 'after_payment',
    };
    const { payments } = serviceFromEnvironment(
      parseEnvironment({ ...after, PAYMENTS_SHOP_ID: '4711', PAYMENTS_SECRET_KEY: 'key' }),
      'postgres://db/shop',
    );
    expect(payments.fiscalization).toEqual({ register: 'third_party', scenario: 'after_payment' });
    const receiptsOf = (variables: Record<string, string>) => sandboxReceipts(parseEnvironment(variables));
    expect(receiptsOf(after)).toEqual({ scenario: 'after_payment', provider: 'atol' });
    expect(receiptsOf({ ...after, PAYMENTS_RECEIPTS: 'with_payment' })).toEqual({
      scenario: 'with_payment',
      provider: 'atol',
    });
    expect(receiptsOf({ PAYMENTS_PROFILE: 'yookassa' })).toEqual({
      scenario: 'with_payment',
      provider: 'yoo_receipt',
    });
    expect(receiptsOf({})).toBeUndefined();
  });

  it('sends no receipts after the money but to a third party’s register', () => {
    const PAYMENTS_RECEIPTS = 'after_payment';
    const fix = /PAYMENTS_RECEIPTS must be with_payment unless PAYMENTS_REGISTER=third_party/;
    for (const others of [{}, { PAYMENTS_PROFILE: 'yookassa' }, { PAYMENTS_REGISTER: 'service' }])
      expect(() => parseEnvironment({ ...others, PAYMENTS_RECEIPTS })).toThrow(fix);
    expect(() => parseEnvironment({ PAYMENTS_RECEIPTS: 'before_payment' })).toThrow(
      /PAYMENTS_RECEIPTS must be with_payment or after_payment/,
    );
  });

  it('leaves the address of the service to a profile that knows it, and to no other', () => {
    const account = { PAYMENTS_SHOP_ID: 'test_1', PAYMENTS_SECRET_KEY: 'key' };
    const { payments } = serviceFromEnvironment(
      parseEnvironment({ ...account, PAYMENTS_PROFILE: 'yookassa' }),
      'postgres://db/shop',
    );
    expect(payments).toMatchObject({ profile: yookassaProfile });
    expect(payments).not.toHaveProperty('serviceUrl');
    expect(() => parseEnvironment(account)).toThrow(/PAYMENTS_SERVICE_URL must be/);
    const faulty = { ...account, PAYMENTS_PROFILE: 'yookassa', PAYMENTS_SERVICE_URL: 'api.example' };
    expect(() => parseEnvironment(faulty)).toThrow(/PAYMENTS_SERVICE_URL must be/);
  });

  it('lists every fault at once, each with its fix', () => {
    const faulty = {
      DATABASE_URL: 'mysql://db',
      PORT: '70000',
      SANDBOX_PORT: 'x',
      METRICS_PORT: '0',
      PUBLIC_URL: 'shop.example',
      STAFF_PASSWORD: 'short',
      PAYMENTS_SHOP_ID: 'test_1',
      PAYMENTS_PROFILE: 'public',
      TRUSTED_PROXIES: 'proxy.local',
      SWEEP_INTERVAL_MS: '1.5',
      BUSINESS_CLOCK_OFFSET_MS: 'soon',
    };
    const faults = [...Object.keys(faulty), 'PAYMENTS_SECRET_KEY', 'PAYMENTS_SERVICE_URL'];
    let message = '';
    try {
      parseEnvironment(faulty);
    } catch (error) {
      message = String(error);
    }
    const lines = message.split('\n').slice(1);
    expect(lines).toHaveLength(faults.length - 1); // a shop id alone is no fault
    for (const name of faults.filter((fault) => fault !== 'PAYMENTS_SHOP_ID')) {
      expect(lines.filter((line) => line.startsWith(`  - ${name} must`))).toHaveLength(1);
    }
  });
});
