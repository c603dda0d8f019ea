import { wireAmount, type WireAmount } from '../money.js';
import { wireNames } from '../wire-names.js';
import type { Card, Payment, PaymentMethod, PaymentStatus } from './payment.js';

/** What the store pays for each payment: 3.5 % of what was captured, rounded half up. */
const FEE_BASIS_POINTS = 350;

/** The sandbox has one store with one gateway. */
const GATEWAY_ID = '1000001';

/** A card in an answer (section 2.6 of the service interface). */
export interface WireCard {
  readonly first6: string;
  readonly last4: string;
  readonly expiry_month: string;
  readonly expiry_year: string;
  readonly card_type: string;
  readonly card_product: { readonly code: string; readonly name: string };
  readonly issuer_country: string;
  readonly issuer_name: string;
}

/** A payment in an answer (section 2.1 of the service interface). */
export interface WirePayment {
  readonly id: string;
  readonly status: PaymentStatus;
  readonly paid: boolean;
  readonly amount: WireAmount;
  readonly income_amount?: WireAmount;
  readonly refunded_amount?: WireAmount;
  readonly confirmation?: {
    readonly type: 'redirect';
    readonly return_url: string;
    readonly confirmation_url: string;
  };
  readonly created_at: string;
  readonly captured_at?: string;
  readonly expires_at?: string;
  readonly description?: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly payment_method?: {
    readonly type: string;
    readonly id: string;
    readonly saved: boolean;
    readonly title?: string;
    readonly card?: WireCard;
  };
  readonly recipient: { readonly account_id: string; readonly gateway_id: string };
  readonly refundable: boolean;
  readonly test: boolean;
  readonly authorization_details?: {
    readonly rrn: string;
    readonly auth_code: string;
    readonly three_d_secure: { readonly applied: boolean };
  };
  readonly cancellation_details?: { readonly party: string; readonly reason: string };
}

export interface ViewContext {
  /** The sandbox's own address, for the payment page. */
  readonly url: string;
  readonly shopId: string;
}

/** Shows a payment as the service would at this moment. */
export function paymentView(payment: Payment, { url, shopId }: ViewContext): WirePayment {
  const { id, status, amountMinor, authorization, cancellation } = payment;
  const succeeded = status === 'succeeded';
  return {
    id,
    status,
    paid: succeeded || status === 'waiting_for_capture',
    amount: wireAmount(amountMinor),
    ...(succeeded && {
      income_amount: wireAmount(amountMinor - feeMinor(amountMinor)),
      refunded_amount: wireAmount(0),
    }),
    ...(status === 'pending' && {
      confirmation: {
        type: 'redirect',
        return_url: payment.returnUrl,
        confirmation_url: `${url}/checkout/${id}`,
      },
    }),
    created_at: payment.createdAt.toISOString(),
    ...(payment.capturedAt && { captured_at: payment.capturedAt.toISOString() }),
    ...(status === 'waiting_for_capture' &&
      payment.holdExpiresAt && { expires_at: payment.holdExpiresAt.toISOString() }),
    ...(payment.description !== null && { description: payment.description }),
    metadata: payment.metadata,
    ...(payment.method && { payment_method: methodView(payment.method, id) }),
    recipient: { account_id: shopId, gateway_id: GATEWAY_ID },
    refundable: succeeded,
    test: shopId.startsWith('test_'),
    ...(authorization && {
      authorization_details: {
        rrn: authorization.rrn,
        auth_code: authorization.authCode,
        three_d_secure: { applied: false },
      },
    }),
    ...(cancellation && {
      cancellation_details: {
        party: wireNames.cancellationParties[cancellation.party],
        reason: cancellation.reason,
      },
    }),
  };
}

function methodView(
  { type, card }: PaymentMethod,
  paymentId: string,
): NonNullable<WirePayment['payment_method']> {
  return {
    type: wireNames.methodTypes[type],
    id: paymentId,
    saved: false,
    ...(card && { title: `Bank card *${card.last4}`, card: cardView(card) }),
    ...(type === 'wallet' && { title: 'E-wallet' }),
  };
}

function cardView(card: Card): WireCard {
  return {
    first6: card.first6,
    last4: card.last4,
    expiry_month: card.expiryMonth,
    expiry_year: card.expiryYear,
    card_type: card.cardType,
    card_product: { code: 'E', name: 'Entrance' },
    issuer_country: 'RU',
    issuer_name: 'Sandbox Bank',
  };
}

function feeMinor(amountMinor: number): number {
  return Math.floor((amountMinor * FEE_BASIS_POINTS + 5_000) / 10_000);
}
