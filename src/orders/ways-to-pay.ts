import { documentedProfile, type ConfirmationInput, type PaymentsModuleOptions } from '@holdfast/payments';

import { isChargedAtOnce, type Product } from '../catalog/products.js';

/** What the checkout offers; a buyer who chooses none of them chooses on the service's page. */
export const waysToPay = ['bank_card', 'wallet', 'sbp'] as const;
export type WayToPay = (typeof waysToPay)[number];

/** What a buyer can choose instead of the present way: `page` is the service's page, where all of them are. */
export type ChosenWay = WayToPay | 'page';

/** null: not a way. */
export function parseWay(text: string): ChosenWay | null {
  return [...waysToPay, 'page' as const].find((way) => way === text) ?? null;
}

/** A demo store takes these alone. */
const demoWays: readonly WayToPay[] = ['bank_card', 'wallet'];

/** None with the documented service: it has no SBP, and its own page asks for the rest. */
export function waysOffered(
  { profile = documentedProfile, shopId = '' }: Pick<PaymentsModuleOptions, 'profile' | 'shopId'>,
  product: Pick<Product, 'sale'>,
): readonly WayToPay[] {
  if (!('sbp' in profile.methods)) return [];
  const isDemo = shopId.startsWith(profile.demoStorePrefix);
  return waysToPay
    .filter((way) => !isDemo || demoWays.includes(way))
    .filter((way) => isChargedAtOnce(product) || profile.methods[way]?.hold !== null);
}

/** Where the buyer confirms: a card in the widget, on the order's own page, anything else on the service's page. */
export function confirmationFor(
  way: WayToPay | null,
  { returnUrl, hasWidget }: { returnUrl: string; hasWidget: boolean },
): ConfirmationInput {
  if (way === 'bank_card' && hasWidget) return { type: 'embedded' };
  return { type: 'redirect', returnUrl };
}
