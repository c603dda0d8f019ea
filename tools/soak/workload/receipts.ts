import {
  formatAmount,
  receiptOfCart,
  receiptOfPart,
  receiptTotal,
  type Amount,
  type ReceiptInput,
} from '@holdfast/payments';
import type { PurchasePlan } from './purchase-plan.js';

/** The receipt of all that is paid: the cart's prices are its amount's business. */
export function receiptOf({ reference, cart }: PurchasePlan, amountMinor: number): ReceiptInput {
  const items = cart.map(
    (quantity, index) =>
      ({
        description: `Goods ${index + 1}`,
        amount: formatAmount(100 * (index + 1)),
        quantity,
        vatCode: 11,
        measure: 'piece',
        paymentSubject: 'commodity',
        paymentMode: 'full_payment',
      }) as const,
  );
  return receiptOfCart(
    { customer: { email: `${reference}@shop.example` }, items },
    formatAmount(amountMinor),
  );
}

/** Of a part of it, captured or refunded; undefined for the whole, which the service has a receipt for. */
export function receiptOfPartOf(whole: ReceiptInput, amount: Amount): ReceiptInput | undefined {
  return amount.value === receiptTotal(whole).value ? undefined : receiptOfPart(whole, { amount });
}

/** A piece of its first line. */
export function receiptOfPiece(whole: ReceiptInput): ReceiptInput {
  return receiptOfPart(whole, { lines: [{ line: 0, quantity: 1 }] });
}
