import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Telemetry } from '../../telemetry/telemetry.js';
import { addressMatcher, type Sender } from './sender-address.js';
import { refusalAdvice, RefusedSenders, targetWithout } from './sender.guard.js';

describe('refused senders', () => {
  const warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
  const lines = () => warned.mock.calls.map(([line]) => String(line));
  let hours = 0;
  let refused: RefusedSenders;
  beforeEach(() => {
    warned.mockClear();
    hours = 0;
    refused = new RefusedSenders(new Telemetry(), { clock: { offsetMs: () => hours * 3_600_000 } });
  });
  afterAll(() => warned.mockRestore());

  it('are counted separately, the last one first', () => {
    for (const address of ['203.0.113.9', '10.0.0.7', '::ffff:10.0.0.7', '203.0.113.9']) {
      refused.note(address, address === '203.0.113.9' ? 'notificationSenders' : 'trustedProxies');
      hours += 1;
    }
    const list = refused.list();
    expect(list).toMatchObject([
      { address: '203.0.113.9', advice: 'notificationSenders', count: 2 },
      { address: '10.0.0.7', advice: 'trustedProxies', count: 2 },
    ]);
    const hoursApart = list.map(({ firstAt, lastAt }) => (lastAt.getTime() - firstAt.getTime()) / 3_600_000);
    expect(hoursApart.map(Math.round)).toEqual([3, 1]);
  });

  it('are a hundred at most: the one refused longest ago makes room', () => {
    for (let count = 0; count < 1_000; count += 1) {
      refused.note(`2001:db8::${count.toString(16)}`, 'notificationSenders');
      refused.note('10.0.0.7', 'trustedProxies');
    }
    expect(refused.list()).toHaveLength(100);
    expect(refused.list()[0]).toMatchObject({ address: '10.0.0.7', count: 1_000 });
    expect(refused.list().at(-1)).toMatchObject({ address: '2001:db8::385' });
  });

  it('take no more room than an address, and none if the sender has hung up', () => {
    refused.note('x'.repeat(16_000), 'X-Forwarded-For');
    refused.note('', 'X-Forwarded-For');
    expect(refused.list()).toMatchObject([{ address: 'x'.repeat(64), count: 1 }]);
  });

  it('are one line in the log for a flood of them', () => {
    for (let count = 0; count < 1_000; count += 1)
      refused.note(`203.0.113.${count % 256}`, 'notificationSenders');
    expect(lines()).toEqual([
      expect.stringMatching(/^Refused 1 notification\(s\), the last from "203\.0\.113\.0"/),
    ]);
  });

  it.each([
    [
      'trustedProxies',
      '172.16.0.9',
      "If that is a reverse proxy of your own, and only then, add '172.16.0.9' to trustedProxies. What each common set-up takes: docs/behind-a-proxy.md.",
    ],
    [
      'notificationSenders',
      '203.0.113.9',
      "If that is on the service's own list, and only then, add '203.0.113.9' to notificationSenders.",
    ],
    [
      'webhookSecret',
      '203.0.113.9',
      'If that was the service, the notification URL in the Merchant Profile has to end in /<the webhookSecret>.',
    ],
    [
      'X-Forwarded-For',
      'unknown',
      "No sender's address was named: have the outermost of your trustedProxies put it into X-Forwarded-For.",
    ],
  ] as const)('are logged with %s if that would accept them', (advice, address, remedy) => {
    refused.note(address, advice);
    expect(lines()).toEqual([expect.stringContaining(remedy)]);
  });
});

const isSender = addressMatcher(['185.71.76.0/27']);
const sender = (fields: Partial<Sender>): Sender => ({
  address: '203.0.113.9',
  isProxy: false,
  claims: [],
  ...fields,
});

describe('the setting that would let a refused sender in', () => {
  it.each<[string, Partial<Sender>, string]>([
    ['a private address', { address: '172.20.0.3' }, 'trustedProxies'],
    ['a private address written as IPv6', { address: '::ffff:10.1.2.3' }, 'trustedProxies'],
    ['a unique local address', { address: 'fd00::7' }, 'trustedProxies'],
    ['a public address that speaks for a sender', { claims: ['185.71.76.5'] }, 'trustedProxies'],
    ['a sender behind two more', { claims: ['198.51.100.2', '185.71.76.5'] }, 'trustedProxies'],
    ['a trusted proxy that names nobody', { address: '10.0.0.7', isProxy: true }, 'X-Forwarded-For'],
    ['what is no address', { address: 'unknown' }, 'X-Forwarded-For'],
    ['a public address by itself', {}, 'notificationSenders'],
    ['a public address that speaks for another', { claims: ['198.51.100.2'] }, 'notificationSenders'],
  ])('%s', (_what, fields, advice) => expect(refusalAdvice(sender(fields), isSender)).toBe(advice));
});

describe('a request target with the secret of the webhook', () => {
  const SECRET = 'a-secret_of-32-letters-or-more-0';
  const paths = ['/api/hooks', '/hooks'];

  it.each([
    [`/hooks/${SECRET}`, '/hooks'],
    [`/api/hooks/${SECRET}`, '/api/hooks'],
    [`/hooks/${SECRET}/`, '/hooks/'],
    [`/hooks/${SECRET}?a=1`, '/hooks?a=1'],
    [`/hooks/${SECRET}#a`, '/hooks#a'],
    [`/hooks/${SECRET}/key?a=/hooks/x`, '/hooks/key?a=/hooks/x'],
  ])('%s is %s without it', (target, without) => {
    expect(targetWithout(target, paths, SECRET)).toBe(without);
  });

  it.each([
    '/hooks',
    '/hooks/',
    `/hooks/${SECRET.slice(1)}`,
    `/hooks/${SECRET}0`,
    `/hooks/${SECRET.toUpperCase()}`,
    `/hooks/key/${SECRET}`,
    `/hooks?secret=${SECRET}`,
    `/hooks//${SECRET}`,
    `/other/hooks/${SECRET}`,
    `/${SECRET}`,
    `http://shop.example/hooks/${SECRET}`,
  ])('%s has none in its place', (target) => {
    expect(targetWithout(target, paths, SECRET)).toBeNull();
  });
});
