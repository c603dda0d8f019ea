import { html, type Html } from '../pages/html.js';
import type { Payment } from '../payments/payment.js';
import { checkoutPage, otherWays, wayOut } from './checkout-layout.js';

/** An app on the buyer's phone that pays after a tap. */
export interface PhoneApp {
  /** The last part of its page's address. */
  readonly path: string;
  readonly name: string;
}

export const bankApp: PhoneApp = { path: 'bank-app', name: 'bank application' };
export const cardApp: PhoneApp = { path: 'card-app', name: 'card app' };

/** The possible answers: the value of the button and, if it fails, the reason. */
export const phoneAnswers = [
  { value: 'confirm', label: 'Confirm', failure: null },
  { value: 'refuse', label: 'Refuse', failure: 'general_decline' },
  { value: 'no-money', label: 'Not enough money', failure: 'insufficient_funds' },
] as const;

/** The page that waits for the app, with the phone's buttons on it. */
export function phonePage(payment: Payment, { path, name }: PhoneApp): Html {
  return checkoutPage(
    `Pay with the ${name}`,
    payment,
    html`
      <section class="bank">
        <h2>Confirm on your phone</h2>
        <p>The ${name} has been opened. In the sandbox its buttons are here.</p>
        <form method="post" action="/checkout/${payment.id}/${path}" id="${path}-form">
          ${phoneAnswers.map(
            ({ value, label }) =>
              html`<button
                type="submit"
                name="answer"
                value="${value}"
                ${value === 'confirm' ? null : html`class="quiet"`}
                id="${value}"
                data-testid="${value}"
              >
                ${label}
              </button>`,
          )}
        </form>
      </section>
      ${otherWays(payment)} ${wayOut(payment)}
    `,
  );
}
