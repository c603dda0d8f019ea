import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import proxyAddr from 'proxy-addr';

/** The sender of a request, as far as the trusted proxies name it. */
export interface Sender {
  readonly address: string;
  /** Whether the address is itself a trusted proxy's: nobody beyond it was named. */
  readonly isProxy: boolean;
  /** The clients that the sender claims to forward for, the nearest first. Used for advice only. */
  readonly claims: readonly string[];
}

/** Enough for any real chain of proxies; a header may carry thousands. */
const CLAIMS_KEPT = 8;
const MAX_HOPS = 32;
/** Addresses known to be on a list. */
const FOUND_KEPT = 1_000;
/** An IPv6 address in brackets with a port has 53. A longer text is no address, and is not looked at. */
const LONGEST_ADDRESS = 64;

/** Finds the true sender of a request: the socket's address or, through trusted proxies, the one they forward for. */
export function senderReader(trustedProxies: readonly string[]): (request: IncomingMessage) => Sender {
  const isTrusted = proxyAddr.compile([...trustedProxies]);
  const trust = (written: string, hop: number) =>
    hop < MAX_HOPS && written.length <= LONGEST_ADDRESS && isTrusted(bareAddress(written), hop);
  return (request) => {
    // A peer that has hung up has no address left, whatever the types say.
    if (request.socket.remoteAddress === undefined) return { address: '', isProxy: false, claims: [] };
    const chain = proxyAddr.all(request, trust);
    const address = bareAddress(chain.at(-1) ?? '');
    return {
      address,
      // Only evaluated if a request is refused.
      get isProxy() {
        return trust(address, 0);
      },
      get claims() {
        return proxyAddr
          .all(request)
          .slice(chain.length, chain.length + CLAIMS_KEPT)
          .map(bareAddress);
      },
    };
  };
}

/** Some proxies write `203.0.113.9:4711`, `[2001:db8::1]` or `[2001:db8::1]:443`. Any other text stays as it is. */
export function bareAddress(written: string): string {
  if (written.length > LONGEST_ADDRESS) return written;
  const [, ipv4, ipv6] = /^(?:([\d.]{7,15})|\[([\da-f:.]{2,45})\])(?::\d{1,5})?$/i.exec(written) ?? [];
  if (ipv4 !== undefined && isIP(ipv4) === 4) return ipv4;
  return ipv6 !== undefined && isIP(ipv6) === 6 ? ipv6 : written;
}

/** Whether an address is on a list of addresses and CIDRs. `::ffff:185.71.76.5` is on an IPv4 list; text that is no address never is. */
export function addressMatcher(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  const found = new Set<string>();
  return (address) => {
    // The service has few addresses, and looking one up costs as much as everything else here.
    if (found.has(address)) return true;
    const family = address.length > LONGEST_ADDRESS ? 0 : isIP(address);
    const isOnList = family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
    if (isOnList && found.size < FOUND_KEPT) found.add(address);
    return isOnList;
  };
}
