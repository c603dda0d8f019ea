import { html, type Html } from '../pages/html.js';
import type { Page } from '../pages/page.js';
import type { Offer, Way } from '../payments/ways.js';
import { cardFields } from './card-fields.js';
import type { CardErrors } from './card-form.js';
import { cardScript } from './card.text.js';
import { alert, checkoutPage, paymentAmount, wayOut, type Visit } from './checkout-layout.js';
import { failureText } from './failure-texts.js';
import { saveChoice } from './save-choice.js';
import { testCardChoice } from './test-card-table.js';
import { wayName } from './way-names.js';

/** The message after invalid input. */
export interface Complaint {
  readonly way: Way | null;
  /** Shown above the form. */
  readonly alert: string | null;
  readonly errors: CardErrors;
}

/** The page on which the buyer chooses how to pay, and types the card; it says why the last try failed. */
export function paymentPage(visit: Visit, offer: Offer, complaint: Complaint | null): Page {
  const { payment, now } = visit;
  const takesCards = offer.ways.includes('bank_card');
  const chosen = complaint?.way ?? offer.ways[0];
  const failure = payment.lastFailure === null ? null : failureText(payment.lastFailure);
  return checkoutPage(
    'Payment',
    visit,
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
        ${takesCards ? cardFields(complaint?.errors ?? {}, saveChoice(payment)) : null}
        <button type="submit" id="pay" data-testid="pay">Pay ${paymentAmount(payment)}</button>
      </form>
      ${offer.cardApp ? cardAppButton(payment.id) : null} ${takesCards ? testCardChoice(now) : null}
      ${wayOut(visit)}
    `,
    takesCards ? [cardScript] : [],
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

function cardAppButton(id: string): Html {
  return html`<p class="or">or</p>
    <a class="button quiet" href="/checkout/${id}/card-app" id="card-app" data-testid="card-app"
      >Pay with the phone's card app</a
    >`;
}
