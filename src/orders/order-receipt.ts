import {
  formatAmount,
  parseAmount,
  receiptOfCart,
  receiptOfPart,
  type ReceiptInput,
  type Refund,
} from '@holdfast/payments';

import { findProduct } from '../catalog/products.js';
import type { ShopOrder } from './shop-order.entity.js';

/** What is to be refunded: a sum, or so many pieces at the price that was paid. */
export type RefundPart = { readonly amountMinor: number } | { readonly pieces: number };

type Sold = Pick<
  ShopOrder,
  'productSlug' | 'quantity' | 'totalMinor' | 'buyerEmail' | 'inAdvance' | 'handedOverAt'
>;

/** VAT of what has left the catalogue. */
const USUAL_VAT = 11;

/**
 * The receipt of a whole order. Goods that are sold in advance are prepaid until they are handed over, which settles the
 * prepayment by a receipt of its own; all others count as handed over when they are paid.
 */
export function receiptOfOrder(order: Sold): ReceiptInput {
  const { productSlug, quantity, totalMinor, buyerEmail } = order;
  const product = findProduct(productSlug);
  const item = {
    description: product?.name ?? productSlug,
    amount: formatAmount(totalMinor / quantity),
    quantity,
    vatCode: product?.vatCode ?? USUAL_VAT,
    measure: 'piece',
    paymentSubject: 'commodity',
    paymentMode: order.inAdvance && order.handedOverAt === null ? 'full_prepayment' : 'full_payment',
  } as const;
  return receiptOfCart({ customer: { email: buyerEmail }, items: [item] });
}

/** What so many pieces cost, or the sum itself. */
export function refundMinor(part: RefundPart, { totalMinor, quantity }: Sold): number {
  return 'pieces' in part ? (totalMinor / quantity) * part.pieces : part.amountMinor;
}

/**
 * The receipt of a refund; null where none belongs: the whole order needs no other than its own, and of more than is left no
 * refund is made.
 */
export function receiptOfRefund(
  order: Sold,
  part: RefundPart,
  earlier: readonly Refund[],
): ReceiptInput | null {
  const whole = receiptOfOrder(order);
  const amountMinor = refundMinor(part, order);
  const made = earlier.filter(({ status }) => status !== 'canceled' && status !== 'rejected');
  const leftMinor = made.reduce((left, { amount }) => left - parseAmount(amount), order.totalMinor);
  if (amountMinor === order.totalMinor || amountMinor > leftMinor) return null;
  const before: ReceiptInput[] = [];
  for (const { amount } of made) before.push(receiptOfPart(whole, { amount }, before));
  return receiptOfPart(
    whole,
    'pieces' in part
      ? { lines: [{ line: 0, quantity: part.pieces }] }
      : { amount: formatAmount(amountMinor) },
    before,
  );
}
