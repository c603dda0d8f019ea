import { html, type Html } from '../pages/html.js';
import type { Payment } from '../payments/payment.js';
import { barePage, checkoutPage } from './checkout-layout.js';

/** The page of a payment on which nothing is left to do. */
export function finishedPage(payment: Payment): Html {
  const text =
    payment.status === 'canceled' ? 'This payment was canceled.' : 'This payment is made. Thank you.';
  return checkoutPage(
    'Payment finished',
    payment,
    html`
      <p class="status" id="payment-status" data-testid="payment-status" data-status="${payment.status}">
        ${text}
      </p>
      ${payment.returnUrl === null ? null : html`<p><a class="button" href="${payment.returnUrl}" id="back" data-testid="back">Back to the shop</a></p>`}
    `,
  );
}

export function unknownPage(): Html {
  return barePage(
    'No such payment',
    html`<h1>No such payment</h1>
      <p>Check the address, or go back to the shop.</p>`,
  );
}
