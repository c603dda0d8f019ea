import type { WireConfirmation } from '../methods/confirmation.js';
import { isUndecided, type Payment } from './payment.js';

/** null: the buyer has nothing to do, or not any more. `url`: the sandbox's own address. */
export function confirmationView(payment: Payment, url: string): WireConfirmation | null {
  const { confirmation: type, returnUrl, confirmationToken } = payment;
  if (type === null || !isUndecided(payment)) return null;
  const back = returnUrl === null ? {} : { return_url: returnUrl };
  const page = `${url}/checkout/${payment.id}`;
  if (type === 'embedded') return { type, confirmation_token: confirmationToken };
  if (type === 'external') return { type };
  // With the card data given, only 3-D Secure is left for the buyer to do.
  if (type === 'redirect')
    return { type, ...back, confirmation_url: payment.method?.card ? `${page}/3ds` : page };
  // Assumed: where the service has addresses of banks' applications, these are pages of the sandbox.
  const app = `${page}/${appOf(payment)}`;
  return { type, ...back, ...(type === 'qr' ? { confirmation_data: app } : { confirmation_url: app }) };
}

/** The page that stands for the application on the buyer's phone. */
function appOf({ method }: Payment): string {
  return method?.type === 'sbp' ? 'sbp-bank' : 'bank-app';
}
