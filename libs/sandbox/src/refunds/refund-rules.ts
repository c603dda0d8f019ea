import { invalidRequest, type ServiceError } from '../api/service-error.js';
import type { Payment } from '../payments/payment.js';

/** How long after the payment money can be refunded (assumed). */
const REFUND_TERM_YEARS = 3;

/** Why this much of the payment cannot be refunded now; null if it can. `pendingMinor`: pending refunds. */
export function refundRefusal(
  payment: Payment,
  amountMinor: number,
  pendingMinor: number,
  at: Date,
): ServiceError | null {
  if (payment.status !== 'succeeded' || !payment.capturedAt) {
    return invalidRequest('Payment can not be refunded in current status', 'payment_id');
  }
  const until = new Date(payment.capturedAt);
  until.setUTCFullYear(until.getUTCFullYear() + REFUND_TERM_YEARS);
  if (at > until) return invalidRequest(`Payment is older than ${REFUND_TERM_YEARS} years`, 'payment_id');
  const leftMinor = payment.amountMinor - payment.refundedMinor;
  if (leftMinor === 0) return invalidRequest('Payment is already completely refunded', 'payment_id');
  const freeMinor = leftMinor - pendingMinor;
  return freeMinor === 0 || amountMinor > freeMinor ? invalidRequest('Refund sum exceeded', 'amount') : null;
}
