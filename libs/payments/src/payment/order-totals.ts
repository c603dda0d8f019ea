import type { Cause } from '../common/cause.js';
import type { OrderFields } from '../schema/ledger-fields.js';
import type { OrderEntity, OrderState } from '../schema/order.entity.js';
import type { PaymentEntity } from '../schema/payment.entity.js';
import type { ChangeEvent } from './change.js';
import { discountOf } from './discount.js';
import { letGoOf } from './waived.js';

/** What a change needs to know of its order. */
export type KnownOrder = Pick<
  OrderEntity,
  'id' | 'storeId' | 'reference' | 'version' | 'totalDueMinor' | 'state' | 'wasPaid'
>;

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

/** What is known of an order's past: its state so far, and whether it was ever paid. */
export type PastOfOrder = Pick<OrderEntity, 'state' | 'wasPaid'>;

/**
 * Whether `order.paid` was ever raised. An order that was paid before this was recorded is known by its state, as long as nothing was
 * given back.
 */
export const hasBeenPaid = ({ state, wasPaid }: PastOfOrder): boolean => wasPaid || isPaid(state);

/** The order's totals follow from its payments. */
export function totalsOf(
  { totalDueMinor, ...past }: PastOfOrder & Pick<OrderEntity, 'totalDueMinor'>,
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
  const discountMinor = sum(discountOf);
  const restMinor = totalDueMinor - discountMinor - (totals.paidMinor - totals.refundedMinor);
  // A capture of less lowers what is due to what is kept, and no further: the host may have lowered it too.
  const waivedMinor = discountMinor + Math.min(sum(letGoOf), Math.max(restMinor, 0));
  const state = orderState(totals, waivedMinor);
  return { ...totals, waivedMinor, state, wasPaid: hasBeenPaid(past) || isPaid(state) };
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
  { state, wasPaid: _past, waivedMinor, ...sums }: OrderFields,
  { paymentId, cause, supersededPaid }: TotalsChange,
): ChangeEvent[] {
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
