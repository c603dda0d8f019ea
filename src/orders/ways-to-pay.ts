import { documentedProfile, type PaymentsModuleOptions } from '@holdfast/payments';

import { isChargedAtOnce, type Product } from '../catalog/products.js';

/** What the checkout offers; a buyer who chooses none of them chooses on the service's page. */
export const waysToPay = ['bank_card', 'wallet', 'sbp'] as const;
export type WayToPay = (typeof waysToPay)[number];

/** None with the documented service: it has no SBP, and its own page asks for the rest. */
export function waysOffered(
  { profile = documentedProfile, shopId = '' }: Pick<PaymentsModuleOptions, 'profile' | 'shopId'>,
  product: Product,
): readonly WayToPay[] {
  if (!('sbp' in profile.methods)) return [];
  // A demo store takes card and wallet alone.
  const isDemo = shopId.startsWith(profile.demoStorePrefix);
  return waysToPay
    .filter((way) => way !== 'sbp' || !isDemo)
    .filter((way) => isChargedAtOnce(product) || profile.methods[way]?.hold !== null);
}
