import type { Form } from '../pages/form-fields.js';
import { html, type Html } from '../pages/html.js';
import type { Page } from '../pages/page.js';
import type { Payment } from '../payments/payment.js';
import { checkoutPage, otherWays, wayOut, type Visit } from './checkout-layout.js';

/** A button of an application, with its result. */
export interface PhoneAnswer {
  readonly value: string;
  readonly label: string;
  /** null: it pays; otherwise the reason it fails with. */
  readonly failure: string | null;
}

/** An app on the buyer's phone that pays after a tap. */
export interface PhoneApp {
  /** The last part of its page's address. */
  readonly path: string;
  readonly name: string;
  /** Default: that the app has been opened. */
  readonly says?: (payment: Payment) => Html;
  readonly answers: readonly PhoneAnswer[];
}

const usualAnswers: readonly PhoneAnswer[] = [
  { value: 'confirm', label: 'Confirm', failure: null },
  { value: 'refuse', label: 'Refuse', failure: 'general_decline' },
  { value: 'no-money', label: 'Not enough money', failure: 'insufficient_funds' },
];

export const bankApp: PhoneApp = { path: 'bank-app', name: 'bank application', answers: usualAnswers };
export const cardApp: PhoneApp = { path: 'card-app', name: 'card app', answers: usualAnswers };
export const sbpBank: PhoneApp = { path: 'sbp-bank', name: "bank's application", answers: usualAnswers };
export const tPay: PhoneApp = { path: 't-pay', name: 'T-Bank application', answers: usualAnswers };
export const alfaPay: PhoneApp = { path: 'alfa-pay', name: 'Alfa-Bank application', answers: usualAnswers };
export const business: PhoneApp = {
  path: 'business',
  name: 'SberBank Business',
  says: ({ method }) => {
    const purpose = method?.details['payment_purpose'];
    return html`<p>
      To be signed by the company: <strong>${typeof purpose === 'string' ? purpose : ''}</strong>
    </p>`;
  },
  answers: [
    { value: 'confirm', label: 'Sign', failure: null },
    { value: 'refuse', label: 'Refuse', failure: 'general_decline' },
    { value: 'no-money', label: 'Not enough money', failure: 'insufficient_funds' },
  ],
};
export const mobileBalance: PhoneApp = {
  path: 'mobile-balance',
  name: 'balance of the phone',
  says: () =>
    html`<p>The operator asks by a message whether to pay. In the sandbox the answers are here.</p>`,
  answers: [
    ...usualAnswers,
    { value: 'operator', label: 'Another operator', failure: 'unsupported_mobile_operator' },
  ],
};
export const certificate: PhoneApp = {
  path: 'certificate',
  name: 'electronic certificate',
  says: () => html`<p>The certificate covers this purchase.</p>`,
  answers: usualAnswers,
};

/** The answer that the form has; undefined if the page has none such. */
export function answerOf({ answers }: PhoneApp, { answer }: Form): PhoneAnswer | undefined {
  return answers.find(({ value }) => value === answer);
}

/** The page that waits for the app, with the phone's buttons on it. */
export function phonePage(visit: Visit, { path, name, says, answers }: PhoneApp): Page {
  const { payment } = visit;
  return checkoutPage(
    `Pay with the ${name}`,
    visit,
    html`
      <section class="bank">
        <h2>Confirm on your phone</h2>
        ${says ? says(payment) : html`<p>The ${name} has been opened. In the sandbox its buttons are here.</p>`}
        <form method="post" action="/checkout/${payment.id}/${path}" id="${path}-form">
          ${answers.map(
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
      ${otherWays(visit)} ${wayOut(visit)}
    `,
  );
}
