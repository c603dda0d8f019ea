import { parseAmount, type Payment, type Refund, type TimelineEntry } from '@holdfast/payments';

import { moment, roubles } from './format.js';
import { holdEnd, holdOutlook } from './hold-words.js';
import { html, type Content, type Html } from './html.js';
import { isForBuyer, refundOrigin, refundText, timelineText, timelineTone } from './payment-words.js';

/** A payment with its history and its refunds, each oldest first. */
export interface PaymentRecord {
  payment: Payment;
  timeline: TimelineEntry[];
  refunds: Refund[];
}

/** One payment with its refunds, as its buyer sees it. */
export function paymentPanel(record: PaymentRecord): Html {
  return panel(record, { timeline: record.timeline.filter(isForBuyer), refund: refundText });
}

/** The same for the merchant, with everything that happened to it. */
export function wholePaymentPanel(record: PaymentRecord): Html {
  const { payment, timeline } = record;
  return panel(record, {
    timeline,
    refund: (refund) => refundText(refund) + refundOrigin(refund),
    hold: html`<dt>Before that</dt>
      <dd data-hold-policy="${payment.holdPolicy}">${holdOutlook(payment)}</dd>`,
    number: html`<dt>Number</dt>
      <dd><code>${payment.id}</code></dd>`,
  });
}

interface Parts {
  timeline: readonly TimelineEntry[];
  refund: (refund: Refund) => string;
  /** What happens to the hold. */
  hold?: Content;
  number?: Content;
}

function panel({ payment, refunds }: PaymentRecord, parts: Parts): Html {
  return html`<section class="panel" data-payment-status="${payment.status}">
    <h2>Payment</h2>
    <ol class="timeline">
      ${parts.timeline.map(
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
          <dd>${holdEnd(payment)}</dd>
          ${parts.hold}`
      }
      ${refunds.map(
        (refund) =>
          html`<dt>Refund</dt>
            <dd data-refund-status="${refund.status}">
              ${roubles(parseAmount(refund.amount))}<br /><span class="soft">${parts.refund(refund)}</span>
            </dd>`,
      )}
      ${parts.number}
    </dl>
  </section>`;
}
