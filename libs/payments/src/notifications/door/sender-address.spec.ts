import * as fc from 'fast-check';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { documentedProfile } from '../../api/service-profile.js';
import { addressMatcher, senderReader } from './sender-address.js';

function request(remoteAddress: string, forwardedFor?: string): IncomingMessage {
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });
  const message = new IncomingMessage(socket);
  if (forwardedFor !== undefined) message.headers['x-forwarded-for'] = forwardedFor;
  return message;
}

describe('an address', () => {
  const isSender = addressMatcher(documentedProfile.notificationSenders);

  it.each([
    '185.71.76.0',
    '185.71.76.31',
    '185.71.77.0',
    '185.71.77.31',
    '77.75.153.0',
    '77.75.153.127',
    '77.75.154.128',
    '77.75.154.255',
    '77.75.156.11',
    '77.75.156.35',
    '2a02:5180::',
    '2a02:5180:ffff:ffff:ffff:ffff:ffff:ffff',
    '2A02:5180:0:1::5',
    '2a02:5180:0000:0000:0000:0000:0000:0001',
    '::ffff:185.71.76.5',
    '::FFFF:185.71.76.5',
    '::ffff:b947:4c05',
    '0:0:0:0:0:ffff:185.71.76.5',
  ])('%s is the service’s', (address) => expect(isSender(address)).toBe(true));

  it.each([
    '185.71.75.255',
    '185.71.76.32',
    '185.71.77.32',
    '77.75.152.255',
    '77.75.153.128',
    '77.75.154.127',
    '77.75.155.0',
    '77.75.156.10',
    '77.75.156.12',
    '77.75.156.34',
    '77.75.156.36',
    '2a02:517f:ffff:ffff:ffff:ffff:ffff:ffff',
    '2a02:5181::',
    '::ffff:185.71.76.32',
    '::ffff:127.0.0.1',
    '::185.71.76.5',
    '127.0.0.1',
    '::1',
    '0.0.0.0',
    '',
    ' ',
    'unknown',
    'localhost',
    '185.71.76.5junk',
    'junk185.71.76.5',
    '185.71.76.5 ',
    ' 185.71.76.5',
    '185.71.76.5\n',
    '185.71.76.5:443',
    '[2a02:5180::1]',
    '[2a02:5180::1]:443',
    '185.71.76',
    '185.71.76.5.1',
    '185.71.76.05',
    '0xb9.71.76.5',
    '3108457477',
    '185.71.76.0/27',
    '2a02:5180::/32',
    '2a02:5180:::1',
    '185.71.76.5, 127.0.0.1',
    `2a02:5180::1%${'a'.repeat(52)}`,
  ])('%j is not', (address) => expect(isSender(address)).toBe(false));

  it('is judged the same each time', () => {
    const asked = ['185.71.76.5', '185.71.76.32', '185.71.76.5', '185.71.76.32'];
    expect(asked.map(addressMatcher(['185.71.76.0/27']))).toEqual([true, false, true, false]);
  });

  it('is in no empty list', () => expect(addressMatcher([])('185.71.76.5')).toBe(false));

  it('that is any text at all is judged without an error', () => {
    const text = fc.oneof(fc.string(), fc.ipV4(), fc.ipV6(), fc.ipV4Extended());
    fc.assert(fc.property(text, (address) => expect(typeof isSender(address)).toBe('boolean')));
  });
});

