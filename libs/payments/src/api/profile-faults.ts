import { isServiceAddress } from './service-address.js';
import type { ServiceProfile } from './service-profile.js';
import { yookassaProfile } from './yookassa-profile.js';

const publicHost = new URL(yookassaProfile.serviceUrl).hostname;

/**
 * The public service's address under a profile that names none: most requests would be answered all the same, and some of its words
 * and paths are others. A profile made from {@link yookassaProfile} has an address.
 */
export function profileFaults(serviceUrl: unknown, profile: ServiceProfile): string[] {
  if (profile.serviceUrl !== null || !isServiceAddress(serviceUrl)) return [];
  if (new URL(serviceUrl).hostname !== publicHost) return [];
  return [
    `is the public service's, which the profile ${profile.name} does not fit: set profile: yookassaProfile, or one of your own that begins with { ...yookassaProfile }`,
  ];
}
