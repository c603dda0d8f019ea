import type { EntityManager } from 'typeorm';
import type { Cause } from '../common/cause.js';
import { canMove, type PaymentStatus } from '../common/payment-status.js';
import type { Database } from '../database/database.js';
import { PaymentEntity } from '../schema/payment.entity.js';
import type { LockedPayment } from './locks.js';
import { updateOrderTotals } from './order-totals.js';
import { aboutPayment, recordEvent } from './record-event.js';
import type { PaymentChange } from './status-writer-of-many.js';

/**
 * The one writer of a locked payment's status; `status-writer-of-many.ts` writes that of payments nobody has locked, many at once.
 * Status, event, deliveries and order totals change together or not at all (G5).
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
