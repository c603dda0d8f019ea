import type { MethodRules, MethodTable } from '../methods/methods.js';
import type { PaymentMethod } from '../methods/payment-method.js';
import type { MethodType, WireNames } from '../wire/names.js';
import type { Fiscalization } from './fiscalization.js';

/** Demo stores can test only these. */
export const demoMethods: readonly MethodType[] = ['bank_card', 'wallet'];

export const storeStatuses = ['enabled', 'disabled'] as const;
export type StoreStatus = (typeof storeStatuses)[number];

/** A store of the sandbox. Its settings may change at any time; only `Stores` changes them. */
export interface Store {
  /** The shop id of its credentials. */
  readonly accountId: string;
  readonly gatewayId: string;
  readonly name: string;
  /** Login of the user with the Owner role. */
  readonly owner: string;
  /** No money moves; known by the prefix of the id. */
  readonly demo: boolean;
  /** A disabled one accepts no new payments (assumed). */
  readonly status: StoreStatus;
  readonly methods: readonly MethodType[];
  /** The card page offers the phone's card app; the merchant can have it disabled (according to the service interface). */
  readonly cardApp: boolean;
  /** How it sends receipts; null: by other means, or not at all. */
  readonly receipts: Fiscalization | null;
  /** It may charge saved methods again, and so save any. */
  readonly recurring: boolean;
  readonly names: WireNames;
  /** What each way to pay can do. */
  readonly rules: MethodTable;
}

/** `throughGateway`: another one than the store's usual gateway. */
export function recipient(
  { accountId, gatewayId }: Store,
  throughGateway: string | null = null,
): {
  readonly account_id: string;
  readonly gateway_id: string;
} {
  return { account_id: accountId, gateway_id: throughGateway ?? gatewayId };
}

export function rulesOf(store: Store, type: PaymentMethod['type']): MethodRules {
  const rules = store.rules[type];
  if (!rules) throw new Error(`The profile has no method ${type}`);
  return rules;
}
