import type { LedgerEntry, LedgerKind, LedgerTotals } from '../ledger/ledger.js';
import { html, type Html } from '../pages/html.js';
import { roubles } from '../pages/roubles.js';
import { status, type ShapeName, type Tone } from '../pages/shapes.js';
import { empty, json, momentAgo, newest, panel, paymentLink, shortId, table } from './parts.js';
import { shortReceipts } from './receipts-tab.js';
import type { View } from './view.js';

const MOST_SHOWN = 100;

/** What really happened to money, whatever was answered. */
export function ledgerTab({ sandbox, now }: View): Html {
  const { ledger } = sandbox;
  const entries = ledger.entries().toReversed();
  const { shown, rest } = newest(entries, MOST_SHOWN);
  return html`${shortReceipts(ledger.receiptsShort())} ${figures(ledger.totals(), ledger.requestCount())}
  ${panel(
    'ledger',
    'Entries',
    entries.length === 0
      ? empty('No money has moved yet.')
      : html`${table(
          'Entries of the ledger, the newest first',
          [{ name: 'Amount', isNumber: true }, 'What', 'Payment', 'Asked by the request', 'When'],
          shown.map((entry) => entryRow(entry, now)),
        )}${rest}`,
    json('ledger'),
  )}`;
}

function figures(totals: LedgerTotals, requests: number): Html {
  return html`<dl class="panel figures" id="figures" data-live data-testid="totals">
    ${figure('Taken or held', roubles(totals.charged), counted(totals.charges, 'time'))}
    ${figure('Captured', roubles(totals.captured), counted(totals.captures, 'time'))}
    ${figure('Let go', String(totals.cancels), totals.cancels === 1 ? 'payment' : 'payments')}
    ${figure('Refunded', roubles(totals.refunded), counted(totals.refunds, 'time'))}
    ${figure('Requests', String(requests), 'answered or not')}
  </dl>`;
}

function figure(name: string, value: string, more: string): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
    <dd>${more}</dd>
  </div>`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

const kinds: Readonly<Record<LedgerKind, readonly [Tone, ShapeName, words: string]>> = {
  charge: ['wait', 'half', 'taken or held'],
  capture: ['good', 'done', 'captured'],
  cancel: ['calm', 'cross', 'let go'],
  refund: ['calm', 'back', 'refunded'],
};

function entryRow({ kind, paymentId, refundId, amount, at, requestKey }: LedgerEntry, now: Date): Html {
  return html`<tr data-testid="entry" data-kind="${kind}">
    <td class="num lead"><span class="money">${roubles(amount)}</span></td>
    <td class="state">
      ${status(...kinds[kind])} ${refundId === undefined ? null : html`<small>${shortId(refundId)}</small>`}
    </td>
    <th scope="row">${paymentLink(paymentId)}</th>
    <td>
      ${requestKey === null ? html`<span class="mute">none: buyer, clock or Merchant Profile</span>` : html`<code class="id" title="${requestKey}">${requestKey}</code>`}
    </td>
    <td class="when">${momentAgo(at, now)}</td>
  </tr>`;
}
