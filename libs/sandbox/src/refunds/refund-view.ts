import { wireAmount, type WireAmount } from '../common/money.js';
import { settlementView } from '../payments/share-view.js';
import type { ReceiptStatus } from '../receipts/receipt.js';
import { cancellationView, type Cancellation } from '../wire/cancellation.js';
import type { WireNames } from '../wire/names.js';
import type { Refund, RefundStatus, Source } from './refund.js';

/** A refund in an answer (assumed: the interface leaves it open). */
export interface WireRefund {
  readonly id: string;
  readonly payment_id: string;
  readonly status: RefundStatus;
  readonly amount: WireAmount;
  readonly created_at: string;
  readonly description?: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly cancellation_details?: { readonly party: string; readonly reason: string };
  /** Of stores that send receipts. */
  readonly receipt_registration?: ReceiptStatus;
  readonly refund_authorization_details?: { readonly rrn: string };
  readonly sources?: readonly {
    readonly account_id: string;
    readonly amount: WireAmount;
    readonly platform_fee_amount?: WireAmount;
  }[];
  readonly deal?: { readonly id: string; readonly refund_settlements: readonly object[] };
  /** Of SBP and of certificates: by what it went back. */
  readonly refund_method?: Readonly<Record<string, unknown>>;
}

export function refundView(refund: Refund): WireRefund {
  const { names } = refund.store;
  return {
    id: refund.id,
    payment_id: refund.paymentId,
    status: refund.status,
    amount: wireAmount(refund.amountMinor),
    created_at: refund.createdAt.toISOString(),
    ...(refund.description !== null && { description: refund.description }),
    metadata: refund.metadata,
    ...(refund.sources.length > 0 && { sources: refund.sources.map(sourceView) }),
    ...(refund.dealId !== null &&
      refund.settlements && {
        deal: { id: refund.dealId, refund_settlements: refund.settlements.map(settlementView) },
      }),
    ...(refund.cancellation && { cancellation_details: endView(refund.cancellation, names) }),
    ...(refund.receiptStatus !== null && { receipt_registration: refund.receiptStatus }),
    ...(refund.rrn !== null &&
      refund.status === 'succeeded' && { refund_authorization_details: { rrn: refund.rrn } }),
    ...(refund.refundMethod !== null &&
      refund.status === 'succeeded' && { refund_method: refund.refundMethod }),
  };
}

function endView(end: Cancellation, names: WireNames): NonNullable<WireRefund['cancellation_details']> {
  return end.party === 'payment_network'
    ? { party: names.refundNetwork, reason: end.reason }
    : cancellationView(end, names);
}

function sourceView({
  accountId,
  amountMinor,
  platformFeeMinor,
}: Source): NonNullable<WireRefund['sources']>[number] {
  return {
    account_id: accountId,
    amount: wireAmount(amountMinor),
    ...(platformFeeMinor !== null && { platform_fee_amount: wireAmount(platformFeeMinor) }),
  };
}
