import type { Store } from '@holdfast/payments/partner';
import { randomUUID } from 'node:crypto';
import { moment, roubles } from '../../shared/pages/format.js';
import { html, type Content, type Html } from '../../shared/pages/html.js';
import { refundText } from '../../shared/pages/payment-words.js';
import { noticeText } from '../../shared/web/notice.js';
import type { Owner } from '../owners/owners.js';
import { refundable, type SaleView } from '../sales/sale-view.js';
import type { SaleState } from '../sales/sale.entity.js';
import type { LogEntry } from '../stores/log-entry.entity.js';
import { layout } from './layout.js';
import { storeActions, storeFacts } from './store-panel.js';
import { nameOf, statusText, storeTags } from './store-words.js';

/** A sale's state within a sentence. */
const saleWords: Record<SaleState, string> = {
  awaiting_payment: 'not paid yet',
  paid: 'paid',
  payment_failed: 'not paid: the payment did not go through',
};

const notices = new Map([
  ['refreshed', 'This is the state of your store at the payment service now.'],
  ['no_answer', 'The payment service does not answer. This is what we knew before.'],
  ['disconnected', 'The store is disconnected. We have given up our access.'],
  [
    'disconnecting',
    'The store is disconnected, and we no longer act for it. The payment service has not confirmed yet that our access has ended: we keep asking.',
  ],
  ['refunded', 'The refund is made, or on its way: you see it below.'],
  [
    'payment_outcome_unknown',
    'The payment service has not answered yet. The refund is recorded and is made once.',
  ],
  ['payment_not_refundable', 'Nothing was charged, so there is nothing to refund.'],
  ['payment_wholly_refunded', 'Everything that was charged has been refunded already.'],
  ['nothing_left', 'Nothing is left to refund.'],
  ['refund_amount_exceeded', 'Nothing is left to refund.'],
  ['refund_window_closed', 'This payment is too old to be refunded through the payment service.'],
  ['operation_refused', 'The payment service refused. Nothing was refunded.'],
  ['store_not_connected', 'Connect the store again first: without access we cannot refund.'],
]);

interface Shown {
  store: Store;
  sales: readonly SaleView[];
  history: readonly LogEntry[];
}

/** One store, for its owner. */
export function storePage(owner: Owner, { store, sales, history }: Shown, notice?: string): string {
  // While there is a token, the access is not given up yet.
  const hasToken = notice === 'disconnected' && store.tokenExpiresAt !== null;
  const text = noticeText(hasToken ? 'disconnecting' : notice, notices);
  const body = html`
    <div class="narrow">
      <a class="back" href="/stores">← My stores</a>
      ${text && html`<p class="notice" role="status">${text}</p>`}
      <div class="state" id="store-state" data-store-status="${store.status}">
        ${storeTags(store)}
        <h1>${nameOf(store)}</h1>
        <p>${statusText(store)}</p>
      </div>
      <div class="panels">
        <section class="panel">${storeFacts(store)} ${storeActions(store)}</section>
        ${list(
          'Payments',
          sales.map((sale) => saleRow(store, sale)),
          'Nobody has bought anything yet.',
        )}
        ${list('What happened', history.map(logRow), 'Nothing yet.')}
      </div>
    </div>
  `;
  return layout({ title: nameOf(store), body }, owner);
}

function list(heading: string, rows: readonly Html[], empty: string): Html {
  return html`<section class="panel" aria-label="${heading}">
    <h2>${heading}</h2>
    ${
      rows.length === 0
        ? html`<p class="soft">${empty}</p>`
        : html`<ul class="rows">
            ${rows}
          </ul>`
    }
  </section>`;
}

function saleRow(store: Store, view: SaleView): Html {
  const { sale, payments } = view;
  const notifications = payments
    .flatMap(({ timeline }) => timeline)
    .filter(({ cause }) => cause === 'service');
  return html`<li data-sale="${sale.reference}" data-sale-state="${sale.state}">
    <div>
      <p><a href="/sales/${sale.reference}">${sale.item}</a>, ${saleWords[sale.state]}</p>
      ${payments
        .flatMap(({ refunds }) => refunds)
        .map(
          (refund) =>
            html`<p class="small" data-refund-status="${refund.status}">Refund: ${refundText(refund)}</p>`,
        )}
      ${notifications.map(
        ({ name, evidence, at }) =>
          html`<p class="soft small" data-notification="${name}">
            <code>${name}</code> from ${String(evidence['senderAddress'])}, ${moment(at)}
          </p>`,
      )}
    </div>
    <span class="price">${roubles(sale.priceMinor)}</span>
    ${refundButton(store, view)}
  </li>`;
}

function refundButton(store: Store, view: SaleView): Content {
  const payment = store.status === 'connected' ? refundable(view) : null;
  if (payment === null) return null;
  // The key is made when the page is shown, so that one sent twice, by a double click or a reload, is one refund.
  return html`<form method="post" action="/stores/${store.id}/payments/${payment.id}/refund">
    <input type="hidden" name="refundKey" value="${randomUUID()}" />
    <button class="button quiet" type="submit">Refund</button>
  </form>`;
}

const eventWords: Record<string, string> = {
  'payment.succeeded': 'Paid',
  'payment.canceled': 'A payment did not go through',
  'refund.succeeded': 'Refunded',
  'store.connected': 'Connected',
  'store.needs_reconnect': 'The payment service no longer takes our token',
  'store.token_expiring': 'Our access ends soon: connect the store again',
  'store.disconnected': 'Disconnected',
};

function logRow({ event, sale, occurredAt }: LogEntry): Html {
  return html`<li data-event="${event}">
    <div>
      <p>
        ${eventWords[event] ?? event}${sale !== null && html`, sale <a href="/sales/${sale}">${sale}</a>`}
      </p>
      <p class="soft small"><code>${event}</code> · ${moment(occurredAt)}</p>
    </div>
  </li>`;
}
