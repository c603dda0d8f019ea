import {
  auditedSideText,
  auditVerdict,
  differenceText,
  parseAmount,
  type Amount,
  type AuditDifference,
} from '@holdfast/payments';

import { button } from '../../examples/shared/pages/form.js';
import { moment, roubles } from '../../examples/shared/pages/format.js';
import { html, type Html } from '../../examples/shared/pages/html.js';
import type { Books } from '../staff/books.service.js';
import { layout } from './layout.js';

const titles = {
  payment: 'Payment',
  refund: 'Refund',
  receipt: 'Receipt',
  receipts: 'Receipts of a payment',
} as const satisfies Record<AuditDifference['object'], string>;

/** A form: whatever asks the payment service is a POST. */
export const compareButton = button('/staff/books', 'Compare the last day’s books', true);

/** The differences that an audit found; null: none was asked for yet. */
export function booksPage(books: Books | null): string {
  const { tone, title, text } = books === null ? notYet : verdict(books.found);
  const differences = books?.found?.differences ?? [];
  const body = html`
    <div class="narrow">
      <a class="back" href="/staff">← Payments desk</a>
      <div class="state ${tone}">
        <p class="mark">The shop’s books and the payment service’s</p>
        <h1 id="books-state">${title}</h1>
        <p>${text}</p>
        ${books && html`<p class="soft small">From ${moment(books.from)} to ${moment(books.to)}</p>`}
        <div class="actions">${compareButton}</div>
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

interface Verdict {
  tone: 'good' | 'wait' | 'bad';
  title: string;
  text: string;
}

const notYet: Verdict = {
  tone: 'wait',
  title: 'The last day’s books',
  text: 'The payments and refunds of the last 24 hours are compared with what the payment service lists.',
};

function verdict(found: Books['found']): Verdict {
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
  const outcome = auditVerdict(found);
  if (outcome === 'agree') return { tone: 'good', title: 'The books agree', text };
  if (outcome === 'agree_but_receipts') return { tone: 'wait', title: 'Payments and refunds agree', text };
  const title = `The books differ: ${differences.length}`;
  return { tone: 'bad', title, text: `${text} A change of the last minutes may still be on its way.` };
}

function differenceRow(difference: AuditDifference): Html {
  const { object, serviceId, paymentId, here, there } = difference;
  return html`<li data-difference="${difference.kind}">
    <div>
      <strong>${titles[object]}: ${differenceText(difference, shown)}</strong>
      <dl class="small">
        <dt>Here</dt>
        <dd>${auditedSideText(here, shown)}</dd>
        <dt>At the service</dt>
        <dd>${auditedSideText(there, shown)}</dd>
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

function shown(amount: Amount): string {
  return roubles(parseAmount(amount));
}
