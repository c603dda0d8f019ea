import type { ServicePayment } from '../api/service-payment.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';

/**
 * What the buyer is to pay of the intent: all of it, but for a credit by instalments (`sber_loan`), of which the service takes a
 * discount off that the shop grants.
 */
export function agreedMinor(
  intentMinor: number,
  { method, discountMinor }: Pick<ServicePayment, 'method' | 'discountMinor'>,
): number {
  const isDiscounted = method === 'sber_loan' && discountMinor !== null && discountMinor < intentMinor;
  return isDiscounted ? intentMinor - discountMinor : intentMinor;
}

type Sums = Pick<
  PaymentsPaymentEntity,
  'status' | 'amountMinor' | 'authorizedMinor' | 'capturedMinor' | 'refundedMinor'
>;

/** The discount in a payment that is held or paid: it counts towards the order, until all of its money is returned. */
export function discountOf({
  status,
  amountMinor,
  authorizedMinor,
  capturedMinor,
  refundedMinor,
}: Sums): number {
  const counts =
    status === 'waiting_for_capture' || (status === 'succeeded' && capturedMinor > refundedMinor);
  return counts ? amountMinor - authorizedMinor : 0;
}
