import type { OrderState } from '../schema/order.entity.js';

export interface OrderTotals {
  readonly totalDueMinor: number;
  readonly paidMinor: number;
  readonly heldMinor: number;
  readonly refundedMinor: number;
}

/** The order's state follows from its totals alone. `paidMinor` is everything captured, refunds not deducted. */
export function orderState({ totalDueMinor, paidMinor, heldMinor, refundedMinor }: OrderTotals): OrderState {
  const keptMinor = paidMinor - refundedMinor;
  if (keptMinor > totalDueMinor) return 'overpaid';
  if (keptMinor === totalDueMinor) return 'paid';
  if (refundedMinor > 0) return keptMinor === 0 ? 'refunded' : 'partially_refunded';
  return keptMinor + heldMinor >= totalDueMinor ? 'authorized' : 'unpaid';
}
