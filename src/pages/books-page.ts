import type { AuditDifference } from '@holdfast/payments';

import { moment } from '../../examples/shared/pages/format.js';
import { html, type Html } from '../../examples/shared/pages/html.js';
import { sideText, whatDiffers } from '../audit/difference-words.js';
import { verdictOf } from '../audit/found.js';
import type { Books } from '../staff/books.service.js';
import { layout } from './layout.js';

const titles = {
  payment: 'Payment',
  refund: 'Refund',
  receipt: 'Receipt',
  receipts: 'Receipts of a payment',
} as const satisfies Record<AuditDifference['object'], string>;

/** The differences that the last audit found. */
export function booksPage({ from, to, found }: Books): string {
  const { tone, title, text } = verdict(found);
  const differences = found?.differences ?? [];
  const body = html`
    <div class="narrow">
      <a class="back" href="/staff">← Payments desk</a>
      <div class="state ${tone}">
        <p class="mark">The shop’s books and the payment service’s</p>
        <h1 id="books-state">${title}</h1>
        <p>${text}</p>
        <p class="soft small">From ${moment(from)} to ${moment(to)}</p>
      </div>
      ${
        differences.length > 0 &&
        html`<section class="panel">
          <ul class="rows">
            ${differences.map(differenceRow)}
          </ul>
        </section>`
      }
    </div>
  `;
  return layout({ title, body });
}

function verdict(found: Books['found']): { tone: 'good' | 'wait' | 'bad'; title: string; text: string } {
  if (found === null) {
    const text = 'The payment service does not answer. Nothing is lost; try again in a few minutes.';
    return { tone: 'wait', title: 'Not compared', text };
  }
  const { payments, refunds, receipts, differences } = found;
  const ofReceipts =
    receipts === null
      ? 'Receipts were not compared: the shop’s key may not list them.'
      : `Receipts compared: ${receipts}.`;
  const text = `Payments compared: ${payments}. Refunds compared: ${refunds}. ${ofReceipts}`;
  const outcome = verdictOf(found);
  if (outcome === 'agree') return { tone: 'good', title: 'The books agree', text };
  if (outcome === 'agree_but_receipts') return { tone: 'wait', title: 'Payments and refunds agree', text };
  const title = `The books differ: ${differences.length}`;
  return { tone: 'bad', title, text: `${text} A change of the last minutes may still be on its way.` };
}

function differenceRow(difference: AuditDifference): Html {
  const { object, serviceId, paymentId, here, there } = difference;
  return html`<li data-difference="${difference.kind}">
    <div>
      <strong>${titles[object]}: ${whatDiffers(difference)}</strong>
      <dl class="small">
        <dt>Here</dt>
        <dd>${sideText(here)}</dd>
        <dt>At the service</dt>
        <dd>${sideText(there)}</dd>
        <dt>${object === 'receipts' ? 'The payment’s' : 'Its'} number there</dt>
        <dd><code>${serviceId}</code></dd>
        ${
          paymentId !== null &&
          html`<dt>Our payment</dt>
            <dd><code>${paymentId}</code></dd>`
        }
      </dl>
    </div>
  </li>`;
}
