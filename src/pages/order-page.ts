import { parseAmount, type Payment } from '@holdfast/payments';

import { findProduct } from '../catalog/products.js';
import { standing, type OrderView, type Standing } from '../orders/order-view.js';
import { moment, roubles } from './format.js';
import { html, type Html } from './html.js';
import { illustration } from './illustration.js';
import { layout } from './layout.js';
import { button } from './message-page.js';
import { failureText, timelineText } from './payment-words.js';

interface Headline {
  tone: 'good' | 'wait' | 'bad';
  title: string;
  text: string;
  /** What the buyer can do about it. */
  pay?: string;
  reloadAfterSeconds?: number;
}

const headlines: Record<Standing, Headline> = {
  unpaid: { tone: 'wait', title: 'Not paid yet', text: 'Your order is waiting for you.', pay: 'Pay' },
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
    text: 'We are writing your payment down.',
    reloadAfterSeconds: 1,
  },
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
  payment_failed: { tone: 'bad', title: 'The payment did not go through', text: '', pay: 'Try again' },
  canceled: { tone: 'bad', title: 'Order canceled', text: 'The hold is released. Nothing was charged.' },
};

const notices: Record<string, string> = {
  order_already_paid: 'This order has its payment already, so there is nothing more to pay.',
  payment_not_held: 'Nothing to do: the amount is no longer held.',
  finish_in_progress: 'Somebody is already shipping or canceling this order.',
  operation_refused: 'The payment service refused. The order is as you see it here.',
};

export function orderPage(view: OrderView, notice: string | undefined): string {
  const { order, payments } = view;
  const { tone, title, text, pay, reloadAfterSeconds } = headlines[standing(view)];
  const product = findProduct(order.productSlug);
  const base = `/orders/${order.reference}`;
  const noticeText = notice === undefined ? undefined : notices[notice];
  const failed = standing(view) === 'payment_failed';
  const body = html`
    <div class="narrow">
      ${noticeText && html`<p class="notice" role="status">${noticeText}</p>`}
      <div class="state ${tone}">
        <p class="mark">Order ${order.reference}</p>
        <h1 id="order-state" data-standing="${standing(view)}">${title}</h1>
        <p>${failed ? failureText(payments.at(-1)?.payment) : text}</p>
        ${pay && html`<div class="actions">${button(`${base}/pay`, pay)}</div>`}
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
        ${
          standing(view) === 'held' &&
          html`<section class="panel staff" aria-label="For the shop’s staff">
            <p class="soft small">For the shop’s staff</p>
            <div class="actions">
              ${button(`${base}/ship`, 'Ship it')} ${button(`${base}/cancel`, 'Cancel order', true)}
            </div>
          </section>`
        }
        ${payments.toReversed().map(({ payment, timeline }) => paymentPanel(payment, timeline))}
      </div>
    </div>
  `;
  return layout({ title, body, ...(reloadAfterSeconds !== undefined && { reloadAfterSeconds }) });
}

function amounts({ order, money }: OrderView): Html {
  const held = money === null ? 0 : parseAmount(money.held);
  const paid = money === null ? 0 : parseAmount(money.paid);
  return html`<dl>
    <dt>Buyer</dt>
    <dd>${order.buyerName}<br /><span class="small">${order.buyerEmail}</span></dd>
    ${
      held > 0 &&
      html`<dt>On hold</dt>
        <dd>${roubles(held)}</dd>`
    }
    <dt class="total">Charged</dt>
    <dd class="total" id="order-paid">${roubles(paid)}</dd>
  </dl>`;
}

function paymentPanel(payment: Payment, timeline: OrderView['payments'][number]['timeline']): Html {
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
        payment.holdExpiresAt &&
        payment.status === 'waiting_for_capture' &&
        html`<dt>Held until</dt>
          <dd>${moment(payment.holdExpiresAt)}</dd>`
      }
      <dt>Number</dt>
      <dd><code>${payment.id}</code></dd>
    </dl>
  </section>`;
}
