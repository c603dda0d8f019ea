import { wireAmount, type WireAmount } from '../common/money.js';
import type { WireConfirmation } from '../methods/confirmation.js';
import { methodView, type MethodStatus, type WireMethod } from '../methods/method-view.js';
import type { ReceiptStatus } from '../receipts/receipt.js';
import { recipient, rulesOf } from '../stores/store.js';
import { cancellationView } from '../wire/cancellation.js';
import { confirmationView } from './confirmation-view.js';
import type { Echoed } from './echoed.js';
import type { Payment, PaymentStatus } from './payment.js';
import { dealShareView, transferView, type WireDealShare, type WireTransfer } from './share-view.js';

/** The store's fee for each payment: 3.5 % of what was captured, rounded half up. */
const FEE_BASIS_POINTS = 350n;

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
  readonly invoice_details?: { readonly id: string };
  readonly transfers?: readonly WireTransfer[];
  readonly deal?: WireDealShare;
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
    ...(payment.echoed satisfies Pick<WirePayment, keyof Echoed>),
    ...(payment.invoiceId !== null && { invoice_details: { id: payment.invoiceId } }),
    ...(payment.transfers.length > 0 && {
      transfers: payment.transfers.map((transfer) => transferView(transfer, status)),
    }),
    ...(payment.deal && { deal: dealShareView(payment.deal) }),
    recipient: recipient(store, payment.gatewayId),
    refundable: succeeded && payment.refundedMinor < amountMinor && canGoBack(payment),
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

/** Some methods never give money back. */
function canGoBack({ store, method }: Payment): boolean {
  return method === null || rulesOf(store, method.type).refundableUntil !== null;
}

function methodOf(payment: Payment): { id: string; saved: boolean; status: MethodStatus } {
  const { id, savedMethodId, methodSaved: saved, saving } = payment;
  const toBeSaved = saving === 'wanted' && payment.status === 'pending';
  return { id: savedMethodId ?? id, saved, status: saved ? 'active' : toBeSaved ? 'pending' : 'inactive' };
}

function feeMinor(amountMinor: number): number {
  return Number((BigInt(amountMinor) * FEE_BASIS_POINTS + 5_000n) / 10_000n);
}
