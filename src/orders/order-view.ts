import {
  parseAmount,
  type Order,
  type OrderProblems,
  type Payment,
  type PaymentConfirmation,
} from '@holdfast/payments';

import type { PaymentRecord } from '../../examples/shared/pages/payment-panel.js';
import { findProduct } from '../catalog/products.js';
import { isPaid } from './order-state.js';
import type { ShopOrderEffect } from './shop-order-effect.entity.js';
import type { ShopOrder } from './shop-order.entity.js';

/** Payments of an order that are read with their history: what a page costs does not grow with the clicks of its buyer. */
const SHOWN = 5;

const hasMoney = ({ status }: Payment) => status === 'succeeded' || status === 'waiting_for_capture';

/** The latest, then those that hold or took money, then the others, the later first; in the order in which they were made. */
export function shownOf(payments: readonly Payment[]): Payment[] {
  const [latest, others] = [payments.slice(-1), payments.slice(0, -1).toReversed()];
  const chosen = [...latest, ...others.filter(hasMoney), ...others.filter((other) => !hasMoney(other))];
  const shown = new Set(chosen.slice(0, SHOWN));
  return payments.filter((payment) => shown.has(payment));
}

/** One order with what is known of its payments, oldest first. */
export interface OrderView {
  order: ShopOrder;
  /** Its money, as the payments module counts it; `null` before the first payment. */
  money: Order | null;
  payments: PaymentRecord[];
  /** How many others it has. */
  morePayments: number;
  effects: ShopOrderEffect[];
  /** What is wrong with it, as the payments module knows. */
  problems: OrderProblems;
}

/** The state of an order for the buyer: its own state, or that of its latest payment meanwhile. */
export type Standing =
  | 'unpaid'
  | 'elsewhere'
  | 'checking'
  | 'pending'
  | 'settling'
  | 'delayed'
  | 'held'
  | 'paid'
  | 'paid_in_advance'
  | 'handed_over'
  | 'shipped'
  | 'partially_refunded'
  | 'refunded'
  | 'payment_failed'
  | 'canceled';

export function standing(view: OrderView): Standing {
  const { order, payments } = view;
  if (hasItsPaymentElsewhere(view)) return 'elsewhere';
  if (isPaid(order.state) && isBehindRefunds(view)) return settlingOf(view);
  if (order.state === 'paid') return standingOfPaid(order);
  if (order.state === 'partially_refunded' || order.state === 'refunded') return order.state;
  const status = payments.at(-1)?.payment.status;
  switch (status) {
    case undefined:
      return order.state === 'awaiting_payment' ? 'unpaid' : order.state;
    case 'submitting':
      return 'checking';
    case 'pending':
      return 'pending';
    case 'rejected':
      return 'payment_failed';
    case 'waiting_for_capture':
      if (order.state === 'held') return 'held';
      break;
    case 'canceled':
      if (order.state === 'canceled' || order.state === 'payment_failed') return order.state;
      break;
    case 'succeeded':
      break;
  }
  // The payment is ahead of the order until the shop's handler has run.
  return settlingOf(view);
}

/** Once a handler has failed it is no matter of moments any more. */
function settlingOf({ problems }: OrderView): Standing {
  return problems.deliveries.length > 0 ? 'delayed' : 'settling';
}

function standingOfPaid({ capture, inAdvance, handedOverAt }: ShopOrder): Standing {
  if (inAdvance) return handedOverAt === null ? 'paid_in_advance' : 'handed_over';
  return capture ? 'paid' : 'shipped';
}

/** Paid in advance, and something of it is still the buyer's to get. */
export function awaitsHandOver({ state, inAdvance, handedOverAt }: ShopOrder): boolean {
  return inAdvance && handedOverAt === null && (state === 'paid' || state === 'partially_refunded');
}

/** Paid or held while the shop had another store at the service, or another service: that payment cannot be reached from here. */
function hasItsPaymentElsewhere({ order, payments }: OrderView): boolean {
  return payments.length === 0 && (order.state === 'held' || isPaid(order.state));
}

/** A refund counts for the shop once its handler has run. */
function isBehindRefunds({ money, effects }: OrderView): boolean {
  const refundedMinor = effects.reduce((totalMinor, effect) => totalMinor + effect.refundedMinor, 0);
  return money !== null && refundedMinor < parseAmount(money.refunded);
}

/** What the buyer has to do for the payment under way; null: nothing, or there is none. */
export function openConfirmation(view: OrderView): PaymentConfirmation | null {
  const latest = view.payments.at(-1)?.payment;
  return standing(view) === 'pending' && latest?.superseded === false ? latest.confirmation : null;
}

/** Nothing is paid, held or on its way: the buyer may still choose another way. */
export function isUndecided(view: OrderView): boolean {
  const at = standing(view);
  return at === 'unpaid' || at === 'payment_failed' || openConfirmation(view) !== null;
}

/** The payment that took the order's money. */
export function paidPayment({ payments }: OrderView): PaymentRecord | undefined {
  return payments.findLast(({ payment }) => payment.status === 'succeeded');
}

/** The sum of refunds that are neither made nor refused yet. */
export function refundsOnTheirWayMinor(payments: OrderView['payments']): number {
  return payments
    .flatMap(({ refunds }) => refunds)
    .filter(({ status }) => status === 'submitting' || status === 'pending')
    .reduce((totalMinor, { amount }) => totalMinor + parseAmount(amount), 0);
}

/** What can still be refunded; pending refunds already count. */
export function leftToRefundMinor({ payment, refunds }: PaymentRecord): number {
  const claimedMinor = refunds
    .filter(({ status }) => status !== 'canceled' && status !== 'rejected')
    .reduce((totalMinor, { amount }) => totalMinor + parseAmount(amount), 0);
  return parseAmount(payment.capturedAmount) - claimedMinor;
}

/** The order for its buyer's programs: named field by field, so that nothing internal gets out. */
export function orderJson(view: OrderView): object {
  const { order, money, payments } = view;
  return {
    reference: order.reference,
    state: order.state,
    standing: standing(view),
    product: order.productSlug,
    productName: findProduct(order.productSlug)?.name ?? null,
    quantity: order.quantity,
    totalMinor: order.totalMinor,
    paid: money?.paid ?? null,
    held: money?.held ?? null,
    refunded: money?.refunded ?? null,
    payments: payments.map(({ payment, refunds }) => ({
      status: payment.status,
      amount: payment.amount,
      paidWith: payment.paymentMethod?.title ?? null,
      confirmationUrl: payment.confirmationUrl,
      heldUntil: payment.holdExpiresAt,
      refunds: refunds.map(({ status, amount }) => ({ status, amount })),
    })),
  };
}
