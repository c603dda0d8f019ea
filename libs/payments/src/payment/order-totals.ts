import { isDeepStrictEqual } from 'node:util';
import type { Cause } from '../common/cause.js';
import type { OrderFields } from '../schema/ledger-fields.js';
import type { PaymentsOrderEntity, OrderState } from '../schema/order.entity.js';
import type { ChangeEvent } from './change.js';
import { discountOf } from './discount.js';
import { letGoOf, waivedByPayment, waivedByTotal } from './waived.js';

/** What a change needs to know of its order. */
export type KnownOrder = Pick<
  PaymentsOrderEntity,
  'id' | 'storeId' | 'reference' | 'version' | 'totalDueMinor'
> &
  PastOfOrder &
  OrderSums;

/** What an order's row keeps of its payments. */
export type OrderSums = Pick<
  PaymentsOrderEntity,
  'paidMinor' | 'heldMinor' | 'refundedMinor' | 'discountMinor' | 'letGoMinor'
>;

/** What a payment's part in the sums is made of. */
type Summed = Parameters<typeof letGoOf>[0];

export interface OrderTotals {
  readonly totalDueMinor: number;
  readonly paidMinor: number;
  readonly heldMinor: number;
  readonly refundedMinor: number;
}

/**
 * The order's state follows from its totals alone, and from what need not be paid after all. `paidMinor` is everything captured,
 * refunds not deducted.
 */
export function orderState(
  { totalDueMinor: askedMinor, paidMinor, heldMinor, refundedMinor }: OrderTotals,
  waivedMinor = 0,
): OrderState {
  const totalDueMinor = askedMinor - waivedMinor;
  const keptMinor = paidMinor - refundedMinor;
  if (keptMinor > totalDueMinor) return 'overpaid';
  if (keptMinor === totalDueMinor) return 'paid';
  if (refundedMinor > 0) return keptMinor === 0 ? 'refunded' : 'partially_refunded';
  return keptMinor + heldMinor >= totalDueMinor ? 'authorized' : 'unpaid';
}

/** What is known of an order's past: its state so far, whether it was ever paid, and what it need not pay. */
export type PastOfOrder = Pick<PaymentsOrderEntity, 'state' | 'wasPaid' | 'waivedMinor'>;

/** What an order's totals depend on before a change. */
type OrderBefore = PastOfOrder & OrderSums & Pick<PaymentsOrderEntity, 'totalDueMinor'>;

/** The totals once one of the order's payments has changed: the sums move by the difference, so that no other payment is read. */
export function totalsAfter(order: OrderBefore, before: Summed, after: Summed): OrderFields {
  const sums = added(added(order, addedBy(after)), addedBy(before), -1);
  return totalsOf(order, sums, waivedByPayment(order, sums, after));
}

/** Once another sum is due. */
export function totalsDue(order: OrderBefore, totalDueMinor: number): OrderFields {
  return totalsOf({ ...order, totalDueMinor }, order, waivedByTotal(order, totalDueMinor));
}

function totalsOf(
  { totalDueMinor, ...past }: OrderBefore,
  { paidMinor, heldMinor, refundedMinor, discountMinor, letGoMinor }: OrderSums,
  /** Of what was let go. */
  waivedOfLetGoMinor: number,
): OrderFields {
  const totals = { totalDueMinor, paidMinor, heldMinor, refundedMinor };
  const waivedMinor = discountMinor + waivedOfLetGoMinor;
  const state = orderState(totals, waivedMinor);
  const wasPaid = past.wasPaid || isPaid(state);
  return { ...totals, discountMinor, letGoMinor, waivedMinor, state, wasPaid };
}

/** Whether what a payment adds to the sums is another amount now. */
export function movesSums(before: Summed, after: Summed): boolean {
  return !isDeepStrictEqual(addedBy(before), addedBy(after));
}

/** The sums of all of an order's payments. */
export function sumsOf(payments: readonly Summed[]): OrderSums {
  const nothing = { paidMinor: 0, heldMinor: 0, refundedMinor: 0, discountMinor: 0, letGoMinor: 0 };
  return payments.map(addedBy).reduce<OrderSums>((sums, more) => added(sums, more), nothing);
}

function addedBy(payment: Summed): OrderSums {
  return {
    paidMinor: payment.capturedMinor,
    heldMinor: payment.status === 'waiting_for_capture' ? payment.authorizedMinor : 0,
    refundedMinor: payment.refundedMinor,
    discountMinor: discountOf(payment),
    letGoMinor: letGoOf(payment),
  };
}

function added(sums: OrderSums, more: OrderSums, times: 1 | -1 = 1): OrderSums {
  return {
    paidMinor: sums.paidMinor + times * more.paidMinor,
    heldMinor: sums.heldMinor + times * more.heldMinor,
    refundedMinor: sums.refundedMinor + times * more.refundedMinor,
    discountMinor: sums.discountMinor + times * more.discountMinor,
    letGoMinor: sums.letGoMinor + times * more.letGoMinor,
  };
}

/** The change of an order's totals: by which payment, and why. */
interface TotalsChange {
  readonly paymentId: string;
  readonly cause: Cause;
  readonly supersededPaid: boolean;
}

/** The events of an order that got into such totals. */
export function orderEvents(
  order: KnownOrder,
  { state, totalDueMinor, paidMinor, heldMinor, refundedMinor, waivedMinor }: OrderFields,
  { paymentId, cause, supersededPaid }: TotalsChange,
): ChangeEvent[] {
  const sums = { totalDueMinor, paidMinor, heldMinor, refundedMinor };
  const totals = { ...sums, ...(waivedMinor > 0 && { waivedMinor }) };
  const { id, storeId, reference } = order;
  const about = { storeId, subject: { type: 'order', id }, paymentId, cause } as const;
  const moved = movedTo(order.state, state);
  const reason = surplus(order.state, state, supersededPaid);
  return [
    ...(moved === null ? [] : [{ ...about, name: moved, evidence: { ...totals } }]),
    ...(reason === null
      ? []
      : [
          {
            ...about,
            name: 'order.overpaid' as const,
            evidence: { reason, ...totals },
            alarm: `Order ${reference} needs a person: ${reason}. Nothing is refunded by itself.`,
          },
        ]),
  ];
}

/** Events that a change of the order's state raises, whichever payment brings it. */
export const orderMoves = ['order.paid', 'order.unpaid', 'order.refunded'] as const;
type OrderMove = (typeof orderMoves)[number];

/**
 * What a change of its state means for the order. A refund of a part is no change that anybody has not asked for: `refund.succeeded`
 * reports it.
 */
export function movedTo(from: OrderState, to: OrderState): OrderMove | null {
  if (isPaid(to)) return isPaid(from) ? null : 'order.paid';
  if (to === 'unpaid') return isPaid(from) || from === 'authorized' ? 'order.unpaid' : null;
  return to === 'refunded' && from !== 'refunded' ? 'order.refunded' : null;
}

/** All that is due is paid, or more. */
export const isPaid = (state: OrderState): boolean => state === 'paid' || state === 'overpaid';

/** More is kept than is due, or a superseded payment was paid after all, whose replacement may be paid too. */
function surplus(from: OrderState, to: OrderState, supersededPaid: boolean): string | null {
  if (supersededPaid) return 'a superseded payment was paid';
  return to === 'overpaid' && from !== 'overpaid' ? 'more is kept than is due' : null;
}
