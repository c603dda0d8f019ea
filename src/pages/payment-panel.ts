import { parseAmount } from '@holdfast/payments';

import type { PaymentRecord } from '../orders/payment-record.js';
import { moment, roubles } from './format.js';
import { holdEnd, holdOutlook } from './hold-words.js';
import { html, type Html } from './html.js';
import { refundText, timelineText } from './payment-words.js';

/** One payment with its refunds and everything that happened to it. */
export function paymentPanel({ payment, timeline, refunds }: PaymentRecord): Html {
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
      <dt>Amount</dt>
      <dd>${roubles(parseAmount(payment.amount))}</dd>
      ${
        payment.paymentMethod?.title &&
        html`<dt>Paid with</dt>
          <dd>${payment.paymentMethod.title}</dd>`
      }
      ${
        payment.status === 'waiting_for_capture' &&
        html`<dt>Held until</dt>
          <dd>${holdEnd(payment)}</dd>
          <dt>Before that</dt>
          <dd data-hold-policy="${payment.holdPolicy}">${holdOutlook(payment)}</dd>`
      }
      ${refunds.map(
        (refund) =>
          html`<dt>Refund</dt>
            <dd data-refund-status="${refund.status}">
              ${roubles(parseAmount(refund.amount))}<br /><span class="soft">${refundText(refund)}</span>
            </dd>`,
      )}
      <dt>Number</dt>
      <dd><code>${payment.id}</code></dd>
    </dl>
  </section>`;
}
