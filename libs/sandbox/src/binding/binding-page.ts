import { cardFields } from '../checkout/card-fields.js';
import type { CardErrors } from '../checkout/card-form.js';
import { cardScript } from '../checkout/card.text.js';
import { barePage } from '../checkout/checkout-layout.js';
import { testCardChoice } from '../checkout/test-card-table.js';
import type { SavedMethod } from '../objects/saved-method.js';
import { html, type Html } from '../pages/html.js';
import type { Page } from '../pages/page.js';
import { qrSvg } from '../pages/qr-svg.js';
import { waitingScreen } from '../pages/waiting-screen.js';
import { waitingScript } from '../pages/waiting.text.js';

/** What was wrong with the card. */
export interface CardFault {
  readonly errors: CardErrors;
  /** Why its bank refused. */
  readonly alert: string | null;
}

/** The buyer types the card that the shop may charge again. */
export function cardBindingPage({ id }: SavedMethod, fault: CardFault | null, now: Date): Page {
  return barePage(
    'Save a card',
    html`<p class="badge">Sandbox: no money moves</p>
      <h1>Save a card</h1>
      <p>The shop may charge it again, without asking.</p>
      ${fault?.alert ? html`<p class="alert" role="alert" data-testid="binding-error">${fault.alert}</p>` : null}
      <form method="post" action="/binding/${id}" id="binding-form" novalidate>
        ${cardFields(fault?.errors ?? {}, null)}
        <button type="submit" id="confirm" data-testid="confirm">Save</button>
      </form>
      ${testCardChoice(now)} ${refuseForm(id)}`,
    [cardScript],
  );
}

/** The code that leads the buyer to their bank. */
export function accountBindingPage({ id }: SavedMethod, address: string, looks: string | undefined): Page {
  return barePage(
    'Save an account',
    html`${waitingScreen(looks)}
      <p class="badge">Sandbox: no money moves</p>
      <h1>Save an account for SBP</h1>
      <section class="bank">
        <h2>Confirm in the application of your bank</h2>
        <p>The shop may charge the account again, without asking.</p>
        ${qrSvg(address, 'qr-code')}
        <p>
          <a class="button" href="${address}" id="open-app" data-testid="open-app"
            >Open the bank's application</a
          >
        </p>
      </section>
      ${refuseForm(id)}`,
    [waitingScript],
  );
}

/** The bank's own page. */
export function bankPage({ id }: SavedMethod): Page {
  return barePage(
    "The bank's application",
    html`<p class="badge">Sandbox: no money moves</p>
      <h1>Let the shop charge your account?</h1>
      <form method="post" action="/binding/${id}/bank" id="bank-form">
        <button type="submit" id="confirm" data-testid="confirm">Allow</button>
      </form>
      ${refuseForm(id)}`,
  );
}

/** Nothing is left to do here. */
export function boundPage({ status, request }: SavedMethod): Page {
  const text = status === 'active' ? 'It is saved. Thank you.' : 'It was not saved.';
  const back = request?.returnUrl ?? null;
  return barePage(
    'Saving a payment method',
    html`<p data-testid="binding-status" data-status="${status}">${text}</p>
      ${back === null ? null : html`<p><a class="button" href="${back}" id="back" data-testid="back">Back to the shop</a></p>`}`,
  );
}

export function unknownBindingPage(): Page {
  return barePage('No such payment method', html`<h1>No such payment method</h1>`);
}

function refuseForm(id: string): Html {
  return html`<form method="post" action="/binding/${id}/refuse" id="refuse-form">
    <button type="submit" class="quiet" id="refuse" data-testid="refuse">Refuse</button>
  </form>`;
}
