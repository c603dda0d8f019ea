/** The methods a demo store can test (section 1, item 5 of the service interface). */
export type MethodType = 'bank_card' | 'wallet';

/** Who ended a payment. */
export type CancellationParty = 'merchant' | 'payment_network' | 'service';

/**
 * Every name on the wire that differs between the interface document and the brands behind it.
 * The rest of the sandbox uses the keys of these tables, so another set of names is another such object.
 */
export const wireNames: {
  readonly methodTypes: Readonly<Record<MethodType, string>>;
  readonly cancellationParties: Readonly<Record<CancellationParty, string>>;
} = {
  methodTypes: { bank_card: 'bank_card', wallet: 'wallet' },
  // Assumed: the interface names neither the parties nor what the service calls itself.
  cancellationParties: { merchant: 'merchant', payment_network: 'payment_network', service: 'service' },
};

const methodTypes: readonly MethodType[] = ['bank_card', 'wallet'];

/** The method a wire name stands for, or undefined where the store cannot use it. */
export function methodTypeFromWire(name: unknown): MethodType | undefined {
  return methodTypes.find((type) => wireNames.methodTypes[type] === name);
}
