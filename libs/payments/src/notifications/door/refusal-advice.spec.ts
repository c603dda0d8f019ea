import { refusalAdvice } from './refusal-advice.js';
import { addressMatcher, type Sender } from './sender-address.js';

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
