import { html, type Html } from '../pages/html.js';
import type { Payment } from '../payments/payment.js';
import { checkoutPage, otherWays, paymentAmount, wayOut } from './checkout-layout.js';
import { saveChoice } from './save-choice.js';
import { testWallets } from './wallets.js';

/** The page of the e-wallet: the buyer signs in to one and confirms. */
export function walletPage(payment: Payment): Html {
  return checkoutPage(
    'E-wallet',
    payment,
    html`
      <form method="post" action="/checkout/${payment.id}/wallet" id="wallet-form">
        <fieldset class="list">
          <legend>Sign in to your e-wallet</legend>
          ${testWallets.map(
            ({ number, says, failure }, index) =>
              html`<label class="choice">
                <input
                  type="radio"
                  name="wallet"
                  value="${number}"
                  data-testid="wallet-${failure ?? 'success'}"
                  ${index === 0 ? html`checked` : null}
                />
                ${number}
                <small>${says}</small>
              </label>`,
          )}
        </fieldset>
        ${saveChoice(payment)}
        <button type="submit" id="confirm" data-testid="confirm">Pay ${paymentAmount(payment)}</button>
      </form>
      ${otherWays(payment)} ${wayOut(payment)}
    `,
  );
}
