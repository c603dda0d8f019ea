import { roubles } from '../../examples/shared/pages/format.js';
import { html, type Html } from '../../examples/shared/pages/html.js';
import { isChargedAtOnce, type Product } from '../catalog/products.js';
import { illustration } from './illustration.js';
import { layout } from './layout.js';

const saleLabel: Record<Product['sale'], string | null> = {
  stock: null,
  in_advance: 'Paid in advance',
  pre_order: 'Pre-order',
  made_to_order: 'Made to order',
};

export function productListPage(products: readonly Product[]): string {
  const body = html`
    <div class="lead">
      <h1>Tea worth sitting down for</h1>
      <p>A short shelf, chosen leaf by leaf, and one good pot to brew them in.</p>
    </div>
    <ul class="grid">
      ${products.map(
        (product) =>
          html`<li>
            <article class="card">
              ${illustration(product)}
              <div class="text">
                ${tag(product)}
                <h2><a href="/products/${product.slug}">${product.name}</a></h2>
                <p class="soft">${product.tagline}</p>
              </div>
              <div class="foot">
                <span class="price">${roubles(product.priceMinor)}</span>
                <span class="soft small">${product.size}</span>
              </div>
            </article>
          </li>`,
      )}
    </ul>
  `;
  return layout({ title: 'Teas', body });
}

export function productPage(product: Product): string {
  const body = html`
    <a class="back" href="/">← All teas</a>
    <article class="product">
      ${illustration(product)}
      <div class="stack">
        ${tag(product)}
        <h1>${product.name}</h1>
        <p class="soft">${product.tagline} · ${product.size}</p>
        <p>${product.description}</p>
        ${
          !isChargedAtOnce(product) &&
          html`<p class="note">
            You pay today by reserving the amount on your card. It is charged on the day we ship.
          </p>`
        }
        ${
          product.sale === 'in_advance' &&
          html`<p class="note">You pay today. We hand it over in the shop when it is out of the kiln.</p>`
        }
        <p class="price">${roubles(product.priceMinor)}</p>
        <a class="button" href="/products/${product.slug}/checkout"
          >${isChargedAtOnce(product) ? 'Buy' : 'Reserve'}</a
        >
      </div>
    </article>
  `;
  return layout({ title: product.name, body });
}

function tag(product: Product): Html | null {
  const label = saleLabel[product.sale];
  return label === null ? null : html`<span class="tag">${label}</span>`;
}
