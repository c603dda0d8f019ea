import { isIPv6 } from 'node:net';

/** For an IPv6 address its network (/64), all of which one machine can have; any other text unchanged. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [before = '', after = ''] = address.split('::', 2).map((part) => part.toLowerCase());
  const [head, tail] = [before, after].map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(Math.max(0, 8 - (head?.length ?? 0) - (tail?.length ?? 0))).fill('0');
  return [...(head ?? []), ...zeros, ...(tail ?? [])]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
