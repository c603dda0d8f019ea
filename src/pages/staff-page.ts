import { moment, roubles } from '../../examples/shared/pages/format.js';
import { html, type Html } from '../../examples/shared/pages/html.js';
import { findProduct } from '../catalog/products.js';
import type { WaitingOrders } from '../orders/orders.service.js';
import type { ShopOrder } from '../orders/shop-order.entity.js';
import { layout } from './layout.js';

/** What the staff have to do for orders; how payments are is told on the board alone. */
export function staffPage({ orders, hasMore }: WaitingOrders): string {
  const title = 'Orders that wait';
  const body = html`
    <div class="narrow panels">
      <div class="head">
        <h1>${title}</h1>
        <a class="button quiet" href="/staff/payments/overview">Payments</a>
      </div>
      <section class="panel">
        ${
          orders.length === 0
            ? html`<p class="soft">No order waits to be shipped or handed over.</p>`
            : html`<ul class="rows">
                ${orders.map(row)}
              </ul>`
        }
        ${hasMore && html`<p class="soft">These are the oldest. More follow as they are done.</p>`}
      </section>
    </div>
  `;
  return layout({ title, body });
}

function row({ reference, state, productSlug, quantity, buyerName, totalMinor, createdAt }: ShopOrder): Html {
  const act = state === 'held' ? 'Ship it, or cancel it' : 'Hand it over';
  return html`<li data-order="${state}">
    <div>
      <p><a href="/staff/orders/${reference}">Order ${reference}</a>: ${act}</p>
      <p class="soft small">
        ${findProduct(productSlug)?.name ?? productSlug} ×&nbsp;${quantity} for ${buyerName},
        ${moment(createdAt)}
      </p>
    </div>
    <span class="price">${roubles(totalMinor)}</span>
  </li>`;
}
