import { parseAmount, type ReceiptStatus } from '../../api/objects/fields.js';
import type { ServiceReceipt } from '../../api/service-receipt.js';
import { lineTotalMinor } from '../../receipts/priced-lines.js';
import { parseQuantity } from '../../receipts/quantity.js';

/** A receipt of the service's list, as far as an audit compares it. */
export interface ListedReceipt {
  readonly id: string;
  /** `payment`: income; `refund`: its return. */
  readonly type: string;
  /** null: unknown. */
  readonly status: ReceiptStatus | null;
  /** The service's id; null if it does not say. */
  readonly paymentId: string | null;
  /** Of the refund that it is of; null: the payment itself. */
  readonly refundId: string | null;
  readonly totalMinor: number;
  /** Without what offsets a prepayment or is not paid with money. */
  readonly paidMinor: number;
}

/** Where it does not say how it is settled, its lines say it all. */
export function listedReceipt(receipt: ServiceReceipt): ListedReceipt {
  const { id, type, status, paymentId, refundId, settledMinor, paidMinor, items } = receipt;
  const totalMinor = (paidMinor === null ? null : settledMinor) ?? linesMinor(items);
  return { id, type, status, paymentId, refundId, totalMinor, paidMinor: paidMinor ?? totalMinor };
}

function linesMinor(items: ServiceReceipt['items']): number {
  return items.reduce((totalMinor, { amount, quantity }) => {
    const unitMinor = parseAmount(amount)?.amountMinor ?? 0;
    return totalMinor + lineTotalMinor({ unitMinor, thousandths: parseQuantity(quantity) ?? 0 });
  }, 0);
}
