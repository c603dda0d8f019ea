import { html, type Html } from '../pages/html.js';
import { roubles } from '../pages/roubles.js';
import { spanText } from '../pages/spans.js';
import type { WirePayment } from '../payments/payment-view.js';
import type { Store } from '../stores/store.js';
import { methodTypeFromWire } from '../wire/names.js';
import { empty, json, momentAgo, newest, panel, statusWord, table } from './parts.js';
import { usualAction } from './payment-actions.js';
import { pathOf } from './places.js';
import type { View } from './view.js';

const MOST_SHOWN = 100;

/** All payments, newest first; each leads to its own page. */
export function paymentsTab(view: View): Html {
  const payments = view.sandbox.payments.list();
  const { shown, rest } = newest(payments, MOST_SHOWN);
  const content =
    payments.length === 0
      ? empty(html`None yet. The shop makes them with <code>POST /v3/payments</code>.`)
      : html`${table(
          'Payments, the newest first',
          [{ name: 'Amount', isNumber: true }, 'Status', 'For', 'Method', 'Made', ''],
          shown.map((payment) => paymentRow(payment, view)),
        )}${rest}`;
  return panel('payments', 'All payments', content, json('payments'));
}

function paymentRow(payment: WirePayment, { sandbox, stores, now }: View): Html {
  const { id, amount, status, description, created_at: createdAt, cancellation_details: why } = payment;
  const store = stores.get(payment.recipient.account_id);
  const endsAt = sandbox.payments.endsAt(id);
  return html`<tr id="payment-${id}" data-testid="payment" data-status="${status}">
    <td class="num lead"><span class="money" data-testid="amount">${roubles(amount.value)}</span></td>
    <td class="state">
      ${statusWord(status)} ${why ? html`<small>${why.reason}</small>` : null}
      ${endsAt ? html`<small>ends in ${spanText(Math.max(endsAt.getTime() - now.getTime(), 0))}</small>` : null}
    </td>
    <th scope="row">
      <a href="${pathOf({ tab: 'payments', id })}">${description ?? 'no description'}</a>
      ${store === stores.own ? null : html`<small>store ${store.accountId}</small>`}
    </th>
    <td>${methodText(payment, store)}</td>
    <td class="when">${momentAgo(createdAt, now)}</td>
    <td class="fill">${usualAction(payment, store)}</td>
  </tr>`;
}

export function methodText(
  { payment_method: method, authorization_details: authorization }: WirePayment,
  store: Store,
): string {
  if (!method) return 'none chosen';
  const source = method.card?.source === undefined ? '' : ', from the phone';
  const secure = authorization?.three_d_secure.applied ? ', 3-D Secure' : '';
  return `${method.title ?? methodTypeFromWire(store.names, method.type) ?? method.type}${source}${secure}`;
}