describe('the sender of a request', () => {
  const PROXY = '10.0.0.7';
  const CLIENT = '203.0.113.9';
  const SENDER = '185.71.76.5';

  it.each<[string, string[], string, string | undefined, string]>([
    ['without proxies is the socket’s peer', [], CLIENT, undefined, CLIENT],
    ['without proxies is the peer, whatever it claims', [], CLIENT, SENDER, CLIENT],
    ['behind a proxy nobody trusts is the proxy', [], PROXY, SENDER, PROXY],
    ['behind a trusted proxy is whom it names', ['10.0.0.0/8'], PROXY, SENDER, SENDER],
    ['behind a trusted proxy that names nobody is the proxy', ['10.0.0.0/8'], PROXY, undefined, PROXY],
    ['behind a trusted proxy with an empty header is the proxy', ['10.0.0.0/8'], PROXY, '', PROXY],
    ['is not the forged leftmost name', ['10.0.0.0/8'], PROXY, `${SENDER}, ${CLIENT}`, CLIENT],
    ['is not forged by a chain of names', ['10.0.0.0/8'], PROXY, `${SENDER}, ${SENDER}, ${CLIENT}`, CLIENT],
    ['is not forged by naming a proxy', ['10.0.0.0/8'], PROXY, `${SENDER}, ${CLIENT}, 10.0.0.9`, CLIENT],
    [
      'is found through two trusted proxies',
      ['10.0.0.0/8', '192.168.0.1/32'],
      PROXY,
      `${SENDER}, 192.168.0.1`,
      SENDER,
    ],
    [
      'is the proxy in a chain that is not trusted',
      ['10.0.0.7/32'],
      PROXY,
      `${SENDER}, 10.0.0.8`,
      '10.0.0.8',
    ],
    ['of another network, not trusted, is itself', ['10.0.0.0/8'], '11.0.0.7', SENDER, '11.0.0.7'],
    ['is found when the proxy comes in as IPv6', ['10.0.0.0/8'], `::ffff:${PROXY}`, SENDER, SENDER],
    ['is found behind an IPv6 proxy', ['2001:db8::/32'], '2001:db8::1', SENDER, SENDER],
    ['is the outermost where all are trusted', ['10.0.0.0/8'], PROXY, '10.0.0.1, 10.0.0.2', '10.0.0.1'],
    [
      'is the junk a trusted proxy names, which is on no list',
      ['10.0.0.0/8'],
      PROXY,
      '185.71.76.5junk',
      '185.71.76.5junk',
    ],
    ['is found behind a port', ['10.0.0.0/8'], PROXY, `${SENDER}:51234`, SENDER],
    ['is found in brackets with a port', ['10.0.0.0/8'], PROXY, '[2a02:5180::1]:443', '2a02:5180::1'],
    ['is found behind proxies written with ports', ['10.0.0.0/8'], PROXY, `${SENDER}, 10.0.0.9:80`, SENDER],
    ['is one address of a list', ['10.0.0.7'], PROXY, SENDER, SENDER],
    ['is not read out of brackets that hold no IPv6', ['10.0.0.0/8'], PROXY, `[${SENDER}]`, `[${SENDER}]`],
    [
      'is not sought through more proxies than there can be',
      ['10.0.0.0/8'],
      PROXY,
      `${SENDER}${', 10.0.0.9'.repeat(32)}`,
      '10.0.0.9',
    ],
    ['is found through many proxies', ['10.0.0.0/8'], PROXY, `${SENDER}${', 10.0.0.9'.repeat(31)}`, SENDER],
    ['is not read past junk', ['10.0.0.0/8'], PROXY, `${SENDER}, unknown`, 'unknown'],
  ])('%s', (_name, trustedProxies, peer, forwardedFor, sender) => {
    expect(senderReader(trustedProxies)(request(peer, forwardedFor)).address).toBe(sender);
  });

  it('is the socket’s peer if no proxy is trusted, whatever the header', () => {
    const read = senderReader([]);
    fc.assert(
      fc.property(fc.string(), (header) => expect(read(request(CLIENT, header)).address).toBe(CLIENT)),
    );
  });

  it('never depends on what is left of the first address that is not trusted', () => {
    const read = senderReader(['10.0.0.0/8']);
    const left = fc.array(fc.oneof(fc.ipV4(), fc.constant(SENDER), fc.constant('10.0.0.1'), fc.string()));
    fc.assert(
      fc.property(left, fc.constantFrom('', ', 10.0.0.8', ', 10.0.0.8, 10.0.0.9'), (forged, right) => {
        expect(read(request(PROXY, `${[...forged, CLIENT].join(', ')}${right}`)).address).toBe(CLIENT);
      }),
    );
  });
});
