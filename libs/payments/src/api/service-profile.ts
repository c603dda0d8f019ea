/**
 * Everything that the service interface leaves open or writes with neutral words: paths, wire names, senders,
 * limits. A host can pass its own; `documentedProfile` follows the interface to the letter.
 */
export interface ServiceProfile {
  readonly name: string;
  readonly paths: {
    readonly payments: string;
    payment(serviceId: string): string;
    capture(serviceId: string): string;
    cancel(serviceId: string): string;
  };
  /** Key of a create's metadata that carries our payment id, so that a lost create can be found in the list. */
  readonly metadataKey: string;
  /** Addresses the service sends notifications from, as CIDRs (section 6, delivery rule 4). */
  readonly notificationSenders: readonly string[];
  /** Limits of a bank card payment in minor units (section 8). */
  readonly bankCardLimits: { readonly minMinor: number; readonly maxMinor: number };
  /** Prefix of a demo store's identifier (section 1, rule 5). */
  readonly demoStorePrefix: string;
}

/** The service interface to the letter. Each gap it leaves is filled as the public service does, marked `assumed`. */
export const documentedProfile: ServiceProfile = {
  name: 'documented',
  paths: {
    payments: '/v3/payments',
    // assumed: section 4 lists reading a payment as a gap
    payment: (serviceId) => `/v3/payments/${encodeURIComponent(serviceId)}`,
    capture: (serviceId) => `/v3/${encodeURIComponent(serviceId)}/capture`,
    // assumed: section 4 lists canceling a payment as a gap
    cancel: (serviceId) => `/v3/payments/${encodeURIComponent(serviceId)}/cancel`,
  },
  // assumed: the interface shows metadata in answers only
  metadataKey: 'holdfast_payment_id',
  notificationSenders: [
    '185.71.76.0/27',
    '185.71.77.0/27',
    '77.75.153.0/25',
    '77.75.156.11/32',
    '77.75.156.35/32',
    '77.75.154.128/25',
    '2a02:5180::/32',
  ],
  bankCardLimits: { minMinor: 100, maxMinor: 35_000_000 },
  demoStorePrefix: 'test_',
};
