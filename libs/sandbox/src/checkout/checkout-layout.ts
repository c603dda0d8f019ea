import { formatMinor } from '../common/money.js';
import { html, type Html } from '../pages/html.js';
import { page } from '../pages/page.js';
import { roubles } from '../pages/roubles.js';
import { sheetStyle } from '../pages/sheet-style.js';
import type { Payment } from '../payments/payment.js';

/** A page about one payment: what is paid for and how much, then what can be done. */
export function checkoutPage(title: string, payment: Payment, content: Html): Html {
  return page(
    title,
    sheetStyle,
    html`<main>
      <p class="badge">Sandbox: no money moves</p>
      <h1 id="amount" data-testid="amount">${paymentAmount(payment)}</h1>
      ${payment.description === null ? null : html`<p id="description" data-testid="description">${payment.description}</p>`}
      ${content}
    </main>`,
  );
}

/** A page about no payment. */
export function barePage(title: string, content: Html): Html {
  return page(title, sheetStyle, html`<main>${content}</main>`);
}

export function paymentAmount({ amountMinor }: Payment): string {
  return roubles(formatMinor(amountMinor));
}

/** Says why the last try failed. */
export function alert(text: string | null): Html | null {
  if (text === null) return null;
  return html`<p class="alert" id="payment-error" data-testid="payment-error" role="alert">${text}</p>`;
}

/** The ways to leave any page on which the buyer still has to decide. */
export function wayOut(payment: Payment): Html {
  return html`<form method="post" action="/checkout/${payment.id}/cancel" id="give-up-form">
      <button type="submit" class="quiet" id="give-up" data-testid="give-up">Refuse to pay</button>
    </form>
    ${backUndecided(payment)}`;
}

/** Back to the shop while the payment stays as it is. */
export function backUndecided({ returnUrl }: Payment): Html | null {
  if (returnUrl === null) return null;
  return html`<p class="aside">
    <a href="${returnUrl}" id="back" data-testid="back">Back to the shop</a>, deciding nothing yet
  </p>`;
}

/** Back from the page of one way to the choice of ways. */
export function otherWays({ id }: Payment): Html {
  return html`<p class="aside">
    <a href="/checkout/${id}" id="other-ways" data-testid="other-ways">Pay another way</a>
  </p>`;
}
