import { Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Cause } from '../common/cause.js';
import { canMove, type PaymentStatus } from '../common/payment-status.js';
import type { Database } from '../database/database.js';
import { OrderEntity } from '../schema/order.entity.js';
import { PaymentEntity } from '../schema/payment.entity.js';
import type { PaymentChange } from './ledger-writes.js';
import type { LockedPayment } from './locks.js';
import { orderState } from './order-state.js';
import { aboutPayment, recordEvent } from './record-event.js';

const logger = new Logger('Payments');

/**
 * The one writer of payment status. Status, event, deliveries and order totals are written here, in the caller's
 * transaction and under its locks, so that they change together or not at all.
 */

/**
 * Moves a locked payment to another status.
 * @throws Error if the table does not allow it: a fault of the caller, never of the service
 */
export async function transition(
  manager: EntityManager,
  database: Database,
  { order, payment }: LockedPayment,
  to: PaymentStatus,
  fields: Partial<PaymentChange>,
  { cause, evidence }: { cause: Cause; evidence: Record<string, unknown> },
): Promise<void> {
  if (!canMove(payment.status, to)) throw new Error(`A payment never moves from ${payment.status} to ${to}.`);
  await manager.update(PaymentEntity, payment.id, {
    ...fields,
    status: to,
    updatedAt: () => database.now,
  });
  await recordEvent(manager, database, aboutPayment(payment), {
    name: `payment.${to}`,
    from: payment.status,
    to,
    cause,
    evidence,
  });
  await updateOrderTotals(manager, database, order, {
    paymentId: payment.id,
    cause,
    supersededPaid: payment.supersededAt !== null && to === 'succeeded',
  });
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
  const state = orderState(totals);
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
