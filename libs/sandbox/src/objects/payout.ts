import { wireAmount, type WireAmount } from '../common/money.js';
import { defaultCard } from '../methods/test-cards.js';
import type { Store } from '../stores/store.js';
import { cancellationView, type Cancellation } from '../wire/cancellation.js';

type PayoutStatus = 'pending' | 'succeeded' | 'canceled';

export interface Payout {
  readonly id: string;
  readonly store: Store;
  readonly status: PayoutStatus;
  readonly amountMinor: number;
  readonly cancellation: Cancellation | null;
  readonly createdAt: Date;
  readonly succeededAt: Date | null;
}

/** A payout in an answer (assumed: the interface leaves it open). */
export interface WirePayout {
  readonly id: string;
  readonly amount: WireAmount;
  readonly status: PayoutStatus;
  readonly payout_destination: {
    readonly type: string;
    readonly card: { readonly first6: string; readonly last4: string; readonly card_type: string };
  };
  readonly created_at: string;
  readonly succeeded_at?: string;
  readonly cancellation_details?: { readonly party: string; readonly reason: string };
  readonly metadata: Readonly<Record<string, string>>;
  readonly test: boolean;
}

export function payoutView(payout: Payout): WirePayout {
  const { names, demo } = payout.store;
  const { first6, last4, cardType } = defaultCard;
  return {
    id: payout.id,
    amount: wireAmount(payout.amountMinor),
    status: payout.status,
    payout_destination: { type: names.methodTypes.bank_card, card: { first6, last4, card_type: cardType } },
    created_at: payout.createdAt.toISOString(),
    ...(payout.succeededAt && { succeeded_at: payout.succeededAt.toISOString() }),
    ...(payout.cancellation && { cancellation_details: cancellationView(payout.cancellation, names) }),
    metadata: {},
    test: demo,
  };
}
