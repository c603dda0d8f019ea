import type { Store } from '@holdfast/payments/partner';

import { html, type Html } from '../../shared/pages/html.js';
import { noticeText } from '../../shared/web/notice.js';
import { findOwner, type Owner } from '../owners/owners.js';
import { layout } from './layout.js';
import { nameOf, takesPayments } from './store-words.js';

const notices = new Map([
  ['sign_in', 'Sign in first: that page is for owners.'],
  ['not_signed_in', 'We do not know that owner. Please try once more.'],
]);

interface Visit {
  owner: Owner | null;
  /** The forms by which an owner signs in. */
  signIn: Html;
  notice: string | undefined;
}

export function homePage(stores: readonly Store[], { owner, signIn, notice }: Visit): string {
  const text = noticeText(notice, notices);
  const open = stores.filter(takesPayments);
  const body = html`
    ${text && html`<p class="notice" role="status">${text}</p>`}
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
    ${owner === null && ownersPanel(signIn)}
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

function ownersPanel(signIn: Html): Html {
  return html`<section class="panel" aria-label="For owners">
    <h2>You have a shop here?</h2>
    ${signIn}
  </section>`;
}
