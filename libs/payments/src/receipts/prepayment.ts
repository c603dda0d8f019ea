import type { ServiceReceipt } from '../api/service-receipt.js';
import { receiptLeft } from './receipt-builder.js';
import { itemsFromWire } from './receipt-from-wire.js';
import type { OwnReceipt } from './receipt.input.js';

/**
 * What is left of a prepayment, ready to be handed over: the items of the payment's last receipt that were paid in full before,
 * less what was refunded since, as full payment. null: nothing is left, or there was no prepayment.
 *
 * @param receipts of the payment, oldest first, those of its refunds included
 */
export function itemsToSettle(receipts: readonly ServiceReceipt[]): OwnReceipt['items'] | null {
  const registered = receipts.filter(({ status }) => status !== 'canceled');
  // After a capture of a part, the last one says what the buyer has paid.
  const last = registered.findLast(({ type, refundId }) => type === 'payment' && refundId === null);
  if (!last || last.settlementTypes.includes('prepayment')) return null;
  const customer = {};
  const paid = { customer, items: prepaid(last) };
  const refunds = registered.filter(({ refundId }) => refundId !== null);
  const returned = refunds.map((refund) => ({ customer, items: prepaid(refund) }));
  return receiptLeft(paid, returned)?.items.map((item) => ({ ...item, paymentMode: 'full_payment' })) ?? null;
}

function prepaid({ items }: ServiceReceipt): OwnReceipt['items'] {
  return itemsFromWire(items).filter(({ paymentMode }) => paymentMode === 'full_prepayment');
}
