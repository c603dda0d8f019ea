import type { ReceiptStatus } from '../api/objects/fields.js';
import type { Metadata } from '../common/metadata.js';
import { formatAmount, type Amount } from '../common/money.js';
import type { RefundStatus } from '../common/refund-status.js';
import type { RefundEntity } from '../schema/refund.entity.js';

/** A refund as merchant code sees it: a snapshot, safe to log and to show to staff. */
export interface Refund {
  /** Ours. */
  readonly id: string;
  readonly paymentId: string;
  /** The caller's own name for it; null for a refund made outside the module, e.g. in the Merchant Profile. */
  readonly refundKey: string | null;
  /** The service's id; null until its first answer. */
  readonly serviceId: string | null;
  readonly status: RefundStatus;
  readonly amount: Amount;
  readonly description: string | null;
  /** Yours; of a refund made outside the module, what the service shows. */
  readonly metadata: Metadata;
  /** Why the service canceled it; null unless `canceled`. */
  readonly cancellation: { readonly party: string; readonly reason: string } | null;
  /** How far the registration of its receipt is; null: the service names none. */
  readonly receiptStatus: ReceiptStatus | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export function refundView(refund: RefundEntity): Refund {
  const { id, paymentId, refundKey, serviceId, status, description, metadata } = refund;
  const { cancellation, receiptStatus, createdAt, updatedAt } = refund;
  const amount = formatAmount(refund.amountMinor, refund.currency);
  return {
    id,
    paymentId,
    refundKey,
    serviceId,
    status,
    amount,
    description,
    metadata,
    cancellation,
    receiptStatus,
    createdAt,
    updatedAt,
  };
}
