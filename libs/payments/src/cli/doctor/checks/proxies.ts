import { addressMatcher } from '../../../notifications/door/sender-address.js';
import {
  RESOLVED_OPTIONS,
  type ResolvedPaymentsOptions,
} from '../../../options/payments.module-definition.js';
import { broken, none, well, type Check } from '../check.js';

/** Too wide a list and what is no address are faults of the options; here, whether a proxy and a sender can be told apart. */
export const proxies: Check = {
  name: 'proxies',
  needs: ['configuration'],
  look: async (app) => {
    const { trustedProxies, notificationSenders } = app.get<ResolvedPaymentsOptions>(RESOLVED_OPTIONS);
    if (trustedProxies.length === 0)
      return none('trustedProxies is empty: right only where the service reaches the process itself');
    const isSender = addressMatcher(notificationSenders);
    const isProxy = addressMatcher(trustedProxies);
    const both = [
      ...trustedProxies.filter((network) => isSender(firstOf(network))),
      ...notificationSenders.filter((network) => isProxy(firstOf(network))),
    ];
    if (both.length > 0)
      return broken(
        `${[...new Set(both)].join(', ')}: proxy and sender at once, so its notifications would be refused`,
        'Name only your own reverse proxies in trustedProxies, and no address of the service.',
      );
    return well(trustedProxies.join(', '));
  },
};

const firstOf = (network: string): string => network.replace(/\/.*/, '');
