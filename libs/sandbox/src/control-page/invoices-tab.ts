import type { WireInvoice } from '../invoices/invoice.js';
import { html, type Html } from '../pages/html.js';
import {
  actionButton,
  empty,
  json,
  momentAgo,
  newest,
  panel,
  paymentLink,
  shortId,
  statusWord,
  table,
} from './parts.js';
import type { View } from './view.js';

const MOST_SHOWN = 100;

/** The newest invoices, with what their buyers and the Merchant Profile do to them. */
export function invoicesTab({ sandbox, now }: View): Html {
  const invoices = sandbox.invoices.list();
  const { shown, rest } = newest(invoices, MOST_SHOWN);
  return panel(
    'invoices',
    'All invoices',
    invoices.length === 0
      ? empty(html`None yet. The shop makes them with <code>POST /v3/invoices</code>.`)
      : html`${table(
          'Invoices, the newest first',
          ['For', 'Status', 'Paid by', 'Made', ''],
          shown.map((invoice) => invoiceRow(invoice, now)),
        )}${rest}`,
    json('invoices'),
  );
}

function invoiceRow(invoice: WireInvoice, now: Date): Html {
  const { id, status, description, created_at: createdAt, delivery_method: delivery } = invoice;
  return html`<tr data-testid="invoice">
    <th scope="row">${description ?? 'no description'} <small>${shortId(id)}</small></th>
    <td class="state">${statusWord(status)}</td>
    <td>${invoice.payment_details ? paymentLink(invoice.payment_details.id) : null}</td>
    <td class="when">${momentAgo(createdAt, now)}</td>
    <td class="fill">
      ${
        status === 'pending'
          ? html`<div class="acts">
              ${actionButton('pay-invoice', { id }, 'Pay by card', 'pay-invoice')}
              ${delivery?.url === undefined ? null : html`<a class="btn" href="${delivery.url}">Open its page</a>`}
              ${actionButton('cancel-invoice', { id }, 'Cancel as in the Merchant Profile', 'cancel-invoice')}
            </div>`
          : null
      }
    </td>
  </tr>`;
}
