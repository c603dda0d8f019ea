import type { MethodType, WireNames } from '../wire-names.js';

/** Demo stores can test these alone. */
export const demoMethods: readonly MethodType[] = ['bank_card', 'wallet'];
export const allMethods: readonly MethodType[] = [...demoMethods, 'wallet_pay', 'bank_app_pay'];

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
  /** No money moves; told by the prefix of the id. */
  readonly demo: boolean;
  /** A disabled one takes no new payments (assumed). */
  readonly status: StoreStatus;
  readonly methods: readonly MethodType[];
  /** The card page offers the phone's card app; the merchant can have it disabled (as the service interface says). */
  readonly cardApp: boolean;
  readonly names: WireNames;
}

/** The object, where it is one of this store: what belongs to others is as good as not there. */
export function ownedBy<Owned extends { readonly store: Store }>(
  store: Store,
  object: Owned | undefined,
): Owned | undefined {
  return object?.store === store ? object : undefined;
}
