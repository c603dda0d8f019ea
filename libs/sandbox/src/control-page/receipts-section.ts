import type { Sandbox } from '../control/running-sandbox.js';
import { html, type Html } from '../pages/html.js';
import { roubles } from '../pages/roubles.js';
import type { WireReceipt } from '../receipts/receipt-view.js';
import type { Fiscalization } from '../stores/fiscalization.js';
import { fateNames } from './actions.js';
import { actionButton, actionForm, section, select, shortId, statusChip } from './parts.js';

/** As many as a person reads; the rest is in the JSON. */
const MOST_SHOWN = 20;

const scenarioWords: Readonly<Record<Fiscalization['scenario'], string>> = {
  with_payment: 'with its payments',
  before_payment: 'with its payments, which wait for them',
  after_payment: 'by itself, after its payments',
};

/** The newest receipts, and what the register does with the next one. */
export function receiptsSection(
  { receipts, ledger }: Pick<Sandbox, 'receipts' | 'ledger'>,
  fiscalization: Fiscalization | null,
): Html {
  const all = receipts.list();
  const short = ledger.receiptsShort();
  const next = html`${select('The next one is', 'fate', fateNames)}
    <button data-testid="next-receipt">Order</button>`;
  return section(
    'receipts',
    'Receipts',
    html`<p class="hint">
        ${
          fiscalization
            ? `The store sends them ${scenarioWords[fiscalization.scenario]}, to ${fiscalization.provider}.`
            : 'The store sends none: start with --receipts.'
        }
      </p>
      ${fiscalization && html`<div class="buttons">${actionForm('next-receipt', {}, next)}</div>`}
      ${
        short.length > 0
          ? html`<p class="bad" data-testid="receipts-short">
              ${String(short.length)} payments whose receipts do not add up to their money:
              ${short.slice(0, MOST_SHOWN).map(({ paymentId }) => html`<a href="#payment-${paymentId}">${shortId(paymentId)}</a> `)}
            </p>`
          : null
      }
      <ul class="rows">
        ${all.slice(0, MOST_SHOWN).map(receiptItem)}
      </ul>`,
    html`<a href="/sandbox/receipts">JSON</a>`,
  );
}

function receiptItem({ id, type, status, payment_id: paymentId, settlements }: WireReceipt): Html {
  return html`<li data-testid="receipt">
    <div>
      <strong>${type === 'payment' ? 'Income' : 'Return'}</strong>
      ${settlements.map((settled) => html`${roubles(settled.amount.value)} ${settled.type} `)}
      ${statusChip(status)} of <a href="#payment-${paymentId}">${shortId(paymentId)}</a>
    </div>
    ${
      status === 'pending'
        ? html`<div class="buttons">
            ${actionButton('finish-receipt', { id, outcome: 'succeeded' }, 'Register it', 'finish-receipt-succeeded')}
            ${actionButton('finish-receipt', { id, outcome: 'canceled' }, 'Refuse it', 'finish-receipt-canceled')}
          </div>`
        : null
    }
  </li>`;
}
