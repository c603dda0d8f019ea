import type { Store } from '@holdfast/payments';

import { button } from '../../../src/pages/button.js';
import { moment, roubles } from '../../../src/pages/format.js';
import { html } from '../../../src/pages/html.js';
import { failureText, refundText, timelineText } from '../../../src/pages/payment-words.js';
import type { Owner } from '../owners/owners.js';
import { standing, type PaymentRecord, type SaleView, type Standing } from '../sales/sale-view.js';
import { layout } from './layout.js';
import { nameOf } from './store-words.js';

interface Headline {
  tone: 'good' | 'wait' | 'bad';
  title: string;
  text: string;
  /** What the buyer can do about it. */
  pay?: string;
  reloadAfterSeconds?: number;
}

const headlines: Record<Standing, Headline> = {
  unpaid: { tone: 'wait', title: 'Not paid yet', text: 'Your purchase is waiting for you.', pay: 'Pay' },
  checking: {
    tone: 'wait',
    title: 'We are checking your payment',
    text: 'The payment service has not answered yet. Nothing is lost and nothing is paid twice: this page keeps looking.',
    pay: 'Try again',
    reloadAfterSeconds: 5,
  },
  pending: {
    tone: 'wait',
    title: 'Waiting for your payment',
    text: 'The payment is open for an hour. You can pick it up where you left it.',
    pay: 'Continue payment',
  },
  settling: {
    tone: 'wait',
    title: 'One moment',
    text: 'We are writing down what happened to your money.',
    reloadAfterSeconds: 1,
  },
  paid: { tone: 'good', title: 'Paid, thank you', text: 'The shop knows, and gets it ready for you.' },
  payment_failed: { tone: 'bad', title: 'The payment did not go through', text: '', pay: 'Try again' },
};

/** One purchase, for its buyer. */
export function salePage(view: SaleView, store: Store, visitor: Owner | null): string {
  const { sale, payments } = view;
  const stands = standing(view);
  const { tone, title, text, pay, reloadAfterSeconds } = headlines[stands];
  const body = html`
    <div class="narrow">
      <a class="back" href="/shops/${store.id}">← ${nameOf(store)}</a>
      <div class="state ${tone}">
        <p class="mark">Purchase ${sale.reference}</p>
        <h1 id="sale-state" data-standing="${stands}">${title}</h1>
        <p>${stands === 'payment_failed' ? failureText(payments.at(-1)?.payment) : text}</p>
        ${pay !== undefined && html`<div class="actions">${button(`/sales/${sale.reference}/pay`, pay)}</div>`}
      </div>
      <div class="panels">
        <section class="panel">
          <div class="head">
            <div>
              <h2>${sale.item}</h2>
              <p class="soft small">${nameOf(store)}</p>
            </div>
            <span class="price">${roubles(sale.priceMinor)}</span>
          </div>
        </section>
        ${payments.toReversed().map(paymentPanel)}
      </div>
    </div>
  `;
  return layout({ title, body, ...(reloadAfterSeconds !== undefined && { reloadAfterSeconds }) }, visitor);
}

function paymentPanel({ payment, timeline, refunds }: PaymentRecord) {
  return html`<section class="panel" data-payment-status="${payment.status}">
    <h2>Payment</h2>
    <ol class="timeline">
      ${timeline.map(
        (entry) =>
          html`<li>
            ${timelineText(entry)}
            <div class="soft small">
              <time datetime="${entry.at.toISOString()}">${moment(entry.at)}</time>
            </div>
          </li>`,
      )}
    </ol>
    <dl class="small">
      ${
        payment.paymentMethod?.title &&
        html`<dt>Paid with</dt>
          <dd>${payment.paymentMethod.title}</dd>`
      }
      ${refunds.map(
        (refund) =>
          html`<dt>Refund</dt>
            <dd data-refund-status="${refund.status}">${refundText(refund)}</dd>`,
      )}
      <dt>Number</dt>
      <dd><code>${payment.id}</code></dd>
    </dl>
  </section>`;
}
