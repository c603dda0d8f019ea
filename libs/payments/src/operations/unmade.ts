import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';

/**
 * Payments of an order's part that came to nothing, and under whose key none is known: where the service has used the key for
 * another one, that one is forgotten.
 */
export function unmadeOf<
  Known extends Pick<PaymentsPaymentEntity, 'part' | 'status' | 'serviceId' | 'intentKey'>,
>(part: string, payments: readonly Known[]): Known[] {
  return payments.filter(
    (payment) =>
      payment.part === part &&
      payment.status === 'rejected' &&
      !payments.some(({ serviceId, intentKey }) => serviceId !== null && intentKey === payment.intentKey),
  );
}
