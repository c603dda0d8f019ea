import { randomUUID } from 'node:crypto';
import { button } from '../../examples/shared/pages/form.js';
import { roubles } from '../../examples/shared/pages/format.js';
import { html, type Content, type Html } from '../../examples/shared/pages/html.js';
import {
  awaitsHandOver,
  leftToRefundMinor,
  paidPayment,
  standing,
  type OrderView,
} from '../orders/order-view.js';
import { newRefundForm, type RefundForm } from '../staff/refund-form.js';

/** What the shop's staff can do with the order now; empty if there is nothing. */
export function staffPanel(view: OrderView, sent: RefundForm | undefined): Content {
  const possible = actions(view, sent);
  if (possible === null) return null;
  return html`<section class="panel staff" aria-label="For the shop’s staff">
    <p class="soft small">For the shop’s staff</p>
    ${possible}
  </section>`;
}

function actions(view: OrderView, sent: RefundForm | undefined): Html | null {
  const base = `/staff/orders/${view.order.reference}`;
  const at = standing(view);
  if (at === 'held') {
    return html`<div class="actions">
      ${button(`${base}/ship`, 'Ship it')} ${button(`${base}/cancel`, 'Cancel order', true)}
    </div>`;
  }
  const payment = paidPayment(view);
  const leftMinor = payment === undefined ? 0 : leftToRefundMinor(payment);
  // A page of an unsettled order reloads itself, and would discard what is being typed.
  const isOffered = leftMinor > 0 && (at !== 'settling' || sent !== undefined);
  if (!isOffered) return null;
  const { quantity } = view.order;
  const handOver = awaitsHandOver(view.order) && button(`${base}/hand-over`, 'Handed over');
  return html`${handOver && html`<div class="actions">${handOver}</div>`}
  ${refundFields(`${base}/refund`, leftMinor, sent)}
  ${quantity > 1 && piecesFields(`${base}/refund`, quantity)}`;
}

/** A part of what was bought, at the price that was paid. */
function piecesFields(action: string, quantity: number): Html {
  return html`<form class="fields" method="post" action="${action}">
    <input type="hidden" name="refundKey" value="${randomUUID()}" />
    <label>
      Refund pieces
      <input name="pieces" type="number" value="1" min="1" max="${quantity}" step="1" required />
    </label>
    <div class="actions"><button class="button quiet" type="submit">Refund pieces</button></div>
  </form>`;
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
