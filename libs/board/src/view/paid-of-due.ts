import type { Order } from '@holdfast/payments';
import { amountText, minorOf } from './amount-text.js';

/** What is paid of an order, and what need not be paid after all. */
export function paidOfDue({ paid, totalDue, waived }: Order): string {
  const of = `${amountText(paid)} paid of ${amountText(totalDue)}`;
  return minorOf(waived) === 0 ? of : `${of}, ${amountText(waived)} no longer due`;
}
