import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { ServiceRefund } from '../api/service-refund.js';
import type { ColumnValues } from '../database/column-values.js';
import type { Database } from '../database/database.js';
import type { Cause } from '../payment/cause.js';
import type { LockedPayment } from '../payment/locks.js';
import { PaymentEntity } from '../payment/payment.entity.js';
import { recordEvent } from '../payment/record-event.js';
import { updateOrderTotals } from '../payment/transition.js';
import { RefundEntity } from './refund.entity.js';
import { refundSums } from './refund-sums.js';
import { canRefundMove, type RefundStatus } from './refund-status.js';

/**
 * The one writer of refund status. Status, event, deliveries, the payment's sums and the order's totals are written
 * in the caller's transaction and under the payment's lock, so that they change together or not at all.
 */

/** Why a status changes, and what was seen. */
export interface RefundDecided {
  readonly cause: Cause;
  readonly evidence: Record<string, unknown>;
}

/** Fields that may be set beside the status. */
export type RefundFields = ColumnValues<
  Pick<RefundEntity, 'serviceId' | 'cancellation' | 'receiptStatus' | 'object'>
>;

type NewRefund = Pick<
  RefundEntity,
  'refundKey' | 'status' | 'amountMinor' | 'whole' | 'description' | 'metadata'
> &
  RefundFields;

/** Records a refund: ours in `submitting`, before anything is sent, or one made outside with the status it has. */
export async function openRefund(
  manager: EntityManager,
  database: Database,
  { id: paymentId, storeId, currency }: PaymentEntity,
  refund: NewRefund,
  { cause, evidence }: RefundDecided,
  createdAt: Date | null = null,
): Promise<string> {
  const id = randomUUID();
  await manager
    .createQueryBuilder()
    .insert()
    .into(RefundEntity)
    .values({
      ...refund,
      id,
      storeId,
      paymentId,
      currency,
      createdAt: createdAt ?? (() => database.now),
      updatedAt: () => database.now,
    })
    .execute();
  const about = { storeId, subject: { type: 'refund', id }, paymentId } as const;
  const { status, amountMinor, refundKey } = refund;
  await recordEvent(manager, database, about, {
    name: `refund.${status}`,
    from: null,
    to: status,
    cause,
    evidence: { refundId: id, refundKey, amountMinor, ...evidence },
  });
  return id;
}

/**
 * Moves a refund of a locked payment to another status.
 * @throws Error where the table does not allow it: a fault of the caller, never of the service
 */
export async function moveRefund(
  manager: EntityManager,
  database: Database,
  { id, storeId, paymentId, status, refundKey, amountMinor }: RefundEntity,
  to: RefundStatus,
  fields: RefundFields,
  { cause, evidence }: RefundDecided,
): Promise<void> {
  if (!canRefundMove(status, to)) throw new Error(`A refund never moves from ${status} to ${to}.`);
  await manager.update(RefundEntity, id, { ...fields, status: to, updatedAt: () => database.now });
  const about = { storeId, subject: { type: 'refund', id }, paymentId } as const;
  await recordEvent(manager, database, about, {
    name: `refund.${to}`,
    from: status,
    to,
    cause,
    evidence: { refundId: id, refundKey, amountMinor, ...evidence },
  });
}

/** What a refund takes over from the service's object. */
export function fieldsOf({ id, cancellation, receiptStatus, kept }: ServiceRefund): RefundFields {
  return { serviceId: id, cancellation, ...(receiptStatus !== null && { receiptStatus }), object: kept };
}

/**
 * Derives the payment's sums from its refunds, and the order's totals from those. Where a refund made outside took
 * money that one in flight was to give back, only what is left can still be promised.
 */
export async function updateRefundSums(
  manager: EntityManager,
  database: Database,
  { order, payment }: LockedPayment,
  cause: Cause,
): Promise<void> {
  const { refundedMinor, inFlightMinor } = refundSums(
    await manager.findBy(RefundEntity, { paymentId: payment.id }),
  );
  const { capturedMinor } = await manager.findOneByOrFail(PaymentEntity, { id: payment.id });
  const refundReservedMinor = Math.min(inFlightMinor, capturedMinor - refundedMinor);
  await manager.update(PaymentEntity, payment.id, { refundedMinor, refundReservedMinor });
  if (refundedMinor === payment.refundedMinor) return;
  await updateOrderTotals(manager, database, order, { paymentId: payment.id, cause, supersededPaid: false });
}
