import { createHash } from 'node:crypto';
import { html } from '../pages/html.js';
import type { Page } from '../pages/page.js';
import type { Payment } from '../payments/payment.js';
import { checkoutPage, otherWays, paymentAmount, wayOut, type Visit } from './checkout-layout.js';

/** The page with the code to pay by at a counter, as long as the buyer likes. */
export function cashPage(visit: Visit): Page {
  const { payment } = visit;
  return checkoutPage(
    'Cash',
    visit,
    html`
      <section class="bank">
        <h2>Pay ${paymentAmount(payment)} at any counter</h2>
        <p>Name this code there. It does not run out.</p>
        <p class="number" id="cash-code" data-testid="cash-code">${cashCode(payment)}</p>
        <form method="post" action="/checkout/${payment.id}/cash" id="cash-form">
          <button type="submit" name="answer" value="paid" id="confirm" data-testid="confirm">
            Paid at the counter
          </button>
        </form>
      </section>
      ${otherWays(visit)} ${wayOut(visit)}
    `,
  );
}

/** Ten digits that are the same whenever the page is opened. */
function cashCode({ id }: Payment): string {
  const number = createHash('sha256').update(id).digest().readUInt32BE(0);
  return String(number)
    .padStart(10, '0')
    .replace(/(\d{5})/, '$1 ');
}
