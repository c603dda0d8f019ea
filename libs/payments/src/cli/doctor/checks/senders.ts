import {
  RESOLVED_OPTIONS,
  type ResolvedPaymentsOptions,
} from '../../../options/payments.module-definition.js';
import { broken, well, type Check } from '../check.js';

export const senders: Check = {
  name: 'senders',
  needs: ['configuration'],
  look: async (app) => {
    const { notificationSenders: set, profile } = app.get<ResolvedPaymentsOptions>(RESOLVED_OPTIONS);
    const missing = profile.notificationSenders.filter((network) => !set.includes(network));
    const others = set.filter((network) => !profile.notificationSenders.includes(network));
    const parts = [
      ...(missing.length === 0 ? [] : [`the service's own ${missing.join(', ')} would be refused`]),
      ...(others.length === 0 ? [] : [`${others.join(', ')} may send too`]),
    ];
    if (parts.length === 0) return well(`the ${set.length} networks of the profile ${profile.name}`);
    return broken(
      parts.join('; '),
      "Leave notificationSenders out, unless the service's own list has changed: then set it to the whole list.",
    );
  },
};
