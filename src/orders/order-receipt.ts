import { formatAmount, receiptOfCart, type ReceiptInput, type RefundInput } from '@holdfast/payments';

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
    id: productSlug,
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

/** What a refund gives back, for the receipt that the module makes of it. */
export function returnedGoods(
  order: Sold,
  part: RefundPart,
): Pick<RefundInput, 'amount' | 'receiptOf' | 'lines'> {
  const receiptOf = receiptOfOrder(order);
  return 'pieces' in part
    ? { receiptOf, lines: [{ id: order.productSlug, quantity: part.pieces }] }
    : { receiptOf, amount: formatAmount(part.amountMinor) };
}
