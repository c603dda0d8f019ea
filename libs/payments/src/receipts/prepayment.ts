import type { ServiceReceipt } from '../api/service-receipt.js';
import { receiptLeft } from './receipt-builder.js';
import { itemsFromWire } from './receipt-from-wire.js';
import type { ReceiptInput } from './receipt.input.js';

type Item = ReceiptInput['items'][number];

/**
 * What is left of a prepayment, ready to be handed over: the items of the payment's last receipt that were paid in full before,
 * less what was refunded since, as full payment. null: nothing is left, or there was no prepayment.
 *
 * @param receipts of the payment, oldest first, those of its refunds included
 */
export function itemsToSettle(receipts: readonly ServiceReceipt[]): ReceiptInput['items'] | null {
  const registered = receipts.filter(({ status }) => status !== 'canceled');
  // After a capture of a part, the last one says what the buyer has paid.
  const last = registered.findLast(({ type, refundId }) => type === 'payment' && refundId === null);
  if (!last || last.settlementTypes.includes('prepayment')) return null;
  const customer = {};
  const sold = itemsFromWire(last.items);
  const paid = { customer, items: sold.filter(isPrepaid) };
  const refunds = registered.filter(({ refundId }) => refundId !== null);
  const returned = refunds.map(({ items }) => ({
    customer,
    items: itemsFromWire(items).map((item) => asSold(item, sold)),
  }));
  return receiptLeft(paid, returned)?.items.map((item) => ({ ...item, paymentMode: 'full_payment' })) ?? null;
}

function isPrepaid({ paymentMode }: Item): boolean {
  return paymentMode === 'full_prepayment';
}

/** A refund may name the mode that the goods would have had once handed over: they were not, so they were prepaid. */
function asSold(item: Item, sold: readonly Item[]): Item {
  const same = sold.filter(({ description }) => description === item.description);
  const isKnown = same.some(({ paymentMode }) => paymentMode === item.paymentMode);
  return !isKnown && same.some(isPrepaid) ? { ...item, paymentMode: 'full_prepayment' } : item;
}
