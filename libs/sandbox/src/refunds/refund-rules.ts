import type { Payment } from '../payments/payment.js';
import { rulesOf } from '../stores/store.js';
import { invalidRequest, type ServiceError } from '../wire/service-error.js';
import type { RefundRequest } from './refund.js';

/** Why this much of the payment cannot be refunded now; null if it can. `pendingMinor`: pending refunds. */
export function refundRefusal(
  payment: Payment,
  { amountMinor, methodData }: Pick<RefundRequest, 'amountMinor' | 'methodData'>,
  pendingMinor: number,
  at: Date,
): ServiceError | null {
  if (payment.status !== 'succeeded' || !payment.capturedAt) {
    return invalidRequest('Payment can not be refunded in current status', 'payment_id');
  }
  // Assumed: the time begins with the money's arrival.
  const refundable = payment.method && rulesOf(payment.store, payment.method.type).refundableUntil;
  if (!refundable) return invalidRequest('Payments by this method can not be refunded', 'payment_id');
  if (at > refundable(payment.capturedAt))
    return invalidRequest('Payment is too old to be refunded', 'payment_id');
  if (methodData && payment.method?.type !== 'electronic_certificate')
    return invalidRequest('Goes with an electronic certificate only', 'refund_method_data');
  const leftMinor = payment.amountMinor - payment.refundedMinor;
  if (leftMinor === 0) return invalidRequest('Payment is already completely refunded', 'payment_id');
  const freeMinor = leftMinor - pendingMinor;
  return freeMinor === 0 || amountMinor > freeMinor ? invalidRequest('Refund sum exceeded', 'amount') : null;
}
