import { html, type Html } from '../pages/html.js';
import { momentText } from '../pages/spans.js';
import type { Payment } from '../payments/payment.js';
import { barePage, checkoutPage } from './checkout-layout.js';
import { outcome } from './outcome-script.js';

/** The page of a payment on which nothing is left to do. */
export function finishedPage(payment: Payment): Html {
  const text = words(payment);
  return checkoutPage(
    'Payment finished',
    payment,
    html`
      <p class="status" id="payment-status" data-testid="payment-status" data-status="${payment.status}">
        ${text}
      </p>
      ${payment.confirmation === 'embedded' ? outcome(payment.confirmationToken, payment.status === 'canceled' ? 'fail' : 'success') : null}
      ${payment.returnUrl === null ? null : html`<p><a class="button" href="${payment.returnUrl}" id="back" data-testid="back">Back to the shop</a></p>`}
    `,
  );
}

function words({ status, suspended }: Payment): string {
  if (status === 'canceled') return 'This payment was canceled.';
  if (suspended) return `The credit is granted, and pays on ${momentText(suspended.until)} UTC.`;
  return status === 'pending'
    ? 'This payment is made, and waits for its receipt.'
    : 'This payment is made. Thank you.';
}

/** `more`: for whoever shows the page. */
export function unknownPage(more: Html | null = null): Html {
  return barePage(
    'No such payment',
    html`<h1>No such payment</h1>
      <p>Check the address, or go back to the shop.</p>
      ${more}`,
  );
}
