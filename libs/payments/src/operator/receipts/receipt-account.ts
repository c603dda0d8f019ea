import type { ReceiptStatus } from '../../api/objects/fields.js';
import type { PaymentStatus } from '../../common/payment-status.js';
import type { RefundStatus } from '../../common/refund-status.js';
import type { OwnReceiptStatus, ReceiptType } from '../../receipts/own-receipt.js';
import type { KnownProblem } from '../../receipts/registered.js';

/** What our rows say of a payment, its refunds and their receipts. */
export interface ReceiptAccount {
  readonly paymentId: string;
  /** The service's id. */
  readonly serviceId: string;
  readonly status: PaymentStatus;
  readonly currency: string;
  readonly authorizedMinor: number;
  readonly capturedMinor: number;
  readonly refundedMinor: number;
  readonly receiptStatus: ReceiptStatus | null;
  /** How it was paid; null: not known. */
  readonly method: string | null;
  /** Its create was sent with a receipt. */
  readonly wasSent: boolean;
  readonly refunds: readonly {
    readonly id: string;
    readonly serviceId: string | null;
    readonly status: RefundStatus;
    readonly receiptStatus: ReceiptStatus | null;
    readonly amountMinor: number;
  }[];
  /** Those that are sent by themselves. */
  readonly own: readonly {
    readonly id: string;
    readonly serviceId: string | null;
    /** The refund whose receipt it is; null: the payment's own. */
    readonly refundId: string | null;
    readonly type: ReceiptType;
    readonly status: OwnReceiptStatus;
    readonly amountMinor: number;
  }[];
  readonly problems: readonly KnownProblem[];
}
