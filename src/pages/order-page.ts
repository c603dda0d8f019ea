import { parseAmount, type Amount } from '@holdfast/payments';

import { findProduct } from '../catalog/products.js';
import { refundsOnTheirWayMinor, standing, type OrderView, type Standing } from '../orders/order-view.js';
import type { RefundForm } from '../orders/refund-form.js';
import { roubles } from './format.js';
import { waitingHeadlines, type Headline } from './headline.js';
import { html, type Html } from './html.js';
import { illustration } from './illustration.js';
import { layout } from './layout.js';
import { button } from './button.js';
import { paymentPanel } from './payment-panel.js';
import { failureText } from './payment-words.js';
import { staffPanel } from './staff-panel.js';

const headlines: Record<Standing, Headline> = {
  unpaid: { tone: 'wait', title: 'Not paid yet', text: 'Your order is waiting for you.', pay: 'Pay' },
  ...waitingHeadlines,
  held: {
    tone: 'good',
    title: 'Reserved for you',
    text: 'Your bank holds the amount. We charge it on the day we ship, and release it if we cannot.',
  },
  paid: { tone: 'good', title: 'Paid, thank you', text: 'We post it tomorrow morning.' },
  shipped: {
    tone: 'good',
    title: 'Paid and on its way',
    text: 'We have shipped your order and charged the amount.',
  },
  partially_refunded: {
    tone: 'good',
    title: 'Partly refunded',
    text: 'A part of the amount is on its way back to you. Your bank may take up to three days.',
  },
  refunded: {
    tone: 'good',
    title: 'Refunded',
    text: 'The whole amount is on its way back to you. Your bank may take up to three days.',
  },
  payment_failed: { tone: 'bad', title: 'The payment did not go through', text: '', pay: 'Try again' },
  canceled: { tone: 'bad', title: 'Order canceled', text: 'The hold is released. Nothing was charged.' },
};

const notices: Record<string, string> = {
  order_already_paid: 'This order has its payment already, so there is nothing more to pay.',
  order_refunded: 'This order was refunded. To buy again, place a new one.',
  payment_not_held: 'Nothing to do: the amount is no longer held.',
  finish_in_progress: 'Somebody is already shipping or canceling this order.',
  payment_not_refundable: 'Nothing was charged for this order, so there is nothing to refund.',
  payment_wholly_refunded: 'Everything that was charged has been refunded already.',
  refund_amount_exceeded: 'Nothing is left to refund: refunds of the whole amount are made or on their way.',
  refund_key_reused: 'That form was sent before, with another amount. What it refunded is listed below.',
  refund_window_closed: 'This payment is too old to be refunded through the payment service.',
  refund_unknown:
    'The payment service has not answered yet. The refund is written down and is made once; nobody has to send it again.',
  operation_refused: 'The payment service refused. The order is as you see it here.',
};

/** What a request that led here has to say. */
interface Extra {
  notice?: string;
  /** A refund form that came back with a fault. */
  refundForm?: RefundForm;
}

export function orderPage(view: OrderView, { notice, refundForm }: Extra = {}): string {
  const { order, payments } = view;
  const { tone, title, text, pay, reloadAfterSeconds } = headlines[standing(view)];
  const product = findProduct(order.productSlug);
  const noticeText = notice === undefined ? undefined : notices[notice];
  const failed = standing(view) === 'payment_failed';
  const body = html`
    <div class="narrow">
      ${noticeText && html`<p class="notice" role="status">${noticeText}</p>`}
      <div class="state ${tone}">
        <p class="mark">Order ${order.reference}</p>
        <h1 id="order-state" data-standing="${standing(view)}">${title}</h1>
        <p>${failed ? failureText(payments.at(-1)?.payment) : text}</p>
        ${pay && html`<div class="actions">${button(`/orders/${order.reference}/pay`, pay)}</div>`}
      </div>
      <div class="panels">
        <section class="panel">
          ${
            product &&
            html`<div class="line">
              ${illustration(product)}
              <div>
                <h2>${product.name}</h2>
                <p class="soft small">${product.size} ×&nbsp;${order.quantity}</p>
              </div>
              <span class="price">${roubles(order.totalMinor)}</span>
            </div>`
          }
          ${amounts(view)}
        </section>
        ${staffPanel(view, refundForm)} ${payments.toReversed().map(paymentPanel)}
      </div>
    </div>
  `;
  // A form that came back is to be mended in peace, and its address cannot be opened again.
  const reloads = reloadAfterSeconds !== undefined && refundForm === undefined;
  return layout({ title, body, ...(reloads && { reloadAfterSeconds }) });
}

function amounts({ order, money, payments }: OrderView): Html {
  const held = minorOf(money?.held);
  const refunded = minorOf(money?.refunded);
  const onTheirWay = refundsOnTheirWayMinor(payments);
  return html`<dl>
    <dt>Buyer</dt>
    <dd>${order.buyerName}<br /><span class="small">${order.buyerEmail}</span></dd>
    ${
      held > 0 &&
      html`<dt>On hold</dt>
        <dd>${roubles(held)}</dd>`
    }
    <dt class="total">Charged</dt>
    <dd class="total" id="order-paid">${roubles(minorOf(money?.paid))}</dd>
    ${
      refunded > 0 &&
      html`<dt>Refunded</dt>
        <dd id="order-refunded">${roubles(refunded)}</dd>`
    }
    ${
      onTheirWay > 0 &&
      html`<dt>Refund on its way</dt>
        <dd>${roubles(onTheirWay)}</dd>`
    }
  </dl>`;
}

/** Nothing before the order's first payment. */
function minorOf(amount: Amount | undefined): number {
  return amount === undefined ? 0 : parseAmount(amount);
}
