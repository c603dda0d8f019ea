import { Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { EntityManager, QueryDeepPartialEntity } from 'typeorm';
import type { Database } from '../database/database.js';
import { DeliveryEntity } from '../handlers/delivery.entity.js';
import { HandlerEntity } from '../handlers/handler.entity.js';
import type { Cause } from './cause.js';
import type { CreateIntent } from './create-payment.input.js';
import { EventEntity } from './event.entity.js';
import type { LockedPayment } from './locks.js';
import { OrderEntity } from './order.entity.js';
import { orderState } from './order-state.js';
import { PaymentEntity } from './payment.entity.js';
import { canMove, type PaymentStatus } from './payment-status.js';

const logger = new Logger('Payments');

/**
 * The one writer of payment status. Status, event, deliveries and order totals are written here, in the caller's
 * transaction and under its locks, so that they change together or not at all.
 */

/** What one event tells of. */
interface NewEvent {
  readonly name: string;
  readonly subject?: { readonly type: 'order'; readonly id: string };
  readonly from?: string | null;
  readonly to?: string | null;
  readonly cause: Cause;
  readonly evidence: Record<string, unknown>;
}

/** Fields that a transition may set beside the status. */
export type PaymentFields = QueryDeepPartialEntity<
  Pick<
    PaymentEntity,
    | 'serviceId'
    | 'authorizedMinor'
    | 'capturedMinor'
    | 'refundedMinor'
    | 'confirmationUrl'
    | 'test'
    | 'holdExpiresAt'
    | 'cancellation'
    | 'object'
    | 'nextCheckAt'
  >
>;

/** Records a new payment in `submitting`, before anything is sent. */
export async function openPayment(
  manager: EntityManager,
  database: Database,
  order: OrderEntity,
  intent: CreateIntent,
  nextCheckAtSql: string,
): Promise<string> {
  const id = randomUUID();
  await manager
    .createQueryBuilder()
    .insert()
    .into(PaymentEntity)
    .values({
      id,
      storeId: order.storeId,
      orderId: order.id,
      status: 'submitting',
      currency: intent.currency,
      amountMinor: intent.amountMinor,
      capture: intent.capture,
      method: intent.method,
      description: intent.description,
      metadata: { ...intent.metadata },
      part: intent.part,
      nextCheckAt: () => nextCheckAtSql,
      createdAt: () => database.now,
      updatedAt: () => database.now,
    })
    .execute();
  await recordEvent(manager, database, id, {
    name: 'payment.submitting',
    from: null,
    to: 'submitting',
    cause: 'create',
    evidence: { amountMinor: intent.amountMinor, capture: intent.capture },
  });
  return id;
}

/**
 * Moves a locked payment to another status.
 * @throws Error where the table does not allow it: a fault of the caller, never of the service
 */
export async function transition(
  manager: EntityManager,
  database: Database,
  { order, payment }: LockedPayment,
  to: PaymentStatus,
  fields: PaymentFields,
  { cause, evidence }: { cause: Cause; evidence: Record<string, unknown> },
): Promise<void> {
  if (!canMove(payment.status, to)) throw new Error(`A payment never moves from ${payment.status} to ${to}.`);
  await manager.update(PaymentEntity, payment.id, {
    ...fields,
    status: to,
    checks: 0,
    retryAt: null,
    updatedAt: () => database.now,
  });
  await recordEvent(manager, database, payment.id, {
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
  { paymentId, cause, supersededPaid }: { paymentId: string; cause: Cause; supersededPaid: boolean },
): Promise<void> {
  const payments = await manager.find(PaymentEntity, { where: { orderId: order.id } });
  const sum = (minor: (payment: PaymentEntity) => number) =>
    payments.reduce((total, payment) => total + minor(payment), 0);
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
    await recordEvent(manager, database, paymentId, {
      name: 'order.overpaid',
      subject: { type: 'order', id: order.id },
      cause,
      evidence: { reason, ...totals },
    });
    logger.error(`Order ${order.reference} needs a person: ${reason}. Nothing is refunded by itself.`);
  }
  Object.assign(order, totals, { state });
}

/** Writes an event and its deliveries, one for every handler any process registered for its name. */
export async function recordEvent(
  manager: EntityManager,
  database: Database,
  paymentId: string,
  event: NewEvent,
): Promise<void> {
  await manager.query(
    `WITH event AS (
       INSERT INTO ${database.table(EventEntity)}
         (subject_type, subject_id, payment_id, name, from_status, to_status, cause, evidence, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, ${database.now})
       RETURNING id, name, payment_id, created_at
     )
     INSERT INTO ${database.table(DeliveryEntity)} (event_id, handler_id, payment_id, next_attempt_at)
     SELECT event.id, handler.id, event.payment_id, event.created_at
     FROM event JOIN ${database.table(HandlerEntity)} handler ON handler.event = event.name`,
    [
      event.subject?.type ?? 'payment',
      event.subject?.id ?? paymentId,
      paymentId,
      event.name,
      event.from ?? null,
      event.to ?? null,
      event.cause,
      JSON.stringify(event.evidence),
    ],
  );
}
