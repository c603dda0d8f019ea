import {
  formatAmount,
  PaymentInputError,
  receiptOfCart,
  receiptOfPart,
  type Amount,
  type ReceiptInput,
  type Refund,
} from '@holdfast/payments';

import { findProduct } from '../catalog/products.js';
import type { ShopOrder } from './shop-order.entity.js';

/** What is to be refunded: a sum, or so many pieces at what is left of their price. */
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

/** The receipt of pieces that are given back, at what earlier refunds have left of them; null: not so many are left. */
export function receiptOfPieces(
  order: Sold,
  pieces: number,
  { paid, earlier }: { readonly paid: Amount; readonly earlier: readonly Refund[] },
): ReceiptInput | null {
  try {
    // Of a credit the service may have taken a discount off.
    const sold = receiptOfPart(receiptOfOrder(order), { amount: paid });
    const before: ReceiptInput[] = [];
    for (const { amount, metadata } of earlier.filter(isMade)) {
      const returned = Number(metadata['pieces'] ?? 0);
      const part = returned > 0 ? { lines: linesOf(order, returned) } : { amount };
      before.push(receiptOfCart(receiptOfPart(sold, part, before), amount));
    }
    return receiptOfPart(sold, { lines: linesOf(order, pieces) }, before);
  } catch (error) {
    if (error instanceof PaymentInputError) return null;
    throw error;
  }
}

/** What a refund of pieces says of itself, for the next one. */
export function noteOfPieces(pieces: number): { readonly pieces: string } {
  return { pieces: String(pieces) };
}

/** By the host's own id: a discount may have split the line into several items. */
function linesOf(
  { productSlug }: Sold,
  pieces: number,
): { readonly id: string; readonly quantity: number }[] {
  return [{ id: productSlug, quantity: pieces }];
}

/** Or may still be. */
function isMade({ status }: Refund): boolean {
  return status !== 'canceled' && status !== 'rejected';
}
