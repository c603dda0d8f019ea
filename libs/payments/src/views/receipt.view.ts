import { formatAmount, type Amount } from '../common/money.js';
import type { OwnReceiptStatus, ReceiptType } from '../receipts/own-receipt.js';
import type { ReceiptEntity } from '../schema/receipt.entity.js';

/** A receipt that was sent by itself, as merchant code sees it. It does not say who got it. */
export interface Receipt {
  /** Ours. */
  readonly id: string;
  readonly paymentId: string;
  /** The refund that it is of; null: the payment itself. */
  readonly refundId: string | null;
  /** The caller's own name for it. */
  readonly receiptKey: string;
  readonly type: ReceiptType;
  readonly status: OwnReceiptStatus;
  readonly amount: Amount;
  /** The service's id; null until its first answer. */
  readonly serviceId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export function receiptView(receipt: ReceiptEntity): Receipt {
  const { id, paymentId, refundId, receiptKey, type, status, serviceId, createdAt, updatedAt } = receipt;
  const amount = formatAmount(receipt.amountMinor, receipt.currency);
  return { id, paymentId, refundId, receiptKey, type, status, amount, serviceId, createdAt, updatedAt };
}
