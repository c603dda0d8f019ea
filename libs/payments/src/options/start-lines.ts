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
  const { notificationSenders: senders, trustedProxies: proxies } = options;
  return [
    `${stores.filter((told) => told !== null).join(' and ')} at ${new URL(serviceUrl).host}, profile ${profile.name}, ${registered}.`,
    `Handlers: ${handlers}, ${work}. Notifications from ${senders.length} listed networks, trusted proxies: ${proxies.length}.`,
  ];
}
