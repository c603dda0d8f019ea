import type { EntityManager } from 'typeorm';
import type { Database } from '../database/database.js';
import { PaymentsOrderEntity } from '../schema/order.entity.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { orderEvents, totalsOfAll } from './order-totals.js';
import { recordEvent } from './record-event.js';

/** SQL of the assignments of everyone who locks the row `locked` of an order: sums that were right stay so. */
export const LOCKS_ORDER = `version = locked.version + 1,
      summed_version = CASE WHEN locked.summed_version = locked.version THEN locked.version + 1 END`;

/** Whether the order's row keeps all sums of its payments. */
export function isSummed({
  version,
  summedVersion,
}: Pick<PaymentsOrderEntity, 'version' | 'summedVersion'>): boolean {
  return summedVersion === version;
}

/**
 * Makes the sums of a locked order that an earlier version of the module has written: once, so that nobody reads all of it again. That
 * version knows of nothing that was let go: an order that it took for unpaid is paid again, and is told to be so.
 */
export async function makeSums(
  manager: EntityManager,
  database: Database,
  order: PaymentsOrderEntity,
): Promise<void> {
  if (isSummed(order)) return;
  const payments = await manager.findBy(PaymentsPaymentEntity, { orderId: order.id });
  const totals = totalsOfAll(order, payments);
  const about = { cause: 'sweep', supersededPaid: false } as const;
  const [payment] = payments.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
  const events = payment ? orderEvents(order, totals, { ...about, paymentId: payment.id }) : [];
  const made = { ...totals, summedVersion: order.version };
  await manager.update(PaymentsOrderEntity, order.id, made);
  for (const event of events) await recordEvent(manager, database, event, event);
  Object.assign(order, made);
}
