import { Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Cause } from '../common/cause.js';
import type { Database } from '../database/database.js';
import { OrderEntity, type OrderState } from '../schema/order.entity.js';
import { PaymentEntity } from '../schema/payment.entity.js';
import { discountOf } from './discount.js';
import { recordEvent } from './record-event.js';

const logger = new Logger('Payments');

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

/**
 * Derives the order's totals from its payments. Raises `order.overpaid` when more is kept than is due, and when a
 * superseded payment was paid after all: its replacement may be paid too.
 */
export async function updateOrderTotals(
  manager: EntityManager,
  database: Database,
  order: OrderEntity,
  {
    paymentId,
    cause,
    supersededPaid,
    payments,
  }: {
    readonly paymentId: string;
    readonly cause: Cause;
    readonly supersededPaid: boolean;
    /** If they are known; otherwise they are read. */
    readonly payments?: readonly PaymentEntity[];
  },
): Promise<void> {
  const all = payments ?? (await manager.findBy(PaymentEntity, { orderId: order.id }));
  const sum = (minor: (payment: PaymentEntity) => number) =>
    all.reduce((total, payment) => total + minor(payment), 0);
  const totals = {
    totalDueMinor: order.totalDueMinor,
    paidMinor: sum((payment) => payment.capturedMinor),
    heldMinor: sum((payment) => (payment.status === 'waiting_for_capture' ? payment.authorizedMinor : 0)),
    refundedMinor: sum((payment) => payment.refundedMinor),
  };
  const state = orderState(totals, sum(discountOf));
  await manager.update(OrderEntity, order.id, { ...totals, state, updatedAt: () => database.now });
  const reason = supersededPaid
    ? 'a superseded payment was paid'
    : state === 'overpaid' && order.state !== 'overpaid'
      ? 'more is kept than is due'
      : null;
  if (reason !== null) {
    const about = { storeId: order.storeId, subject: { type: 'order', id: order.id }, paymentId } as const;
    await recordEvent(manager, database, about, {
      name: 'order.overpaid',
      cause,
      evidence: { reason, ...totals },
    });
    logger.error(`Order ${order.reference} needs a person: ${reason}. Nothing is refunded by itself.`);
  }
  Object.assign(order, totals, { state });
}
