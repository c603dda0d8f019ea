import { leftToRefundMinor, paidPayment, standing, type OrderView } from '../orders/order-view.js';
import { newRefundForm, type RefundForm } from '../orders/refund-form.js';
import { roubles } from './format.js';
import { html, type Content, type Html } from './html.js';
import { button } from './message-page.js';

/** What the shop's staff can do with the order now; nothing where there is nothing to do. */
export function staffPanel(view: OrderView, sent: RefundForm | undefined): Content {
  const base = `/orders/${view.order.reference}`;
  const at = standing(view);
  if (at === 'held') {
    return panel(
      html`<div class="actions">
        ${button(`${base}/ship`, 'Ship it')} ${button(`${base}/cancel`, 'Cancel order', true)}
      </div>`,
    );
  }
  const payment = paidPayment(view);
  const leftMinor = payment === undefined ? 0 : leftToRefundMinor(payment);
  // A page that settles reloads itself, and would take away what is being typed.
  const isOffered = leftMinor > 0 && (at !== 'settling' || sent !== undefined);
  return isOffered && panel(refundFields(`${base}/refund`, leftMinor, sent));
}

function panel(content: Html): Html {
  return html`<section class="panel staff" aria-label="For the shop’s staff">
    <p class="soft small">For the shop’s staff</p>
    ${content}
  </section>`;
}

function refundFields(action: string, leftMinor: number, sent: RefundForm | undefined): Html {
  const { refundKey, amount, fault } = sent ?? newRefundForm(leftMinor);
  return html`<form class="fields" method="post" action="${action}" novalidate>
    <input type="hidden" name="refundKey" value="${refundKey}" />
    <label>
      Refund, in roubles
      <input
        name="amount"
        value="${amount}"
        inputmode="decimal"
        autocomplete="off"
        ${fault && html`aria-invalid="true" aria-describedby="amount-fault"`}
      />
      ${fault && html`<span class="fault" id="amount-fault" role="alert">${fault}</span>`}
    </label>
    <div class="actions">
      <button class="button quiet" type="submit">Refund</button>
      <span class="soft small">Up to ${roubles(leftMinor)}</span>
    </div>
  </form>`;
}
