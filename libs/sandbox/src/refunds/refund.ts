import type { Fields } from '../common/fields.js';
import type { Maker } from '../partnership/apps.js';
import type { DealShare } from '../payments/shares.js';
import type { ReceiptData } from '../receipts/receipt-data.js';
import type { ReceiptStatus } from '../receipts/receipt.js';
import type { Store } from '../stores/store.js';
import type { Cancellation } from '../wire/cancellation.js';
import type { CertificateReturn } from './certificate-returns.js';

export type RefundStatus = 'pending' | 'succeeded' | 'canceled';

export interface RefundRequest {
  readonly paymentId: string;
  readonly amountMinor: number;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** What its receipt says; null: as the payment's says, or there is none. */
  readonly receipt: ReceiptData | null;
  /** `refund_method_data`: what of a certificate is given back; null: nothing. */
  readonly methodData: CertificateReturn | null;
  /** Whose part of a payment with transfers is given back. */
  readonly sources: readonly Source[];
  /** `refund_settlements`: what of its deal is given back; null: nothing is said. */
  readonly settlements: DealShare['settlements'] | null;
}

/** What another store gives back. */
export interface Source {
  readonly accountId: string;
  readonly amountMinor: number;
  readonly platformFeeMinor: number | null;
}

/** One refund of the sandbox; a change makes a new object. */
export interface Refund extends RefundRequest {
  readonly id: string;
  /** Of the payment. */
  readonly store: Store;
  /** 1 for the first refund of this sandbox: the order of the list and its cursor. */
  readonly sequence: number;
  readonly status: RefundStatus;
  /** The card network's name for it; null if no card was used. */
  readonly rrn: string | null;
  /** `refund_method`, as the wire has it once the refund has succeeded; null: it has none. */
  readonly refundMethod: Fields | null;
  /** The deal of its payment; null: it has none. */
  readonly dealId: string | null;
  readonly cancellation: Cancellation | null;
  readonly createdBy: Maker;
  /** The Idempotence-Key of its request; null if it was made in the Merchant Profile. */
  readonly requestKey: string | null;
  /** What became of its receipt; null: it has none. */
  readonly receiptStatus: ReceiptStatus | null;
  readonly createdAt: Date;
}
