import * as fc from 'fast-check';
import { IncomingMessage } from 'node:http';
import { BlockList, isIP, Socket } from 'node:net';
import proxyAddr from 'proxy-addr';

import { bareAddress, senderReader } from '../../libs/payments/src/notifications/door/sender-address.js';

function request(peer: string, forwardedFor: readonly string[]): IncomingMessage {
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: peer });
  const message = new IncomingMessage(socket);
  if (forwardedFor.length > 0) message.headers['x-forwarded-for'] = forwardedFor.join(', ');
  return message;
}

const address = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.ipV4().map((ipv4) => `::ffff:${ipv4}`),
  // Close to each other, so that chains hit the ranges.
  fc.integer({ min: 0, max: 40 }).map((last) => `10.0.${last % 2}.${last}`),
);
const junk = fc.oneof(
  fc.stringMatching(/^[^\s,]{1,20}$/),
  fc.constantFrom('unknown', '_hidden', '10.0.0.1x', '::ffff:'),
);
const range = fc
  .tuple(address, fc.integer({ min: 1, max: 128 }), fc.boolean())
  .map(([ip, bits, whole]) => (whole ? ip : `${ip}/${isIP(ip) === 4 ? ((bits - 1) % 32) + 1 : bits}`))
  .filter(isKnownToProxyAddr);
const ranges = fc.oneof(
  fc.array(range, { maxLength: 4 }),
  fc.array(fc.constantFrom('10.0.0.0/24', '10.0.0.0/23'), { minLength: 1, maxLength: 1 }),
);
const chain = fc.array(fc.oneof({ weight: 4, arbitrary: address }, junk), { maxLength: 8 });

/** The options refuse forms it does not know, such as the outdated ::10.0.0.7. */
function isKnownToProxyAddr(text: string): boolean {
  try {
    proxyAddr.compile(text);
    return true;
  } catch {
    return false;
  }
}

/** The ways in which proxies write one and the same address. */
const writing = fc.constantFrom(
  (ip: string) => ip,
  (ip: string) => (isIP(ip) === 4 ? `${ip}:51234` : ip),
  (ip: string) => (isIP(ip) === 6 ? `[${ip}]` : ip),
  (ip: string) => (isIP(ip) === 6 ? `[${ip}]:443` : ip),
);

describe('of random proxy chains, the sender', () => {
  it('is the address that proxy-addr finds', () => {
    fc.assert(
      fc.property(ranges, address, chain, (trusted, peer, forwarded) => {
        fc.pre(forwarded.every((entry) => bareAddress(entry) === entry));
        const asked = request(peer, forwarded);
        expect(senderReader(trusted)(asked).address).toBe(proxyAddr(asked, trusted));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is the same however the proxies write ports and brackets', () => {
    const written = fc.array(fc.tuple(address, writing), { maxLength: 8 });
    fc.assert(
      fc.property(ranges, address, written, (trusted, peer, entries) => {
        const plain = entries.map(([ip]) => ip);
        const dressed = entries.map(([ip, write]) => write(ip));
        expect(senderReader(trusted)(request(peer, dressed)).address).toBe(
          proxyAddr(request(peer, plain), trusted),
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it('is never chosen by an attacker outside the trusted range, whatever stands left of his address', () => {
    const trusted = ['10.0.0.0/16', 'fd00::/8'];
    const proxies = new BlockList();
    proxies.addSubnet('10.0.0.0', 16, 'ipv4');
    proxies.addSubnet('fd00::', 8, 'ipv6');
    const isProxy = (ip: string) => proxies.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4');
    const attacker = address.filter((ip) => !isProxy(ip));
    const proxy = fc.constantFrom('10.0.0.7', '10.0.9.9', 'fd00::7', '::ffff:10.0.0.8');
    const claims = fc.array(fc.oneof(address, junk, proxy, fc.string()), { maxLength: 8 });
    fc.assert(
      fc.property(claims, attacker, fc.array(proxy, { maxLength: 4 }), (forged, from, passed) => {
        // The proxies on the way append the address they heard from; the last of them is the peer.
        const hops = [from, ...passed];
        const asked = request(hops.at(-1) ?? '', [...forged, ...hops.slice(0, -1)]);
        expect(senderReader(trusted)(asked).address).toBe(from);
      }),
      { numRuns: 2_000 },
    );
  });
});
