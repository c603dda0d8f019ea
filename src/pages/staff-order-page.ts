import { html } from '../../examples/shared/pages/html.js';
import { paymentPanel } from '../../examples/shared/pages/payment-panel.js';
import { waitingFor } from '../../examples/shared/pages/waiting.js';
import { noticeText } from '../../examples/shared/web/notice.js';
import type { OrderView } from '../orders/order-view.js';
import type { RefundForm } from '../staff/refund-form.js';
import { layout } from './layout.js';
import { orderBody, orderHeadline } from './order-page.js';
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

/** An order for the staff: what its buyer sees, what only the staff can do, and the way to its payments on the board. */
export function staffOrderPage(view: OrderView, { notice, looks, refundForm }: Extra): string {
  const headline = orderHeadline(view);
  const { title, reloadAfterSeconds } = headline;
  const payments = view.payments
    .toReversed()
    .map((record) =>
      paymentPanel(
        record,
        html`<p><a href="/staff/payments/payments/${record.payment.id}">On the payments board</a></p>`,
      ),
    );
  const body = html`
    <div class="narrow"><a class="back" href="/staff">← Orders that wait</a></div>
    ${orderBody(view, {
      headline,
      notice: noticeText(notice, notices),
      panels: [staffPanel(view, refundForm), payments],
    })}
  `;
  // A returned form must stay until it is corrected, and its address cannot be opened again.
  const seconds = refundForm === undefined ? reloadAfterSeconds : undefined;
  return layout({ title, body, waiting: waitingFor(seconds, looks) });
}
