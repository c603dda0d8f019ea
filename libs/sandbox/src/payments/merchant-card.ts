import type { Payment } from './payment.js';

/** True where the card data was entered on the merchant's side, so that only 3-D Secure is left to do (section 1.6). */
export function merchantSentCard({ method }: Payment): boolean {
  return method !== null && method.card !== null;
}
