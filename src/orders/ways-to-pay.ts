import type { ConfirmationInput, PaymentsModuleOptions } from '@holdfast/payments';
import { documentedProfile } from '@holdfast/payments/client';

import { isChargedAtOnce, type Product } from '../catalog/products.js';

/** What the checkout offers; a buyer who chooses none of them chooses on the service's page. */
export const waysToPay = ['bank_card', 'wallet', 'sbp', 'bank_app_pay'] as const;
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

/**
 * Where the buyer confirms. On the order's own page: a card in the widget, and SberPay by a QR code. SBP on the service's page,
 * which shows its code there: for payments by SBP the service's documentation has no other way any more, and that `qr` is tolerated
 * is assumed.
 */
export function confirmationFor(
  way: WayToPay | null,
  { returnUrl, hasWidget }: { returnUrl: string; hasWidget: boolean },
): ConfirmationInput {
  if (way === 'bank_card' && hasWidget) return { type: 'embedded' };
  if (way === 'bank_app_pay') return { type: 'qr' };
  return { type: 'redirect', returnUrl };
}
