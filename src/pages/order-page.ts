import { parseAmount, type Amount } from '@holdfast/payments';
import { button } from '../../examples/shared/pages/form.js';
import { maskedEmail, roubles } from '../../examples/shared/pages/format.js';
import { waitingHeadlines, type Headline } from '../../examples/shared/pages/headline.js';
import { html, type Content, type Html } from '../../examples/shared/pages/html.js';
import { paymentPanel } from '../../examples/shared/pages/payment-panel.js';
import { failureText } from '../../examples/shared/pages/payment-words.js';
import { waitingFor } from '../../examples/shared/pages/waiting.js';
import { noticeText } from '../../examples/shared/web/notice.js';
import { findProduct } from '../catalog/products.js';
import { refundsOnTheirWayMinor, standing, type OrderView, type Standing } from '../orders/order-view.js';
import type { ChosenWay } from '../orders/ways-to-pay.js';
import { illustration } from './illustration.js';
import { layout } from './layout.js';
import { otherWaysPanel } from './other-ways.js';
import type { PayHere } from './pay-here.js';

const headlines: Record<Standing, Headline> = {
  unpaid: { tone: 'wait', title: 'Not paid yet', text: 'Your order is waiting for you.', pay: 'Pay' },
  elsewhere: {
    tone: 'wait',
    title: 'Its payment is elsewhere',
    text:
      'It was made while the shop had another account at the payment service. Its outcome is only known there, and ' +
      'nothing about it can be seen or changed from here.',
  },
  ...waitingHeadlines,
  held: {
    tone: 'good',
    title: 'Reserved for you',
    text: 'Your bank holds the amount. We charge it on the day we ship, and release it if we cannot.',
  },
  paid: { tone: 'good', title: 'Paid, thank you', text: 'We post it tomorrow morning.' },
  paid_in_advance: {
    tone: 'good',
    title: 'Paid, thank you',
    text: 'We hand it over in the shop as soon as it is out of the kiln.',
  },
  handed_over: { tone: 'good', title: 'Handed over', text: 'It is in your hands. Enjoy it.' },
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

const notices = new Map([
  ['order_already_paid', 'This order has its payment already, so there is nothing more to pay.'],
  ['order_refunded', 'This order was refunded. To buy again, place a new one.'],
]);

/** How the order can be paid. */
interface Paying {
  /** null: not on this page. */
  here: PayHere | null;
  otherWays: readonly ChosenWay[];
  notice: string | undefined;
  /** How often it has been looked at. */
  looks: string | undefined;
}

/** An order for its buyer, who may be anybody with its address: it contains only the buyer's data. */
export function orderPage(view: OrderView, { here, otherWays, notice, looks }: Paying): string {
  const { order, payments } = view;
  const headline = here?.headline ?? orderHeadline(view);
  const { title, pay, reloadAfterSeconds } = headline;
  const body = orderBody(view, {
    headline,
    notice: noticeText(notice, notices),
    action: pay && button(`/orders/${order.reference}/pay`, pay),
    paying: [here?.panel, otherWays.length > 0 && otherWaysPanel(order.reference, otherWays)],
    panels: payments.toReversed().map(paymentPanel),
  });
  return layout({ title, body, waiting: waitingFor(reloadAfterSeconds, looks) });
}

/** The differences between buyer and staff. */
interface Parts {
  headline: Headline;
  notice: string | undefined;
  /** What can be done about its state. */
  action?: Content;
  /** The payment itself, if it is made here. */
  paying?: Content;
  panels: Content;
}

export function orderHeadline(view: OrderView): Headline {
  return headlines[standing(view)];
}

export function orderBody(view: OrderView, { headline, notice, action, paying, panels }: Parts): Html {
  const { order, payments, morePayments } = view;
  const { tone, title, text } = headline;
  const product = findProduct(order.productSlug);
  const failed = standing(view) === 'payment_failed';
  return html`
    <div class="narrow">
      ${notice && html`<p class="notice" role="status">${notice}</p>`}
      <div class="state ${tone}">
        <p class="mark">Order ${order.reference}</p>
        <h1 id="order-state" data-standing="${standing(view)}">${title}</h1>
        <p>${failed ? failureText(payments.at(-1)?.payment) : text}</p>
        ${action && html`<div class="actions">${action}</div>`}
      </div>
      <div class="panels">
        ${paying}
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
          ${standing(view) !== 'elsewhere' && amounts(view)}
        </section>
        ${panels}
        ${morePayments > 0 && html`<p class="soft small">Earlier payments that are not shown: ${morePayments}.</p>`}
      </div>
    </div>
  `;
}

function amounts({ order, money, payments }: OrderView): Html {
  const held = minorOf(money?.held);
  const refunded = minorOf(money?.refunded);
  const onTheirWay = refundsOnTheirWayMinor(payments);
  return html`<dl>
    <dt>Buyer</dt>
    <dd>${order.buyerName}<br /><span class="small">${maskedEmail(order.buyerEmail)}</span></dd>
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

/** null before the order's first payment. */
function minorOf(amount: Amount | undefined): number {
  return amount === undefined ? 0 : parseAmount(amount);
}
