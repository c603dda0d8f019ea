import type { WirePayment } from '../payments/payment-view.js';
import { PAYMENT_TERM_MS } from '../payments/transitions.js';

/** When the payment's term or hold runs out by itself; null if nothing can any more. */
export function paymentEndsAt({ status, created_at, expires_at }: WirePayment): Date | null {
  if (status === 'pending') return new Date(Date.parse(created_at) + PAYMENT_TERM_MS);
  return expires_at === undefined ? null : new Date(expires_at);
}
