import { In, type EntityManager } from 'typeorm';
import { isRecord } from '../common/is-record.js';
import { OperationEntity } from '../schema/operation.entity.js';
import type { PaymentEntity } from '../schema/payment.entity.js';

/** What the create of a payment said of its buyer. */
export interface NamedBuyer {
  /** The host's own name for the buyer, `merchantCustomerId`; null: it said none. */
  readonly buyer: string | null;
  /** The database had forgotten the create: this is what the service's object says. */
  readonly isFound: boolean;
}

/** What the creates of these payments said of their buyers, by the payment's id. */
export async function namedBuyers(
  manager: EntityManager,
  payments: readonly Pick<PaymentEntity, 'id'>[],
): Promise<ReadonlyMap<string, NamedBuyer>> {
  if (payments.length === 0) return new Map();
  const creates = await manager.find(OperationEntity, {
    select: { paymentId: true, body: true, firstSentAt: true },
    where: { paymentId: In(payments.map(({ id }) => id)), kind: 'create' },
  });
  return new Map(
    creates.map(({ paymentId, body, firstSentAt }) => [
      paymentId,
      // Every other create is recorded as sent.
      { buyer: buyerOfBody(body), isFound: firstSentAt === null },
    ]),
  );
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
