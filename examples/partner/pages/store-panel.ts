import type { Store } from '@holdfast/payments/partner';

import { button } from '../../shared/pages/form.js';
import { moment } from '../../shared/pages/format.js';
import { html, type Html } from '../../shared/pages/html.js';
import { methodsText, takesPayments } from './store-words.js';

/** What the service has reported about a store. */
export function storeFacts(store: Store): Html {
  const { accountId, connectedAt, tokenExpiresAt } = store;
  return html`<dl class="small">
    <dt>Account</dt>
    <dd><code>${accountId}</code></dd>
    <dt>Payment methods</dt>
    <dd>${methodsText(store)}</dd>
    <dt>Connected on</dt>
    <dd>${moment(connectedAt)}</dd>
    ${
      tokenExpiresAt !== null &&
      html`<dt>Access ends on</dt>
        <dd>${moment(tokenExpiresAt)}</dd>`
    }
  </dl>`;
}

/** What its owner can do with a store now. */
export function storeActions(store: Store): Html {
  const { id, status } = store;
  return html`<div class="actions">
    ${status !== 'connected' && button('/stores/connect', 'Connect again')}
    ${takesPayments(store) && html`<a class="button" href="/shops/${id}">Open the shop</a>`}
    ${status !== 'disconnected' && button(`/stores/${id}/refresh`, 'Check now', true)}
    ${status !== 'disconnected' && button(`/stores/${id}/disconnect`, 'Disconnect', true)}
  </div>`;
}
