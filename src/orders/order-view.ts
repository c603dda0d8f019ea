import type { Order, Payment, TimelineEntry } from '@holdfast/payments';

import { findProduct } from '../catalog/products.js';
import type { ShopOrderEffect } from './shop-order-effect.entity.js';
import type { ShopOrder } from './shop-order.entity.js';

/** One order with everything known of its payments, oldest first. */
export interface OrderView {
  order: ShopOrder;
  /** Its money, as the payments module counts it; `null` before the first payment. */
  money: Order | null;
  payments: { payment: Payment; timeline: TimelineEntry[] }[];
  effects: ShopOrderEffect[];
}

/** Where an order stands for the buyer: its state, or what its latest payment is doing meanwhile. */
export type Standing =
  | 'unpaid'
  | 'checking'
  | 'pending'
  | 'settling'
  | 'held'
  | 'paid'
  | 'shipped'
  | 'payment_failed'
  | 'canceled';

export function standing({ order, payments }: OrderView): Standing {
  if (order.state === 'paid') return order.capture ? 'paid' : 'shipped';
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
  // The payment is ahead of the order for as long as the shop's handler has not run.
  return 'settling';
}

/** The order as machines read it. */
export function orderJson(view: OrderView): object {
  const { order, money, payments, effects } = view;
  return {
    reference: order.reference,
    state: order.state,
    standing: standing(view),
    product: order.productSlug,
    productName: findProduct(order.productSlug)?.name ?? null,
    quantity: order.quantity,
    totalMinor: order.totalMinor,
    capture: order.capture,
    money,
    payments: payments.map(({ payment, timeline }) => ({ ...payment, timeline })),
    effects: effects.map(({ effect, paymentId, effectKey }) => ({ effect, paymentId, effectKey })),
  };
}
