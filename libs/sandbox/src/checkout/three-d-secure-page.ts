import type { Card } from '../methods/payment-method.js';
import { html } from '../pages/html.js';
import type { Page } from '../pages/page.js';
import { merchantSentCard } from '../payments/payment.js';
import { backUndecided, checkoutPage, otherWays, paymentAmount, type Visit } from './checkout-layout.js';

/** What the bank "sends" to the buyer. */
export const CODE = '123456';

/** The page of the card's bank, which checks that the owner pays. */
export function threeDSecurePage(visit: Visit, card: Card, codeError: string | null): Page {
  const { payment } = visit;
  return checkoutPage(
    '3-D Secure',
    visit,
    html`
      <section class="bank">
        <h2 id="issuer" data-testid="issuer">${card.issuerName ?? 'The bank'} asks</h2>
        <p>
          Do you pay ${paymentAmount(payment)} by card ${card.cardType} *${card.last4}? Enter the code from
          the message. Here it is always <strong>${CODE}</strong>.
        </p>
        <form method="post" action="/checkout/${payment.id}/3ds" id="three-d-secure-form" novalidate>
          <div class="field">
            <label for="code">Code</label>
            <input
              id="code"
              name="code"
              data-testid="code"
              value="${CODE}"
              inputmode="numeric"
              autocomplete="one-time-code"
              ${codeError === null ? null : html`aria-invalid="true" aria-describedby="code-error"`}
            />
            ${codeError === null ? null : html`<p class="error" id="code-error" data-testid="code-error">${codeError}</p>`}
          </div>
          <button type="submit" id="confirm" data-testid="confirm">Confirm</button>
          <button type="submit" name="fail" value="yes" class="quiet" id="fail" data-testid="fail">
            Fail 3-D Secure
          </button>
        </form>
      </section>
      ${merchantSentCard(payment) ? null : otherWays(visit)} ${backUndecided(payment)}
    `,
  );
}
