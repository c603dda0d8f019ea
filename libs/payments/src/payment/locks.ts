import type { EntityManager } from 'typeorm';
import type { Database } from '../database/database.js';
import { PaymentNotFoundError } from '../payments.errors.js';
import { OrderEntity } from './order.entity.js';
import { PaymentEntity } from './payment.entity.js';

/** An order and one of its payments, both locked until the transaction ends. */
export interface LockedPayment {
  readonly order: OrderEntity;
  readonly payment: PaymentEntity;
}

/**
 * Locks a payment in the one order that every transaction keeps (order → payment → refund → operation → due), so that no two
 * can deadlock. The order's version is raised with its lock, so that no write of what was read before goes through after it.
 * @throws PaymentNotFoundError
 */
export async function lockPayment(
  manager: EntityManager,
  database: Database,
  paymentId: string,
): Promise<LockedPayment> {
  const [[row]] = await manager.query<[Record<string, unknown>[], number]>(
    `UPDATE ${database.table(OrderEntity)} locked SET version = version + 1
     WHERE id = (SELECT order_id FROM ${database.table(PaymentEntity)} WHERE id = $1)
     RETURNING ${database.columns(OrderEntity, 'locked')}`,
    [paymentId],
  );
  if (!row) throw new PaymentNotFoundError(paymentId);
  const order = database.hydrate(OrderEntity, 'locked', row);
  const payment = await manager.findOneOrFail(PaymentEntity, {
    where: { id: paymentId },
    lock: { mode: 'for_no_key_update' },
  });
  return { order, payment };
}
