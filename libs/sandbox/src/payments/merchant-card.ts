import type { Payment } from './payment.js';

/** True if the card data was entered on the merchant's side, so that only 3-D Secure is left to do. */
export function merchantSentCard({ method }: Payment): boolean {
  return method !== null && method.card !== null;
}
