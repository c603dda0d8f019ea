import { derivedId, derivedKey } from '../common/derived.js';
import type { PaymentsOrderEntity } from '../schema/order.entity.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';

/**
 * The key of a payment's intent: the same again when a database that has forgotten the payment is asked for the same thing. It is
 * the idempotence key of the create, and all that belongs to the payment is named after it. The store's row id is made once for a
 * database, so that two of them never share a key.
 */
export function intentKeyOf(
  storeId: string,
  { reference }: Pick<PaymentsOrderEntity, 'reference'>,
  { part, tryNumber }: Pick<PaymentsPaymentEntity, 'part' | 'tryNumber'>,
): string {
  return derivedKey(storeId, 'payment', reference, part, tryNumber);
}

/** Which try of its order's part the next payment is. */
export function nextTry(
  part: string,
  payments: readonly Pick<PaymentsPaymentEntity, 'part' | 'tryNumber'>[],
): number {
  const earlier = payments.filter((payment) => payment.part === part).map(({ tryNumber }) => tryNumber);
  return 1 + Math.max(0, ...earlier);
}

/** The id of a refund of ours: the same again under the same key of its caller. */
export function refundIdOf(
  { intentKey }: Pick<PaymentsPaymentEntity, 'intentKey'>,
  refundKey: string,
): string {
  return derivedId(intentKey, 'refund', refundKey);
}

/** Likewise of one that was made elsewhere, by the service's id: what its event has led to is named after it. */
export function foreignRefundIdOf(
  { intentKey }: Pick<PaymentsPaymentEntity, 'intentKey'>,
  serviceId: string,
): string {
  return derivedId(intentKey, 'foreign refund', serviceId);
}

/** Likewise of a receipt that is sent by itself. */
export function receiptIdOf(
  { intentKey }: Pick<PaymentsPaymentEntity, 'intentKey'>,
  receiptKey: string,
  refundId: string | null,
): string {
  return derivedId(intentKey, 'receipt', receiptKey, refundId);
}
