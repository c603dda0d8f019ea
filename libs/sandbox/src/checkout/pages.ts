import { formatMinor } from '../money.js';
import type { Payment } from '../payments/payment.js';
import { wireNames, type MethodType } from '../wire-names.js';
import { cardFields, testCardTable } from './card-fields.js';
import type { CardErrors } from './card-form.js';
import { html, type Html } from './html.js';
import { style } from './style.js';

/** What the page has to say after a try. */
export interface TryResult {
  readonly method: MethodType;
  /** Shown above the form. */
  readonly alert: string | null;
  readonly errors: CardErrors;
}

const failureTexts: Readonly<Record<string, string>> = {
  insufficient_funds: 'There is not enough money on this card.',
  call_issuer: 'The bank refused the payment: call the bank, or try another card.',
  card_expired: 'This card has expired.',
  fraud_suspected: 'The bank took this payment for fraud.',
  payment_method_limit_exceeded: 'This amount is beyond the limits of a bank card.',
};

/** Words for the reason a try failed. */
export function failureText(reason: string): string {
  return `${failureTexts[reason] ?? 'The bank refused the payment.'} You can try again.`;
}

/** The page on which the buyer pays. */
export function paymentPage(payment: Payment, result: TryResult | null): Html {
  const offered: readonly MethodType[] =
    payment.methodFixed && payment.method ? [payment.method.type] : ['bank_card', 'wallet'];
  const chosen = result?.method ?? offered[0] ?? 'bank_card';
  return layout(
    'Payment',
    payment,
    html`
      ${result?.alert ? html`<p class="alert" id="payment-error" data-testid="payment-error" role="alert">${result.alert}</p>` : null}
      <form
        method="post"
        action="/checkout/${payment.id}/pay"
        id="pay-form"
        data-testid="pay-form"
        novalidate
      >
        <fieldset>
          <legend>Pay by</legend>
          ${offered.map((type) => methodChoice(type, type === chosen))}
        </fieldset>
        ${offered.includes('bank_card') ? cardFields(result?.errors ?? {}) : null}
        <button type="submit" id="pay" data-testid="pay">Pay ${roubles(payment.amountMinor)}</button>
      </form>
      <form method="post" action="/checkout/${payment.id}/cancel" id="give-up-form">
        <button type="submit" class="quiet" id="give-up" data-testid="give-up">Refuse to pay</button>
      </form>
      <p class="aside">
        <a href="${payment.returnUrl}" id="back" data-testid="back">Back to the shop</a>, deciding nothing yet
      </p>
      ${offered.includes('bank_card') ? testCardTable() : null}
    `,
  );
}

/** The page of a payment on which nothing is left to do. */
export function finishedPage(payment: Payment): Html {
  const text =
    payment.status === 'canceled' ? 'This payment was canceled.' : 'This payment is made. Thank you.';
  return layout(
    'Payment finished',
    payment,
    html`
      <p class="status" id="payment-status" data-testid="payment-status" data-status="${payment.status}">
        ${text}
      </p>
      <p><a class="button" href="${payment.returnUrl}" id="back" data-testid="back">Back to the shop</a></p>
    `,
  );
}

export function unknownPage(): Html {
  return page(
    'No such payment',
    html`<h1>No such payment</h1>
      <p>Check the address, or go back to the shop.</p>`,
  );
}

function layout(title: string, payment: Payment, content: Html): Html {
  return page(
    title,
    html`
      <p class="badge">Sandbox: no money moves</p>
      <h1 id="amount" data-testid="amount">${roubles(payment.amountMinor)}</h1>
      ${payment.description === null ? null : html`<p id="description" data-testid="description">${payment.description}</p>`}
      ${content}
    `,
  );
}

function page(title: string, content: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>
          ${style}
        </style>
      </head>
      <body>
        <main>${content}</main>
      </body>
    </html> `;
}

function methodChoice(type: MethodType, checked: boolean): Html {
  const name = wireNames.methodTypes[type];
  const label = type === 'bank_card' ? 'Bank card' : 'E-wallet';
  return html`<label class="choice">
    <input
      type="radio"
      name="method"
      value="${name}"
      id="method-${type}"
      data-testid="method-${type}"
      ${checked ? html`checked` : null}
    />
    ${label}
  </label>`;
}

/** 123450 as `1 234,50 ₽`, its spaces unbreakable. */
function roubles(minor: number): string {
  const [whole = '', fraction = ''] = formatMinor(minor).split('.');
  return `${whole.replace(/\B(?=(\d{3})+$)/g, '\u00a0')},${fraction}\u00a0₽`;
}
