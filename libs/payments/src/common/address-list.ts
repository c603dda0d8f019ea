import { isIP } from 'node:net';
import proxyAddr from 'proxy-addr';
import { Checked } from './validation.js';
import { areTooWide } from './wide-ranges.js';

/** An option that lists addresses: whose they are, and an example. */
interface AddressList {
  readonly of: string;
  readonly example: string;
  /** Why it must not cover many. */
  readonly because: string;
}

const lists = {
  trustedProxies: {
    of: 'your own reverse proxies',
    example: '10.0.0.7',
    because: 'whoever is on it is trusted to name the sender',
  },
  notificationSenders: {
    of: 'the service',
    example: '185.71.76.0/27',
    because: 'whoever is on it may send notifications',
  },
} as const satisfies Record<string, AddressList>;

/** The fault of such an option, in one sentence with its fix; null if there is none. */
export const AddressListOf = (name: keyof typeof lists): PropertyDecorator =>
  Checked((value) => {
    const { of, example, because } = lists[name];
    if (!Array.isArray(value))
      return [`must be an array of the addresses or CIDRs of ${of}, e.g. ['${example}']`];
    const entries: unknown[] = value;
    const ranges = entries.filter((entry) => isRange(entry));
    if (ranges.length < entries.length)
      return [`must be addresses or CIDRs such as 10.0.0.7, 10.0.0.0/8 or 2001:db8::/32`];
    if (new Set(ranges).size < ranges.length) return [`must not repeat an entry`];
    if (areTooWide(ranges))
      return [
        `must name only the addresses of ${of}, e.g. ['${example}']: ${because}, and this covers more than a sixteenth of all addresses`,
      ];
    return [];
  });

function isRange(text: unknown): text is string {
  if (typeof text !== 'string') return false;
  const [address = '', prefix, ...rest] = text.split('/');
  if (isIP(address) === 0 || address.includes('%') || rest.length > 0) return false;
  if (prefix !== undefined && !/^(0|[1-9]\d{0,2})$/.test(prefix)) return false;
  try {
    // It is stricter than Node: an outdated ::10.0.0.7, for example, is no address to it. Nor is a whole family (/0), which is a
    // range all the same: one that is too wide.
    proxyAddr.compile(prefix === '0' ? address : text);
    return true;
  } catch {
    return false;
  }
}
