import { methodName, type MethodType, type WireNames } from '../wire/names.js';
import type { Card, PaymentMethod } from './payment-method.js';

/** A card in an answer. */
export interface WireCard {
  readonly first6: string;
  readonly last4: string;
  readonly expiry_month: string;
  readonly expiry_year: string;
  readonly card_type: string;
  readonly card_product?: { readonly code: string; readonly name: string };
  readonly issuer_country?: string;
  readonly issuer_name?: string;
  readonly source?: string;
}

/** `pending`: to be saved once it has paid; `inactive`: not saved, or withdrawn (assumed). */
export type MethodStatus = 'pending' | 'active' | 'inactive';

/** A payment method in an answer. */
export interface WireMethod {
  readonly type: string;
  readonly id: string;
  readonly saved: boolean;
  /** Of a payment in the profiles that have it; of a saved method always. */
  readonly status?: MethodStatus;
  readonly title?: string;
  readonly card?: WireCard;
  /** Fields of its own: `phone`, `sbp_operation_id` and the like. */
  readonly [field: string]: unknown;
}

/** A payment method; that of a payment has the payment's id, unless it was saved before. */
export function methodView(
  { type, card, details }: PaymentMethod,
  { id, saved, status }: { readonly id: string; readonly saved: boolean; readonly status: MethodStatus },
  names: WireNames,
): WireMethod {
  const title = card ? `Bank card *${card.last4}` : titles[type];
  return {
    type: methodName(names, type),
    id,
    saved,
    ...(names.isPublic && { status }),
    ...(title !== undefined && { title }),
    ...(card && { card: cardView(card, names) }),
    ...details,
  };
}

const titles: Readonly<Partial<Record<MethodType, string>>> = {
  wallet: 'E-wallet',
  wallet_pay: 'Mobile wallet',
  bank_app_pay: 'SberPay',
  sbp: 'SBP',
};

function cardView(card: Card, names: WireNames): WireCard {
  return {
    first6: card.first6,
    last4: card.last4,
    expiry_month: card.expiryMonth,
    expiry_year: card.expiryYear,
    card_type: card.cardType,
    ...(card.product && { card_product: card.product }),
    ...(card.issuerCountry !== null && { issuer_country: card.issuerCountry }),
    ...(card.issuerName !== null && { issuer_name: card.issuerName }),
    ...(card.source && { source: names.cardSources[card.source] }),
  };
}
