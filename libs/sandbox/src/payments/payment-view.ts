import { wireAmount, type WireAmount } from '../money.js';
import type { ReceiptStatus } from '../receipts/receipt.js';
import type { Store } from '../store/store.js';
import { methodName, type MethodType, type WireNames } from '../wire-names.js';
import { confirmationView, type WireConfirmation } from './confirmation-view.js';
import type { Cancellation, Card, Payment, PaymentMethod, PaymentStatus } from './payment.js';

/** The store's fee for each payment: 3.5 % of what was captured, rounded half up. */
const FEE_BASIS_POINTS = 350n;

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
type MethodStatus = 'pending' | 'active' | 'inactive';

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

/** A payment in an answer. */
export interface WirePayment {
  readonly id: string;
  readonly status: PaymentStatus;
  readonly paid: boolean;
  readonly amount: WireAmount;
  readonly income_amount?: WireAmount;
  readonly refunded_amount?: WireAmount;
  readonly confirmation?: WireConfirmation;
  readonly created_at: string;
  readonly captured_at?: string;
  readonly expires_at?: string;
  readonly description?: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly payment_method?: WireMethod;
  readonly merchant_customer_id?: string;
  readonly recipient: { readonly account_id: string; readonly gateway_id: string };
  readonly refundable: boolean;
  readonly test: boolean;
  readonly authorization_details?: {
    readonly rrn: string;
    readonly auth_code: string;
    readonly three_d_secure: { readonly applied: boolean };
  };
  readonly cancellation_details?: { readonly party: string; readonly reason: string };
  /** Of stores that send receipts (assumed). */
  readonly receipt_registration?: ReceiptStatus;
}

/** A payment as the service would show it at this moment. `url`: the sandbox's own address, for the payment page. */
export function paymentView(payment: Payment, url: string): WirePayment {
  const { id, store, status, amountMinor, authorization, cancellation } = payment;
  const succeeded = status === 'succeeded';
  const confirmation = confirmationView(payment, url);
  return {
    id,
    status,
    paid: succeeded || status === 'waiting_for_capture',
    amount: wireAmount(amountMinor),
    ...(succeeded && {
      income_amount: wireAmount(amountMinor - feeMinor(amountMinor)),
      refunded_amount: wireAmount(payment.refundedMinor),
    }),
    ...(confirmation && { confirmation }),
    created_at: payment.createdAt.toISOString(),
    ...(payment.capturedAt && { captured_at: payment.capturedAt.toISOString() }),
    ...(status === 'waiting_for_capture' &&
      payment.holdExpiresAt && { expires_at: payment.holdExpiresAt.toISOString() }),
    ...(payment.description !== null && { description: payment.description }),
    metadata: payment.metadata,
    ...(payment.method && {
      payment_method: {
        ...methodView(payment.method, methodOf(payment), store.names),
        ...(payment.suspended && { suspended_until: payment.suspended.until.toISOString() }),
      },
    }),
    ...(payment.merchantCustomerId !== null && { merchant_customer_id: payment.merchantCustomerId }),
    recipient: recipient(store),
    refundable: succeeded && payment.refundedMinor < amountMinor,
    test: store.demo,
    ...(authorization && {
      authorization_details: {
        rrn: authorization.rrn,
        auth_code: authorization.authCode,
        three_d_secure: { applied: authorization.threeDSecureApplied },
      },
    }),
    ...(cancellation && { cancellation_details: cancellationView(cancellation, store.names) }),
    ...(payment.receiptStatus !== null && { receipt_registration: payment.receiptStatus }),
  };
}

export function recipient({ accountId, gatewayId }: Store): WirePayment['recipient'] {
  return { account_id: accountId, gateway_id: gatewayId };
}

/** The party and the reason of an end (assumed). */
export function cancellationView(
  { party, reason }: Cancellation,
  names: WireNames,
): NonNullable<WirePayment['cancellation_details']> {
  return { party: names.cancellationParties[party], reason };
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

function methodOf(payment: Payment): { id: string; saved: boolean; status: MethodStatus } {
  const { id, savedMethodId, methodSaved: saved, saving } = payment;
  const toBeSaved = saving === 'wanted' && payment.status === 'pending';
  return { id: savedMethodId ?? id, saved, status: saved ? 'active' : toBeSaved ? 'pending' : 'inactive' };
}

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

function feeMinor(amountMinor: number): number {
  return Number((BigInt(amountMinor) * FEE_BASIS_POINTS + 5_000n) / 10_000n);
}
