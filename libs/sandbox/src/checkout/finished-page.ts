import { html } from '../pages/html.js';
import { page, type Page } from '../pages/page.js';
import { sheetStyle } from '../pages/sheet-style.js';
import { momentText } from '../pages/spans.js';
import type { Payment } from '../payments/payment.js';
import { barePage, checkoutPage, type Visit } from './checkout-layout.js';
import { frameScript } from './frame.text.js';
import { inFrame, outcome, tokenError } from './in-frame.js';

/** The page of a payment on which nothing is left to do. */
export function finishedPage(visit: Visit): Page {
  const { payment } = visit;
  const text = words(payment);
  return checkoutPage(
    'Payment finished',
    visit,
    html`
      <p id="payment-status" data-testid="payment-status" data-status="${payment.status}">${text}</p>
      ${payment.confirmation === 'embedded' ? outcome(payment.status === 'canceled' ? 'fail' : 'success') : null}
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

export function unknownPage(): Page {
  return barePage('No such payment', noPayment);
}

/** The same in the widget, which is told. */
export function unknownTokenPage(token: string): Page {
  return page(
    'No such payment',
    sheetStyle,
    html`<main ${inFrame(token)}>${noPayment}${tokenError()}</main>`,
    [frameScript],
  );
}

const noPayment = html`<h1>No such payment</h1>
  <p>Check the address, or go back to the shop.</p>`;
