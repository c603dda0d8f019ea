import type { Cause } from '../common/cause.js';
import type { OrderFields } from '../schema/ledger-fields.js';
import type { OrderEntity, OrderState } from '../schema/order.entity.js';
import type { PaymentEntity } from '../schema/payment.entity.js';
import type { ChangeEvent } from './change.js';
import { discountOf } from './discount.js';

/** What a change needs to know of its order. */
export type KnownOrder = Pick<
  OrderEntity,
  'id' | 'storeId' | 'reference' | 'version' | 'totalDueMinor' | 'state'
>;

export interface OrderTotals {
  readonly totalDueMinor: number;
  readonly paidMinor: number;
  readonly heldMinor: number;
  readonly refundedMinor: number;
}

/**
 * The order's state follows from its totals alone, and from what the shop granted as a discount. `paidMinor` is everything
 * captured, refunds not deducted.
 */
export function orderState(
  { totalDueMinor: askedMinor, paidMinor, heldMinor, refundedMinor }: OrderTotals,
  discountMinor = 0,
): OrderState {
  const totalDueMinor = askedMinor - discountMinor;
  const keptMinor = paidMinor - refundedMinor;
  if (keptMinor > totalDueMinor) return 'overpaid';
  if (keptMinor === totalDueMinor) return 'paid';
  if (refundedMinor > 0) return keptMinor === 0 ? 'refunded' : 'partially_refunded';
  return keptMinor + heldMinor >= totalDueMinor ? 'authorized' : 'unpaid';
}

/** The order's totals follow from its payments. */
export function totalsOf(
  { totalDueMinor }: Pick<OrderEntity, 'totalDueMinor'>,
  payments: readonly PaymentEntity[],
): OrderFields {
  const sum = (minor: (payment: PaymentEntity) => number) =>
    payments.reduce((total, payment) => total + minor(payment), 0);
  const totals = {
    totalDueMinor,
    paidMinor: sum((payment) => payment.capturedMinor),
    heldMinor: sum((payment) => (payment.status === 'waiting_for_capture' ? payment.authorizedMinor : 0)),
    refundedMinor: sum((payment) => payment.refundedMinor),
  };
  return { ...totals, state: orderState(totals, sum(discountOf)) };
}

/**
 * The event of an order that got into such totals: more is kept than is due, or a superseded payment was paid after all, whose
 * replacement may be paid too.
 */
export function overpaidEvents(
  order: KnownOrder,
  { state, ...totals }: OrderFields,
  {
    paymentId,
    cause,
    supersededPaid,
  }: { readonly paymentId: string; readonly cause: Cause; readonly supersededPaid: boolean },
): ChangeEvent[] {
  const reason = supersededPaid
    ? 'a superseded payment was paid'
    : state === 'overpaid' && order.state !== 'overpaid'
      ? 'more is kept than is due'
      : null;
  if (reason === null) return [];
  return [
    {
      storeId: order.storeId,
      subject: { type: 'order', id: order.id },
      paymentId,
      name: 'order.overpaid',
      cause,
      evidence: { reason, ...totals },
      alarm: `Order ${order.reference} needs a person: ${reason}. Nothing is refunded by itself.`,
    },
  ];
}
