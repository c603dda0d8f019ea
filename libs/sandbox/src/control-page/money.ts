import { formatMinor, parseMinor } from '../common/money.js';
import type { LedgerTotals } from '../ledger/ledger.js';
import { html, type Html } from '../pages/html.js';
import { roubles } from '../pages/roubles.js';
import type { WirePayment } from '../payments/payment-view.js';

/** Where the money of a payment is, as the ledger has it: a bar, and each sum with its name. */
export function moneyOf({ amount }: WirePayment, totals: LedgerTotals, onTheirWayMinor: number): Html {
  const askedMinor = parseMinor(amount.value) ?? 0;
  const chargedMinor = parseMinor(totals.charged) ?? 0;
  const capturedMinor = parseMinor(totals.captured) ?? 0;
  const refundedMinor = parseMinor(totals.refunded) ?? 0;
  const leftMinor = capturedMinor - refundedMinor;
  const whole = Math.max(askedMinor, chargedMinor, 1);
  const percent = (minor: number) => `${((minor / whole) * 100).toFixed(2)}%`;
  const words = `${money(leftMinor)} of ${money(askedMinor)} is the store's, ${money(refundedMinor)} went back`;
  return html`<div class="body">
    <svg class="bar" role="img" aria-label="${words}">
      <rect class="left" width="${percent(leftMinor)}" height="100%" />
      <rect class="back" x="${percent(leftMinor)}" width="${percent(refundedMinor)}" height="100%" />
    </svg>
    <dl class="money-flow">
      ${sum('Asked', askedMinor)} ${sum('Taken or held', chargedMinor)} ${sum('Captured', capturedMinor)}
      ${onTheirWayMinor > 0 ? sum('Refund on its way', onTheirWayMinor) : null}
      ${sum('Refunded', refundedMinor)} ${sum("The store's", leftMinor)}
    </dl>
  </div>`;
}

function sum(name: string, minor: number): Html {
  return html`<div class="${minor === 0 ? 'zero' : ''}">
    <dt>${name}</dt>
    <dd>${money(minor)}</dd>
  </div>`;
}

function money(minor: number): string {
  return roubles(formatMinor(minor));
}
