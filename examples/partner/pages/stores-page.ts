import type { Store } from '@holdfast/payments/partner';

import { button } from '../../shared/pages/form.js';
import { html, type Content, type Html } from '../../shared/pages/html.js';
import type { Owner } from '../owners/owners.js';
import { connectErrorText } from './connect-words.js';
import { layout } from './layout.js';
import { storeActions, storeFacts } from './store-panel.js';
import { nameOf, statusText, storeTags } from './store-words.js';

/** What the redirect from the service carries. */
interface Outcome {
  store: string | undefined;
  error: string | undefined;
}

export function storesPage(owner: Owner, stores: readonly Store[], outcome: Outcome): string {
  const body = html`
    <div class="narrow">
      ${notice(stores, outcome)}
      <div class="state">
        <h1>My stores</h1>
        <p class="soft">
          Connect your store at the payment service. You sign in there and choose which one; we never see your
          password.
        </p>
        <div class="actions">
          ${button('/stores/connect', stores.length === 0 ? 'Connect a store' : 'Connect another store', stores.length > 0)}
        </div>
      </div>
      <div class="panels">
        ${stores.length === 0 ? html`<p class="empty">No store is connected yet.</p>` : stores.map(panel)}
      </div>
    </div>
  `;
  return layout({ title: 'My stores', body }, owner);
}

function notice(stores: readonly Store[], { store: connected, error }: Outcome): Content {
  const fault = connectErrorText(error);
  if (fault !== undefined) return html`<p class="notice bad" role="alert" id="connect-error">${fault}</p>`;
  const store = stores.find(({ id }) => id === connected);
  return store && html`<p class="notice" role="status">${nameOf(store)} is connected.</p>`;
}

function panel(store: Store): Html {
  return html`<section class="panel" data-account="${store.accountId}" data-store-status="${store.status}">
    <div class="head">
      <h2><a href="/stores/${store.id}">${nameOf(store)}</a></h2>
      ${storeTags(store)}
    </div>
    <p>${statusText(store)}</p>
    ${storeFacts(store)} ${storeActions(store)}
  </section>`;
}
