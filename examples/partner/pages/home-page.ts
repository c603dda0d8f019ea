import type { Store } from '@holdfast/payments';

import { html, type Content, type Html } from '../../../src/pages/html.js';
import { findOwner, owners, type Owner } from '../owners/owners.js';
import { layout } from './layout.js';
import { nameOf, takesPayments } from './store-words.js';

interface Visit {
  owner: Owner | null;
  asksToSignIn: boolean;
}

export function homePage(stores: readonly Store[], { owner, asksToSignIn }: Visit): string {
  const open = stores.filter(takesPayments);
  const body = html`
    ${asksToSignIn && html`<p class="notice" role="status">Sign in first: that page is for owners.</p>`}
    <div class="lead">
      <h1>Small shops, side by side</h1>
      <p>Buy from people who make things. What you pay goes into the shop’s own store, not into ours.</p>
    </div>
    ${
      open.length === 0
        ? html`<p class="empty">No shop is open yet: an owner has to connect a store first.</p>`
        : html`<ul class="grid">
            ${open.map(shopCard)}
          </ul>`
    }
    ${ownersPanel(owner)}
  `;
  return layout({ title: 'Shops', body }, owner);
}

function shopCard(store: Store): Html {
  const owner = findOwner(store.ownerRef);
  return html`<li>
    <article class="card">
      <div class="text">
        <span class="tag plain">${owner?.trade}</span>
        <h2><a href="/shops/${store.id}">${nameOf(store)}</a></h2>
        <p class="soft">${owner?.name}: ${owner?.items.map(({ name }) => name).join(', ')}</p>
      </div>
    </article>
  </li>`;
}

function ownersPanel(owner: Owner | null): Content {
  if (owner !== null) return null;
  return html`<section class="panel" aria-label="For owners">
    <div>
      <h2>You have a shop here?</h2>
      <p class="soft">Sign in as one of the demo’s owners. It takes no password.</p>
    </div>
    <div class="actions">
      ${owners.map(
        ({ id, name, trade }) =>
          html`<form method="post" action="/sign-in">
            <input type="hidden" name="owner" value="${id}" />
            <button class="button quiet" type="submit">${name}, ${trade.toLowerCase()}</button>
          </form>`,
      )}
    </div>
  </section>`;
}
