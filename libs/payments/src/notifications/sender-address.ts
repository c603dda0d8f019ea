import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import proxyAddr from 'proxy-addr';

/** Finds the true sender of a request: the socket's address or, through trusted proxies, the one they speak for. */
export function senderAddressReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const trust = proxyAddr.compile([...trustedProxies]);
  // A peer that has hung up has no address left, whatever the types say.
  return (request) => (request.socket.remoteAddress === undefined ? '' : proxyAddr(request, trust));
}

/** Whether an address is on a list of CIDRs. `::ffff:185.71.76.5` is on an IPv4 list; text that is no address never is. */
export function addressMatcher(cidrs: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = '', prefix] = cidr.split('/');
    list.addSubnet(address, Number(prefix), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return (address) => {
    const family = isIP(address);
    return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
  };
}
