import { parseMinor } from '../common/money.js';
import { html, type Html } from '../pages/html.js';
import { roubles } from '../pages/roubles.js';
import { spanText } from '../pages/spans.js';
import type { WirePayment } from '../payments/payment-view.js';
import type { Store } from '../stores/store.js';
import type { Operation } from '../wire/operations.js';
import { faultsOf } from './faults-tab.js';
import { historyOf } from './history.js';
import { moneyOf } from './money.js';
import { notificationTable } from './notifications-tab.js';
import { empty, json, moment, panel, statusWord } from './parts.js';
import { pendingMinor, possibleActions } from './payment-actions.js';
import { methodText } from './payments-tab.js';
import { pathOf } from './places.js';
import type { View } from './view.js';

/** The requests that name it in their path. */
const aboutIt: readonly Operation[] = ['read', 'capture', 'cancel'];

/** One payment: what can be done with it, its money, what happened to it, its notifications, the object itself. Throws ControlError 404. */
export function paymentTab(id: string, view: View): Html {
  const { sandbox, stores, now } = view;
  const payment = sandbox.payments.get(id);
  const store = stores.get(payment.recipient.account_id);
  const endsAt = sandbox.payments.endsAt(id);
  const refunds = sandbox.refunds.list().filter(({ payment_id }) => payment_id === id);
  const onTheirWayMinor = pendingMinor(payment, refunds);
  const related = new Set([id, ...refunds.map((refund) => refund.id)]);
  const notifications = sandbox.notifications.list().filter(({ objectId }) => related.has(objectId));
  const actions = possibleActions(payment, { onTheirWayMinor, endsAt }, store);
  return html`<p class="crumb"><a href="${pathOf({ tab: 'payments' })}">← Payments</a></p>
    <div class="hero" id="payment" data-live data-testid="payment" data-status="${payment.status}">
      <div>
        <h1>${payment.description ?? 'A payment without description'}</h1>
        <p class="sum" data-testid="amount">${roubles(payment.amount.value)}</p>
        <p class="row">
          ${statusWord(payment.status)}
          ${endsAt ? html`<span class="mute">${payment.status === 'pending' ? 'Term' : 'Hold'} ends in ${spanText(Math.max(endsAt.getTime() - now.getTime(), 0))}, ${moment(endsAt.toISOString())}</span>` : null}
          ${payment.cancellation_details ? html`<span class="mute">${payment.cancellation_details.reason} (${payment.cancellation_details.party})</span>` : null}
        </p>
      </div>
    </div>
    ${panel(
      'actions',
      'What can happen to it now',
      actions ? html`<div class="body stack">${actions}</div>` : empty('Nothing: it is over.'),
    )}
    <div class="cols">
      <div class="w7 stack">
        ${panel('history', 'What happened', historyOf(payment, notifications, sandbox))}
      </div>
      <div class="w5 stack">
        ${panel('money', 'Money', moneyOf(payment, sandbox.ledger.totals(id), onTheirWayMinor))}
        ${panel('facts', 'Facts', facts(payment, store, view))}
      </div>
    </div>
    ${panel('notifications', 'Its notifications', notificationTable(notifications.toReversed(), now))}
    ${faultsOf(id, aboutIt)}
    <section class="panel" aria-labelledby="object-title">
      <div class="head">
        <h2 id="object-title">The object, as the API shows it</h2>
        ${json(`payments/${id}`)}
      </div>
      <div class="folds">
        <details id="object-text">
          <summary>Show it</summary>
          <pre tabindex="0" data-live id="object">${JSON.stringify(payment, null, 2)}</pre>
        </details>
      </div>
    </section>`;
}

function facts(payment: WirePayment, store: Store, { stores }: View): Html {
  const { id, refunded_amount: refunded, metadata, receipt_registration: receipt } = payment;
  const entries = Object.entries(metadata);
  return html`<dl class="facts body">
    ${fact('Id', html`<code class="id">${id}</code>`)} ${fact('Method', methodText(payment, store))}
    ${fact('Made', moment(payment.created_at))}
    ${payment.captured_at === undefined ? null : fact('Captured', moment(payment.captured_at))}
    ${store === stores.own ? null : fact('Store', html`<code>${store.accountId}</code>`)}
    ${refunded && parseMinor(refunded.value) ? fact('Refunded', roubles(refunded.value)) : null}
    ${receipt === undefined ? null : fact('Receipt', receipt)}
    ${payment.invoice_details ? fact('Invoice', html`<code class="id">${payment.invoice_details.id}</code>`) : null}
    ${entries.length === 0 ? null : fact('Metadata', html`${entries.map(([name, value]) => html`<code>${name}: ${value}</code> `)}`)}
  </dl>`;
}

function fact(name: string, value: Html | string): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}
