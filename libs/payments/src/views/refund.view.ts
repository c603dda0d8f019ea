import type { ReceiptStatus } from '../api/objects/fields.js';
import { refund } from '../api/objects/refund.js';
import { readFields } from '../api/objects/shape.js';
import type { Metadata } from '../common/metadata.js';
import { formatAmount, type Amount } from '../common/money.js';
import type { RefundStatus } from '../common/refund-status.js';
import type { PaymentsRefundEntity } from '../schema/refund.entity.js';
import type { DealShare } from './paid-with.js';

/** By what a refund gives the money back; of SBP and electronic certificates alone. null: the service does not say. */
export interface RefundMethod {
  readonly type: string | null;
  /** Its number at SBP. */
  readonly sbpOperationId: string | null;
  /** What goes back to the certificate. */
  readonly certificateAmount: Amount | null;
  readonly articles: readonly {
    readonly number: number | null;
    /** Its number in the payment. */
    readonly paidNumber: number | null;
    readonly truCode: string | null;
    readonly quantity: number | null;
  }[];
}

/** A store that gives back its part of a payment that was shared out. */
export interface RefundSource {
  readonly accountId: string | null;
  readonly amount: Amount | null;
  /** What the platform had kept and gives back. */
  readonly platformFee: Amount | null;
}

/** What the service's object says of a refund besides its status. */
export interface RefundedBy {
  readonly method: RefundMethod | null;
  /** The bank's number of it; of a card, once it is succeeded. */
  readonly rrn: string | null;
  readonly sources: readonly RefundSource[];
  /** The payment's deal. */
  readonly deal: DealShare | null;
}

/** Reads a stored object; anything may be missing or odd. */
export function refundedBy(object: object | null): RefundedBy {
  const said = readFields(refund, object);
  const { refund_method: method, deal } = said;
  return {
    method: method && {
      type: method.type,
      sbpOperationId: method.sbp_operation_id,
      certificateAmount: method.electronic_certificate?.amount ?? null,
      articles: (method.articles ?? []).map((article) => ({
        number: article.article_number,
        paidNumber: article.payment_article_number,
        truCode: article.tru_code,
        quantity: article.quantity,
      })),
    },
    rrn: said.refund_authorization_details?.rrn ?? null,
    sources: (said.sources ?? []).map((source) => ({
      accountId: source.account_id,
      amount: source.amount,
      platformFee: source.platform_fee_amount,
    })),
    deal: deal && { id: deal.id, settlements: deal.refund_settlements ?? [] },
  };
}

/** A refund as merchant code sees it: a snapshot, safe to log and to show to staff. */
export interface Refund extends RefundedBy {
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

export function refundView(entity: PaymentsRefundEntity): Refund {
  const { id, paymentId, refundKey, serviceId, status, description, metadata } = entity;
  const { cancellation, receiptStatus, createdAt, updatedAt } = entity;
  return {
    id,
    paymentId,
    refundKey,
    serviceId,
    status,
    amount: formatAmount(entity.amountMinor, entity.currency),
    description,
    metadata,
    cancellation,
    receiptStatus,
    ...refundedBy(entity.object),
    createdAt,
    updatedAt,
  };
}
