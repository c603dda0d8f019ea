import type { ReceiptBalance } from '../control/receipt-balance.js';
import { html, type Html } from '../pages/html.js';
import { roubles } from '../pages/roubles.js';
import { shape } from '../pages/shapes.js';
import type { WireReceipt } from '../receipts/receipt-view.js';
import type { Fiscalization } from '../stores/fiscalization.js';
import { fateNames } from './actions.js';
import {
  actionButton,
  actionForm,
  button,
  empty,
  json,
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
/** More links than these help nobody. */
const MOST_LINKS = 20;

const scenarioWords: Readonly<Record<Fiscalization['scenario'], string>> = {
  with_payment: 'with its payments',
  before_payment: 'with its payments, which wait for them',
  after_payment: 'by itself, after its payments',
};

/** The newest receipts, and what the register does with the next one. */
export function receiptsTab({ sandbox, stores }: View): Html {
  const fiscalization = stores.own.receipts;
  const all = sandbox.receipts.list();
  const { shown, rest } = newest(all, MOST_SHOWN);
  const next = html`${select('The next one is', 'fate', fateNames)} ${button('Order', 'next-receipt')}`;
  return html`${shortReceipts(sandbox.ledger.receiptsShort())}
    <section class="panel" aria-labelledby="next-title">
      <div class="head"><h2 id="next-title">The next receipt</h2></div>
      ${fiscalization && html`<div class="body">${actionForm('next-receipt', {}, next)}</div>`}
      <p class="empty">
        ${
          fiscalization
            ? `The store sends them ${scenarioWords[fiscalization.scenario]}, to ${fiscalization.provider}.`
            : 'The store sends none: start with --receipts.'
        }
      </p>
    </section>
    ${panel(
      'receipts',
      'All receipts',
      all.length === 0
        ? empty('None yet.')
        : html`${table(
            'Receipts, the newest first',
            ['What', 'Status', 'Of the payment', ''],
            shown.map(receiptRow),
          )}${rest}`,
      json('receipts'),
    )}`;
}

/** The payments whose receipts do not add up to their money. */
export function shortReceipts(short: readonly ReceiptBalance[]): Html {
  return html`<div id="receipts-short" data-live ${short.length === 0 ? html`hidden` : null}>
    ${
      short.length === 0
        ? null
        : html`<div class="note is-bad" data-testid="receipts-short">
            ${shape('stop')}
            <p>
              ${String(short.length)} payments whose receipts do not add up to their money:
              ${short.slice(0, MOST_LINKS).map(({ paymentId }) => html`${paymentLink(paymentId)} `)}
            </p>
          </div>`
    }
  </div>`;
}

function receiptRow({ id, type, status, payment_id: paymentId, settlements }: WireReceipt): Html {
  return html`<tr data-testid="receipt">
    <th scope="row">
      ${type === 'payment' ? 'Income' : 'Return'}
      ${settlements.map((settled) => html`<span class="nw">${roubles(settled.amount.value)}</span> ${settled.type} `)}
      <small>${shortId(id)}</small>
    </th>
    <td class="state">${statusWord(status)}</td>
    <td>${paymentLink(paymentId)}</td>
    <td class="fill">
      ${
        status === 'pending'
          ? html`<div class="acts">
              ${actionButton('finish-receipt', { id, outcome: 'succeeded' }, 'Register it', 'finish-receipt-succeeded')}
              ${actionButton('finish-receipt', { id, outcome: 'canceled' }, 'Refuse it', 'finish-receipt-canceled')}
            </div>`
          : null
      }
    </td>
  </tr>`;
}
