import { In, IsNull, type EntityManager } from 'typeorm';
import type { Database } from '../database/database.js';
import { lastHoldTryAt } from '../holds/hold-plan.js';
import { want } from '../payment/due.js';
import { lastRecovery } from '../rollback/recovery-windows.js';
import { PaymentsDueEntity } from '../schema/due.entity.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';

/**
 * Whether a hold that was given up is not let go yet, because what is known of its order may be from before commits were lost: until
 * the store's lists have been read, and the open payment of its order's part after that. That one is asked for, once after the end.
 */
export async function waitsForRecovery(
  manager: EntityManager,
  database: Database,
  payment: PaymentsPaymentEntity,
): Promise<boolean> {
  const { storeId, orderId, part, supersededAt } = payment;
  const { isOpen, endedAt } = await lastRecovery(manager, database, storeId);
  if (isOpen) return true;
  if (endedAt === null || supersededAt === null || supersededAt > endedAt) return false;
  // A part has one at most, by key.
  const open = await manager.findOneBy(PaymentsPaymentEntity, {
    orderId,
    part,
    status: In(['submitting', 'pending']),
    supersededAt: IsNull(),
  });
  if (open === null) return false;
  const triedAt = lastHoldTryAt(payment);
  if (triedAt !== null && triedAt >= endedAt) return !(await isReread(manager, database, open));
  await want(manager, database, open, database.now, { afresh: true });
  return true;
}

/** Since it was asked for afresh: its re-reads are counted from then on. */
async function isReread(
  manager: EntityManager,
  database: Database,
  { id: paymentId }: PaymentsPaymentEntity,
): Promise<boolean> {
  const due = await manager.findOneBy(PaymentsDueEntity, { paymentId });
  return (
    due !== null &&
    due.checks > 0 &&
    due.fence === null &&
    due.lane !== 'failing' &&
    due.readyAt > (await database.businessTime(manager))
  );
}
