import { html, type Html } from '../pages/html.js';
import { roubles } from '../pages/roubles.js';
import type { WireRefund } from '../refunds/refund-view.js';
import { refundFates } from './actions.js';
import {
  actionForm,
  button,
  empty,
  endings,
  json,
  momentAgo,
  newest,
  panel,
  paymentLink,
  select,
  shortId,
  statusWord,
  table,
} from './parts.js';
import type { View } from './view.js';

const MOST_SHOWN = 100;

/** Refunds of all payments, newest first, and what happens to the next one. */
export function refundsTab({ sandbox, now }: View): Html {
  const refunds = sandbox.refunds.list();
  const { shown, rest } = newest(refunds, MOST_SHOWN);
  const next = html`${select('The next one stays or is at once', 'fate', refundFates)}
  ${button('Order', 'next-refund')}`;
  return html`<section class="panel" aria-labelledby="next-title">
      <div class="head"><h2 id="next-title">The next refund</h2></div>
      <div class="body">${actionForm('next-refund', {}, next)}</div>
      <p class="empty">
        Without an order it succeeds at once. A pending one succeeds by itself after three days.
      </p>
    </section>
    ${panel(
      'refunds',
      'All refunds',
      refunds.length === 0
        ? empty('None yet.')
        : html`${table(
            'Refunds, the newest first',
            [{ name: 'Amount', isNumber: true }, 'Status', 'Of', 'Why', 'Made', ''],
            shown.map((refund) => refundRow(refund, now)),
          )}${rest}`,
      json('refunds'),
    )}`;
}

function refundRow(
  { id, payment_id: paymentId, status, amount, description, created_at: createdAt }: WireRefund,
  now: Date,
): Html {
  return html`<tr data-testid="refund-item">
    <td class="num lead"><span class="money">${roubles(amount.value)}</span></td>
    <td class="state">${statusWord(status)}</td>
    <th scope="row">${paymentLink(paymentId)} <small>refund ${shortId(id)}</small></th>
    <td>${description ?? null}</td>
    <td class="when">${momentAgo(createdAt, now)}</td>
    <td class="fill">${status === 'pending' ? endings('finish-refund', id) : null}</td>
  </tr>`;
}
