import { networkOf } from './network.js';
import { SignInAttempts } from './sign-in-attempts.js';

const MINUTE_MS = 60_000;

describe('attempts to sign in', () => {
  let nowMs: number;
  let attempts: SignInAttempts;
  beforeEach(() => {
    nowMs = Date.UTC(2030, 0, 1);
    attempts = new SignInAttempts(() => nowMs);
  });

  const fail = (address: string, times = 1) =>
    Array.from({ length: times }, () => attempts.begin(address)).at(-1);
  function succeed(address: string): number {
    const waitMs = attempts.begin(address);
    if (waitMs === 0) attempts.succeeded(address);
    return waitMs;
  }

  it('of one address end after ten failures, for what is left of a quarter of an hour', () => {
    expect(fail('192.0.2.1', 10)).toBe(0);
    nowMs += 5 * MINUTE_MS;
    expect(fail('192.0.2.1')).toBe(10 * MINUTE_MS);
    expect(succeed('192.0.2.1')).toBe(10 * MINUTE_MS);
    expect(fail('192.0.2.2')).toBe(0);
    nowMs += 10 * MINUTE_MS;
    expect(succeed('192.0.2.1')).toBe(0);
  });

  it('that succeed are not counted', () => {
    fail('192.0.2.1', 9);
    for (let times = 0; times < 50; times += 1) expect(succeed('192.0.2.1')).toBe(0);
    expect([fail('192.0.2.1'), fail('192.0.2.1')]).toEqual([0, 15 * MINUTE_MS]);
  });

  it('in progress at once count before any of them has failed', () => {
    const begun = Array.from({ length: 12 }, () => attempts.begin('192.0.2.1'));
    expect(begun.filter((waitMs) => waitMs === 0)).toHaveLength(10);
  });

  it('of a hundred strangers shut out strangers, and nobody who has signed in from their address before', () => {
    succeed('192.0.2.1');
    for (let n = 0; n < 100; n += 1) fail(`198.18.0.${n}`);
    expect(succeed('203.0.113.1')).toBe(15 * MINUTE_MS);
    expect(succeed('192.0.2.1')).toBe(0);
    expect(fail('192.0.2.1', 11)).toBe(15 * MINUTE_MS);
  });

  it('in a browser that is known are its own, whatever strangers did, and end after ten failures', () => {
    for (let n = 0; n < 100; n += 1) fail(`198.18.0.${n % 10}`);
    for (let n = 0; n < 10; n += 1) expect(attempts.begin('198.18.0.1', 'browser-1')).toBe(0);
    expect(attempts.begin('203.0.113.1', 'browser-1')).toBe(15 * MINUTE_MS);
    expect(attempts.begin('198.18.0.1', 'browser-2')).toBe(0);
    attempts.succeeded('198.18.0.1', 'browser-2');
    expect(attempts.begin('198.18.0.1')).toBe(15 * MINUTE_MS);
  });

  it('from one network count together if its addresses cost nothing', () => {
    for (let n = 0; n < 10; n += 1) fail(`2001:db8:0:1::${n}`);
    expect(fail('2001:DB8::1:ffff:0:0:1')).toBeGreaterThan(0);
    expect(fail('2001:db8:0:2::1')).toBe(0);
  });

  it('continue after the clock was set back', () => {
    fail('192.0.2.1', 10);
    nowMs -= 60 * MINUTE_MS;
    expect(fail('192.0.2.1')).toBe(0);
  });
});

describe('the network of an address', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::1', '0:0:0:0'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0DB8::5:6', '2001:db8:0:0'],
    ['unknown', 'unknown'],
  ])('%s is in %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
