import { formatMinor } from '../common/money.js';
import { html, type Html } from '../pages/html.js';
import { page, type Page, type Theme } from '../pages/page.js';
import { roubles } from '../pages/roubles.js';
import { sheetStyle } from '../pages/sheet-style.js';
import { spanText } from '../pages/spans.js';
import type { Payment } from '../payments/payment.js';
import { endsAt } from '../payments/transitions.js';
import { frameScript } from './frame.text.js';
import { inFrame } from './in-frame.js';

/** A buyer on a page about their payment. */
export interface Visit {
  readonly payment: Payment;
  /** By the sandbox's clock. */
  readonly now: Date;
  /** What the page of the shop around it asked for; null: nothing. */
  readonly theme: Theme | null;
}

/** A page about one payment: whose, what for and how much, then what can be done. */
export function checkoutPage(
  title: string,
  { payment, now, theme }: Visit,
  content: Html,
  scripts: readonly string[] = [],
): Page {
  const isFramed = payment.confirmation === 'embedded';
  return {
    ...page(
      title,
      sheetStyle,
      html`<main ${isFramed ? inFrame(payment.confirmationToken) : null}>
        <header class="order">
          <p class="shop" id="shop" data-testid="shop">${payment.store.name}</p>
          <p class="badge">Sandbox: no money moves</p>
          <h1 id="amount" data-testid="amount">${paymentAmount(payment)}</h1>
          ${payment.description === null ? null : html`<p id="description" data-testid="description">${payment.description}</p>`}
          ${timeLeft(payment, now)}
        </header>
        ${content}
      </main>`,
      [...scripts, ...(isFramed ? [frameScript] : [])],
    ),
    theme: isFramed ? theme : null,
  };
}

/** A page about no payment. */
export function barePage(title: string, content: Html, scripts: readonly string[] = []): Page {
  return page(title, sheetStyle, html`<main>${content}</main>`, scripts);
}

export function paymentAmount({ amountMinor }: Payment): string {
  return roubles(formatMinor(amountMinor));
}

/** How long the buyer may take; null where nothing runs out. */
function timeLeft(payment: Payment, now: Date): Html | null {
  const end = payment.status === 'pending' ? endsAt(payment) : null;
  if (!end) return null;
  // An element of time: what only passes is no change that a waiting page loads itself again for.
  return html`<p class="aside">
    <time id="time-left" data-testid="time-left" datetime="${end.toISOString()}"
      >${spanText(Math.max(end.getTime() - now.getTime(), 0))} left to pay</time
    >
  </p>`;
}

/** Says why the last try failed. */
export function alert(text: string | null): Html | null {
  if (text === null) return null;
  return html`<p class="alert" id="payment-error" data-testid="payment-error" role="alert">${text}</p>`;
}

/** The ways to leave any page on which the buyer still has to decide. */
export function wayOut({ payment }: Visit): Html {
  return html`<footer class="leave">
    ${backUndecided(payment)}
    <form method="post" action="/checkout/${payment.id}/cancel" id="give-up-form">
      <button type="submit" class="link" id="give-up" data-testid="give-up">Refuse to pay</button>
    </form>
  </footer>`;
}

/** Back to the shop while the payment stays as it is. */
export function backUndecided({ returnUrl }: Payment): Html | null {
  if (returnUrl === null) return null;
  return html`<p class="aside">
    <a href="${returnUrl}" id="back" data-testid="back">Back to the shop</a>, deciding nothing yet
  </p>`;
}

/** Back from the page of one way to the choice of ways. */
export function otherWays({ payment: { id } }: Visit): Html {
  return html`<p class="aside">
    <a href="/checkout/${id}" id="other-ways" data-testid="other-ways">Pay another way</a>
  </p>`;
}
