import type { EntityManager } from 'typeorm';
import { OrderEntity } from '../schema/order.entity.js';
import { PaymentEntity } from '../schema/payment.entity.js';
import { sumsOf } from './order-totals.js';

/** SQL of the assignments of everyone who locks the row `locked` of an order: sums that were right stay so. */
export const LOCKS_ORDER = `version = locked.version + 1,
      summed_version = CASE WHEN locked.summed_version = locked.version THEN locked.version + 1 END`;

/** Whether the order's row keeps all sums of its payments. */
export function isSummed({
  version,
  summedVersion,
}: Pick<OrderEntity, 'version' | 'summedVersion'>): boolean {
  return summedVersion === version;
}

/** Makes the sums of a locked order that an earlier version of the module has written: once, so that nobody reads all of it again. */
export async function makeSums(manager: EntityManager, order: OrderEntity): Promise<void> {
  if (isSummed(order)) return;
  const payments = await manager.findBy(PaymentEntity, { orderId: order.id });
  const sums = { ...sumsOf(payments), summedVersion: order.version };
  await manager.update(OrderEntity, order.id, sums);
  Object.assign(order, sums);
}
