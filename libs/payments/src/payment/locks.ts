import type { EntityManager } from 'typeorm';
import { PaymentNotFoundError } from '../payments.errors.js';
import { OrderEntity } from './order.entity.js';
import { PaymentEntity } from './payment.entity.js';

/** An order and one of its payments, both locked until the transaction ends. */
export interface LockedPayment {
  readonly order: OrderEntity;
  readonly payment: PaymentEntity;
}

/**
 * Locks a payment in the one order that every transaction keeps (order → payment → operation), so that no two can
 * deadlock. NO KEY: rows that only refer to these may be inserted meanwhile.
 * @throws PaymentNotFoundError
 */
export async function lockPayment(manager: EntityManager, paymentId: string): Promise<LockedPayment> {
  const found = await manager.findOne(PaymentEntity, {
    where: { id: paymentId },
    select: { id: true, orderId: true },
  });
  if (!found) throw new PaymentNotFoundError(paymentId);
  const lock = { mode: 'for_no_key_update' } as const;
  const order = await manager.findOneOrFail(OrderEntity, { where: { id: found.orderId }, lock });
  const payment = await manager.findOneOrFail(PaymentEntity, { where: { id: paymentId }, lock });
  return { order, payment };
}
