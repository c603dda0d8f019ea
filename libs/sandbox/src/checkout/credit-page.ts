import { formatMinor } from '../common/money.js';
import { loanOffers, thinkingTimeMs, type Loan } from '../methods/loans.js';
import { choices } from '../pages/choices.js';
import { html } from '../pages/html.js';
import type { Page } from '../pages/page.js';
import { roubles } from '../pages/roubles.js';
import { checkoutPage, otherWays, wayOut, type Visit } from './checkout-layout.js';

/** The bank's page of a credit: what it offers, and what it decides. */
export function creditPage(visit: Visit): Page {
  const { payment } = visit;
  const { amountMinor } = payment;
  return checkoutPage(
    'SberBank credit',
    visit,
    html`
      <form method="post" action="/checkout/${payment.id}/credit" id="credit-form">
        ${choices(
          'Apply for',
          'loan',
          loanOffers(amountMinor).map((loan) => ({
            value: loan.option,
            testId: `loan-${loan.option}`,
            label: loanName(loan),
            hint: terms(loan, amountMinor),
          })),
        )}
        <section class="bank">
          <h2>The bank decides</h2>
          <button type="submit" name="answer" value="approve" id="approve" data-testid="approve">
            Approve
          </button>
          ${
            thinkingTimeMs(amountMinor) === null
              ? null
              : html`<button
                  type="submit"
                  name="answer"
                  value="suspend"
                  class="quiet"
                  id="suspend"
                  data-testid="suspend"
                >
                  Approve, and pay once the time to think it over is up
                </button>`
          }
          <button type="submit" name="answer" value="refuse" class="quiet" id="refuse" data-testid="refuse">
            Refuse
          </button>
        </section>
      </form>
      ${otherWays(visit)} ${wayOut(visit)}
    `,
  );
}

function loanName({ option }: Loan): string {
  const [, months] = option.split('_');
  return months === undefined ? 'A credit' : `Instalments for ${months} months`;
}

function terms({ discountMinor }: Loan, amountMinor: number): string {
  return discountMinor === 0
    ? 'the whole amount'
    : `${roubles(formatMinor(amountMinor - discountMinor))}, a discount of ${roubles(formatMinor(discountMinor))}`;
}
