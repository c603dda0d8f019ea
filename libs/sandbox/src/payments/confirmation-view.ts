import type { ConfirmationType } from './confirmation.js';
import type { Payment } from './payment.js';

/** What the buyer still has to do, in an answer. */
export interface WireConfirmation {
  readonly type: ConfirmationType;
  readonly return_url?: string;
  /** Of `redirect` and `mobile_application`. */
  readonly confirmation_url?: string;
  /** Of `embedded`. */
  readonly confirmation_token?: string;
  /** Of `qr`: the text of the code. */
  readonly confirmation_data?: string;
}

/** null: the buyer has nothing to do, or not any more. `url`: the sandbox's own address. */
export function confirmationView(payment: Payment, url: string): WireConfirmation | null {
  const { confirmation: type, returnUrl, confirmationToken } = payment;
  if (type === null || payment.status !== 'pending' || payment.awaited || payment.suspended) return null;
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
