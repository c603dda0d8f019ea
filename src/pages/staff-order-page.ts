import type { Headline } from '../../examples/shared/pages/headline.js';
import { html, type Content } from '../../examples/shared/pages/html.js';
import { wholePaymentPanel } from '../../examples/shared/pages/payment-panel.js';
import { waitingFor } from '../../examples/shared/pages/waiting.js';
import { noticeText } from '../../examples/shared/web/notice.js';
import type { RefundForm } from '../staff/refund-form.js';
import { openNotes, type StaffOrderView } from '../staff/staff-order-view.js';
import { deliveryRow } from './delivery-row.js';
import { layout } from './layout.js';
import { orderBody, orderHeadline } from './order-page.js';
import { receiptWords } from './receipt-words.js';
import { staffPanel } from './staff-panel.js';

const notices = new Map([
  ['payment_not_held', 'Nothing to do: the amount is no longer held.'],
  ['operation_in_progress', 'Somebody is already shipping or canceling this order.'],
  ['payment_not_refundable', 'Nothing was charged for this order, so there is nothing to refund.'],
  ['payment_wholly_refunded', 'Everything that was charged has been refunded already.'],
  [
    'refund_amount_exceeded',
    'Nothing is left to refund: refunds of the whole amount are made or on their way.',
  ],
  ['refund_key_reused', 'That form was sent before, with another amount. What it refunded is listed below.'],
  ['refund_accepted', 'The refund is booked with the sum that the payment service has made.'],
  ['refund_over', 'Nothing to do: that refund has ended.'],
  [
    'refund_not_acceptable',
    'Not accepted: what the payment service says of that refund does not fit the payment, or it says nothing. Ask its support.',
  ],
  ['who_and_why', 'Say who you are and why that sum is right: both are kept.'],
  ['refund_window_closed', 'This payment is too old to be refunded through the payment service.'],
  [
    'refund_unknown',
    'The payment service has not answered yet. The refund is recorded and is made once; nobody has to send it again.',
  ],
  [
    'receipt_unknown',
    'The payment service has not answered yet. The receipt is recorded and is sent once; press “Handed over” again later.',
  ],
  [
    'receipt_not_possible',
    'The receipt of the hand-over cannot be sent now. Where receipts follow the money, press “Handed over” again once the payment’s is registered. Otherwise nothing is left of the prepayment, or its own receipt was refused: make it by hand.',
  ],
  ['operation_refused', 'The payment service refused. The order is as you see it here.'],
]);

interface Extra {
  /** The notice about a request that led here. */
  notice?: string | undefined;
  /** How often the page has been looked at. */
  looks?: string | undefined;
  /** A refund form that was returned with a fault. */
  refundForm?: RefundForm;
}

/** An order for the staff: what its buyer sees, what the staff must know, and what they can do. */
export function staffOrderPage(view: StaffOrderView, { notice, looks, refundForm }: Extra): string {
  const headline = staffHeadline(view);
  const { title, reloadAfterSeconds } = headline;
  const panels = [
    problemsPanel(view),
    staffPanel(view, refundForm),
    view.payments.toReversed().map(wholePaymentPanel),
  ];
  const body = html`
    <div class="narrow"><a class="back" href="/staff">← Payments desk</a></div>
    ${orderBody(view, { headline, notice: noticeText(notice, notices), panels })}
  `;
  // A returned form must stay until it is corrected, and its address cannot be opened again.
  const seconds = refundForm === undefined ? reloadAfterSeconds : undefined;
  return layout({ title, body, waiting: waitingFor(seconds, looks) });
}

/** Not good as long as something about it needs a person. */
function staffHeadline(view: StaffOrderView): Headline {
  const headline = orderHeadline(view);
  const waiting = [...view.problems.deliveries, ...view.problems.receipts, ...openNotes(view)];
  if (waiting.length === 0) return headline;
  return { ...headline, tone: 'wait', text: 'Something about this order needs you: see below.' };
}

function problemsPanel({ problems: { deliveries, receipts } }: StaffOrderView): Content {
  if (deliveries.length + receipts.length === 0) return null;
  return html`<section class="panel" aria-label="What needs you">
    <h2>What needs you</h2>
    <ul class="rows">
      ${deliveries.map((delivery) => deliveryRow(delivery))}
      ${receipts.map(
        (problem) =>
          html`<li data-receipt="${problem.kind}">
            <div><p>${receiptWords(problem)}</p></div>
            <a href="/staff">Payments desk</a>
          </li>`,
      )}
    </ul>
  </section>`;
}
