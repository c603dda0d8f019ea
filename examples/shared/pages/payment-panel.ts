import type { Payment, Refund, TimelineEntry } from '@holdfast/payments';
import { parseAmount } from '@holdfast/payments/client';

import { moment, roubles } from './format.js';
import { html, type Content, type Html } from './html.js';
import { isForBuyer, refundText, timelineText, timelineTone } from './payment-words.js';

/** A payment with its history and its refunds, each oldest first. */
export interface PaymentRecord {
  payment: Payment;
  timeline: TimelineEntry[];
  refunds: Refund[];
}

/** One payment with its refunds, as its buyer sees it; `more`: what stands below that. */
export function paymentPanel({ payment, timeline, refunds }: PaymentRecord, more: Content = null): Html {
  return html`<section class="panel" data-payment-status="${payment.status}">
    <h2>Payment</h2>
    <ol class="timeline">
      ${timeline.filter(isForBuyer).map(
        (entry) =>
          html`<li data-tone="${timelineTone(entry)}">
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
          <dd>
            ${payment.holdExpiresAt === null ? 'The payment service does not say' : moment(payment.holdExpiresAt)}
          </dd>`
      }
      ${refunds.map(
        (refund) =>
          html`<dt>Refund</dt>
            <dd data-refund-status="${refund.status}">
              ${roubles(parseAmount(refund.amount))}<br /><span class="soft">${refundText(refund)}</span>
            </dd>`,
      )}
    </dl>
    ${more}
  </section>`;
}
