import { wireNames, type MethodType, type ProfileName, type WireNames } from '../wire-names.js';

/** Demo stores can test these alone (section 1, item 5 of the service interface). */
const demoMethods: readonly MethodType[] = ['bank_card', 'wallet'];
const allMethods: readonly MethodType[] = [...demoMethods, 'wallet_pay', 'bank_app_pay'];

/** The one store of a sandbox. */
export interface Store {
  /** The shop id of its credentials. */
  readonly accountId: string;
  readonly gatewayId: string;
  /** No money moves; told by the prefix of the id. */
  readonly demo: boolean;
  readonly methods: readonly MethodType[];
  readonly names: WireNames;
}

export function storeOf(shopId: string, profile: ProfileName): Store {
  const demo = shopId.startsWith('test_');
  return {
    accountId: shopId,
    gatewayId: '1000001',
    demo,
    methods: demo ? demoMethods : allMethods,
    names: wireNames[profile],
  };
}
