import { isIP } from 'node:net';

/** The share of either family that a list may cover: nobody's own proxies need it, and no list of senders. */
const LARGEST_SHARE = 16n;

interface Span {
  readonly first: bigint;
  readonly end: bigint;
}

/** All IPv4 addresses, in the place that IPv6 gives them (`::ffff:0:0/96`), and all public IPv6 addresses (`2000::/3`). */
const worlds: readonly Span[] = [spanOf('::ffff:0:0/96'), spanOf('2000::/3')];

/** Whether the ranges together cover more than a sixteenth of all IPv4 addresses, or of all public IPv6 addresses. */
export function areTooWide(ranges: readonly string[]): boolean {
  const spans = merged(ranges.map(spanOf));
  return worlds.some(
    (world) =>
      spans.reduce((sum, span) => sum + shared(span, world), 0n) * LARGEST_SHARE > world.end - world.first,
  );
}

/** Of an address or a CIDR that is one. */
function spanOf(range: string): Span {
  const [address = '', prefix] = range.split('/');
  const bits = isIP(address) === 4 ? 32 : 128;
  const size = 1n << BigInt(bits - Number(prefix ?? bits));
  const value = isIP(address) === 4 ? valueOf(`::ffff:${address}`) : valueOf(address);
  const first = value - (value % size);
  return { first, end: first + size };
}

/** The URL parser writes any form of an IPv6 address as groups of hexadecimal digits only. */
function valueOf(ipv6: string): bigint {
  const [before = '', after = ''] = new URL(`http://[${ipv6}]`).hostname.slice(1, -1).split('::');
  const head = groupsOf(before);
  const tail = groupsOf(after);
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return [...head, ...zeros, ...tail].reduce((sum, group) => (sum << 16n) + BigInt(`0x${group}`), 0n);
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':');
}

function merged(spans: readonly Span[]): Span[] {
  const inOrder = spans.toSorted((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0));
  return inOrder.reduce<Span[]>((apart, span) => {
    const last = apart.at(-1);
    if (!last || span.first > last.end) return [...apart, span];
    return [...apart.slice(0, -1), { first: last.first, end: span.end > last.end ? span.end : last.end }];
  }, []);
}

function shared(a: Span, b: Span): bigint {
  const first = a.first > b.first ? a.first : b.first;
  const end = a.end < b.end ? a.end : b.end;
  return end > first ? end - first : 0n;
}
