import { isLoopback } from '../api/service-address.js';
import type { ResolvedPaymentsOptions } from './payments.resolved-options.js';

type Told = Pick<
  ResolvedPaymentsOptions,
  | 'shopId'
  | 'serviceUrl'
  | 'profile'
  | 'partner'
  | 'fiscalization'
  | 'sweepIntervalMs'
  | 'notificationSenders'
  | 'trustedProxies'
  | 'webhookSecret'
>;

/** What a process was started with, for whoever reads its log later: nothing of it is secret. */
export function startLines(options: Told, handlers: number): readonly [string, string] {
  const { shopId, serviceUrl, profile, partner, fiscalization: receipts, sweepIntervalMs } = options;
  const stores = [shopId === null ? 'No shop of its own' : `Shop ${shopId}`, partner && 'connected stores'];
  const registered =
    receipts === null
      ? 'no receipts asked for'
      : `receipts ${receipts.scenario}, register ${receipts.register}`;
  const work = sweepIntervalMs === null ? 'no sweeps in this process' : `sweeps every ${sweepIntervalMs} ms`;
  const { notificationSenders: senders, trustedProxies: proxies, webhookSecret } = options;
  const told =
    webhookSecret === null
      ? `Notifications from ${senders.length} listed networks, trusted proxies: ${proxies.length}.`
      : 'Notifications from whoever knows the webhookSecret.';
  const { host, hostname } = new URL(serviceUrl);
  // Not a fault: it may be a proxy of the host's, or a sandbox.
  const own = profile.serviceUrl === null ? null : new URL(profile.serviceUrl).host;
  const elsewhere =
    own === null || own === host || isLoopback(hostname) ? '' : ` (its own address is ${own})`;
  return [
    `${stores.filter((store) => store !== null).join(' and ')} at ${host}, profile ${profile.name}${elsewhere}, ${registered}.`,
    `Handlers: ${handlers}, ${work}. ${told}`,
  ];
}
