import {
  formatAmount,
  receiptOfCart,
  receiptOfPart,
  receiptTotal,
  type Amount,
  type OwnReceiptInput,
  type ReceiptInput,
} from '@holdfast/payments';
import type { PurchasePlan } from './purchase-plan.js';

/** The receipt of all that is paid: the cart's prices are its amount's business. */
export function receiptOf({ reference, cart, handsOver }: PurchasePlan, amountMinor: number): ReceiptInput {
  const items = cart.map(
    (quantity, index) =>
      ({
        description: `Goods ${index + 1}`,
        amount: formatAmount(100 * (index + 1)),
        quantity,
        vatCode: 11,
        measure: 'piece',
        paymentSubject: 'commodity',
        paymentMode: handsOver === null ? 'full_payment' : 'full_prepayment',
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

/** Of its first line and of the rest, handed over one after the other when all was paid: offsets of the prepayment. */
export function offsetsOf({ customer, items }: ReceiptInput): OwnReceiptInput[] {
  const delivered = items.map((item) => ({ ...item, paymentMode: 'full_payment' }) as const);
  const parcels = [delivered.slice(0, 1), delivered.slice(1)].filter(({ length }) => length > 0);
  return parcels.map((parcel, index) => {
    const receipt = { customer, items: parcel };
    return {
      receiptKey: `parcel-${index + 1}`,
      type: 'payment',
      receipt,
      settlements: [{ type: 'prepayment', amount: receiptTotal(receipt) }],
    };
  });
}
