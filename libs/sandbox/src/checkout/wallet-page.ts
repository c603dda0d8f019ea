import { choices } from '../pages/choices.js';
import { html } from '../pages/html.js';
import type { Page } from '../pages/page.js';
import { checkoutPage, otherWays, paymentAmount, wayOut, type Visit } from './checkout-layout.js';
import { saveChoice } from './save-choice.js';
import { testWallets } from './wallets.js';

/** The page of the e-wallet: the buyer signs in to one and confirms. */
export function walletPage(visit: Visit): Page {
  const { payment } = visit;
  return checkoutPage(
    'E-wallet',
    visit,
    html`
      <form method="post" action="/checkout/${payment.id}/wallet" id="wallet-form">
        ${choices(
          'Sign in to your e-wallet',
          'wallet',
          testWallets.map(({ number, says, failure }) => ({
            value: number,
            testId: `wallet-${failure ?? 'success'}`,
            label: number,
            hint: says,
          })),
        )}
        ${saveChoice(payment)}
        <button type="submit" id="confirm" data-testid="confirm">Pay ${paymentAmount(payment)}</button>
      </form>
      ${otherWays(visit)} ${wayOut(visit)}
    `,
  );
}
