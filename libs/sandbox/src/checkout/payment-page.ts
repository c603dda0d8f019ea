import { html, type Html } from '../pages/html.js';
import type { Payment } from '../payments/payment.js';
import type { Offer, Way } from '../payments/ways.js';
import { cardFields } from './card-fields.js';
import type { CardErrors } from './card-form.js';
import { alert, checkoutPage, paymentAmount, wayOut } from './checkout-layout.js';
import { failureText } from './failure-texts.js';
import { saveChoice } from './save-choice.js';
import { testCardTable } from './test-card-table.js';
import { wayName } from './way-names.js';

/** The message after invalid input. */
export interface Complaint {
  readonly way: Way | null;
  /** Shown above the form. */
  readonly alert: string | null;
  readonly errors: CardErrors;
}

/** The page on which the buyer chooses how to pay, and types the card; it says why the last try failed. */
export function paymentPage(payment: Payment, offer: Offer, complaint: Complaint | null): Html {
  const chosen = complaint?.way ?? offer.ways[0];
  const failure = payment.lastFailure === null ? null : failureText(payment.lastFailure);
  return checkoutPage(
    'Payment',
    payment,
    html`
      ${alert(complaint ? complaint.alert : failure)}
      <form
        method="post"
        action="/checkout/${payment.id}/pay"
        id="pay-form"
        data-testid="pay-form"
        novalidate
      >
        <fieldset>
          <legend>Pay by</legend>
          ${offer.ways.map((way) => wayChoice(way, wayName(way, payment.store), way === chosen))}
        </fieldset>
        ${offer.ways.includes('bank_card') ? cardFields(complaint?.errors ?? {}, saveChoice(payment)) : null}
        <button type="submit" id="pay" data-testid="pay">Pay ${paymentAmount(payment)}</button>
      </form>
      ${offer.cardApp ? cardAppButton(payment) : null} ${wayOut(payment)}
      ${offer.ways.includes('bank_card') ? testCardTable() : null}
    `,
  );
}

function wayChoice(way: Way, name: string, checked: boolean): Html {
  return html`<label class="choice">
    <input
      type="radio"
      name="method"
      value="${way}"
      id="method-${way}"
      data-testid="method-${way}"
      ${checked ? html`checked` : null}
    />
    ${name}
  </label>`;
}

function cardAppButton({ id }: Payment): Html {
  return html`<p class="or">or</p>
    <a class="button quiet" href="/checkout/${id}/card-app" id="card-app" data-testid="card-app"
      >Pay with the phone's card app</a
    >`;
}
