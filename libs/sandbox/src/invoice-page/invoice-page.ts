import { barePage } from '../checkout/checkout-layout.js';
import { formatMinor } from '../common/money.js';
import type { Invoice } from '../invoices/invoice.js';
import { html } from '../pages/html.js';
import type { Page } from '../pages/page.js';
import { roubles } from '../pages/roubles.js';

/** What is to be paid, and the way to pay it. */
export function invoiceSheet({ id, store, cart, description, payment }: Invoice): Page {
  return barePage(
    'Invoice',
    html`<p class="shop" data-testid="shop">${store.name}</p>
      <p class="badge">Sandbox: no money moves</p>
      <h1 data-testid="amount">${roubles(formatMinor(payment.amountMinor))}</h1>
      ${description === null ? null : html`<p data-testid="description">${description}</p>`}
      <ul>
        ${cart.map((line) => html`<li>${String(line['description'])} × ${String(line['quantity'])}</li>`)}
      </ul>
      <form method="post" action="/invoice/${id}/pay" id="invoice-form">
        <button type="submit" id="pay" data-testid="pay">Pay</button>
      </form>`,
  );
}

export function endedInvoicePage({ status }: Invoice): Page {
  return barePage(
    'Invoice',
    html`<p data-testid="invoice-status" data-status="${status}">
      ${status === 'succeeded' ? 'This invoice is paid. Thank you.' : 'This invoice was canceled.'}
    </p>`,
  );
}

export function unknownInvoicePage(): Page {
  return barePage('No such invoice', html`<h1>No such invoice</h1>`);
}
