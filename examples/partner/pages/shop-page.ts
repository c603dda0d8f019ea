import type { Store } from '@holdfast/payments/partner';
import { roubles } from '../../shared/pages/format.js';
import { html, type Html } from '../../shared/pages/html.js';
import { newReference } from '../../shared/web/reference.js';
import { findOwner, type Item, type Owner } from '../owners/owners.js';
import { layout } from './layout.js';
import { nameOf, takesPayments } from './store-words.js';

/** Where buyers buy. */
export function shopPage(store: Store, visitor: Owner | null): string {
  const owner = findOwner(store.ownerRef);
  const isOpen = takesPayments(store);
  const body = html`
    <a class="back" href="/">← All shops</a>
    <div class="lead">
      <span class="tag plain">${owner?.trade}</span>
      <h1>${nameOf(store)}</h1>
      <p>Made by ${owner?.name}. You pay into this shop’s own store.</p>
      ${!isOpen && html`<p class="note" id="closed">This shop takes no payments at the moment. Please come back later.</p>`}
    </div>
    <ul class="grid items">
      ${owner?.items.map((item) => itemCard(store, item, isOpen))}
    </ul>
  `;
  return layout({ title: nameOf(store), body }, visitor);
}

function itemCard({ id }: Store, { slug, name, about, priceMinor }: Item, isOpen: boolean): Html {
  return html`<li>
    <article class="panel" aria-label="${name}">
      <div>
        <h2>${name}</h2>
        <p class="soft">${about}</p>
      </div>
      <div class="head">
        <span class="price">${roubles(priceMinor)}</span>
        ${
          isOpen &&
          html`<form method="post" action="/shops/${id}/sales">
            <input type="hidden" name="reference" value="${newReference()}" />
            <input type="hidden" name="item" value="${slug}" />
            <button class="button" type="submit">Buy</button>
          </form>`
        }
      </div>
    </article>
  </li>`;
}
