import type { PaymentsOrderEntity } from '../schema/order.entity.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { discountOf } from './discount.js';

type Sums = Pick<
  PaymentsPaymentEntity,
  | 'status'
  | 'amountMinor'
  | 'authorizedMinor'
  | 'capturedMinor'
  | 'refundedMinor'
  | 'keepsDue'
  | 'supersededAt'
>;

/** What its order need not pay after all for this payment: it counts like money, until all of the payment's money is returned. */
export function waivedOf(payment: Sums): number {
  return discountOf(payment) + letGoOf(payment);
}

/** What a capture of less gave back of the hold. A payment that was replaced lets nothing go: its order is paid by another. */
export function letGoOf({
  status,
  authorizedMinor,
  capturedMinor,
  refundedMinor,
  keepsDue,
  supersededAt,
}: Sums): number {
  const counts = status === 'succeeded' && !keepsDue && supersededAt === null;
  return counts && capturedMinor > refundedMinor ? authorizedMinor - capturedMinor : 0;
}

/** What decides how much of the money that was let go an order need not pay. */
type Waiving = Pick<
  PaymentsOrderEntity,
  'totalDueMinor' | 'paidMinor' | 'refundedMinor' | 'discountMinor' | 'letGoMinor' | 'waivedMinor'
>;
type WaivingSums = Omit<Waiving, 'totalDueMinor' | 'waivedMinor'>;

/**
 * How much of what was let go is not due, once a payment has changed. A capture of less lets its rest go, but none of what its host does
 * not ask for any more: the order owes what it keeps then. Money that nobody asks for, as of a payment that was replaced, is too much.
 */
export function waivedByPayment(
  order: Waiving,
  sums: WaivingSums,
  { supersededAt }: Pick<PaymentsPaymentEntity, 'supersededAt'>,
): number {
  const moreMinor = Math.max(0, sums.letGoMinor - order.letGoMinor);
  const waivedMinor = waivedSoFar(order, sums.letGoMinor, moreMinor);
  if (sums.paidMinor <= order.paidMinor || supersededAt !== null) return waivedMinor;
  return Math.min(waivedMinor, restOf(order.totalDueMinor, sums, sums.paidMinor - sums.refundedMinor));
}

/**
 * Likewise once another total is said. A lower one says once more what was let go: that is not taken off twice, and is due again if more
 * is said later. Of what was paid, a refund makes nothing less due.
 */
export function waivedByTotal(order: Waiving, totalDueMinor: number): number {
  const waivedMinor = waivedSoFar(order, order.letGoMinor);
  if (totalDueMinor >= order.totalDueMinor) return waivedMinor;
  const coveredMinor = Math.min(order.paidMinor, order.totalDueMinor - order.waivedMinor);
  return Math.min(waivedMinor, restOf(totalDueMinor, order, coveredMinor));
}

/** As it is kept in the order's row, and no more than was let go by payments that keep money. */
function waivedSoFar(
  { waivedMinor, discountMinor }: Pick<Waiving, 'waivedMinor' | 'discountMinor'>,
  letGoMinor: number,
  moreMinor = 0,
): number {
  return Math.min(waivedMinor - discountMinor + moreMinor, letGoMinor);
}

function restOf(
  totalDueMinor: number,
  { discountMinor }: Pick<Waiving, 'discountMinor'>,
  coveredMinor: number,
): number {
  return Math.max(0, totalDueMinor - discountMinor - coveredMinor);
}
