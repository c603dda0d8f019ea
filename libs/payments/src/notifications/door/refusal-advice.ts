import { isIP } from 'node:net';
import { addressMatcher, type Sender } from './sender-address.js';

/**
 * The setting that would let a refused sender in: `trustedProxies` if it is a reverse proxy of the host's, `notificationSenders`
 * if it is the service itself, `X-Forwarded-For` if a trusted proxy does not name its client, or names no address.
 */
export type RefusalAdvice = 'trustedProxies' | 'notificationSenders' | 'X-Forwarded-For';

/** Loopback, private, shared and link-local addresses: the service is never there, a proxy often is. */
const isPrivate = addressMatcher([
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '100.64.0.0/10',
  '::1',
  'fc00::/7',
  'fe80::/10',
]);

/** The header is used here, since a person decides: it only chooses between two settings to look at. */
export function refusalAdvice(sender: Sender, isSender: (address: string) => boolean): RefusalAdvice {
  if (sender.isProxy || isIP(sender.address) === 0) return 'X-Forwarded-For';
  const speaksForSender = sender.claims.some((claim) => isSender(claim));
  return speaksForSender || isPrivate(sender.address) ? 'trustedProxies' : 'notificationSenders';
}
