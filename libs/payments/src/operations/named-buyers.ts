import { In, type EntityManager } from 'typeorm';
import { isRecord } from '../common/is-record.js';
import { PaymentsOperationEntity } from '../schema/operation.entity.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';

/**
 * Whom the creates of these payments named as `merchantCustomerId`, by the payment's id; null: nobody, as a create that was forgotten and
 * recorded again.
 */
export async function namedBuyers(
  manager: EntityManager,
  payments: readonly Pick<PaymentsPaymentEntity, 'id'>[],
): Promise<ReadonlyMap<string, string | null>> {
  if (payments.length === 0) return new Map();
  const creates = await manager.find(PaymentsOperationEntity, {
    select: { paymentId: true, body: true },
    where: { paymentId: In(payments.map(({ id }) => id)), kind: 'create' },
  });
  return new Map(creates.map(({ paymentId, body }) => [paymentId, buyerOfBody(body)]));
}

/** The buyer that a request or an object of the service names; null: none. */
export function buyerIn(said: unknown): string | null {
  const buyer = isRecord(said) ? said['merchant_customer_id'] : null;
  return typeof buyer === 'string' ? buyer : null;
}

/** Likewise of a recorded body. */
export function buyerOfBody(body: string): string | null {
  return buyerIn(JSON.parse(body));
}

/** Of who is not named, nothing says that it is another. */
export function isAnotherBuyer(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && one !== other;
}
