import type { AppReport, StoreReport, TokenReport } from '../control/partnership-reports.js';
import { html, type Html } from '../pages/html.js';
import { permissionsNamed, permissionWords, type PermissionNames } from '../wire/permissions.js';
import { actionButton, empty, json, moment, newest, panel, shortId, statusWord } from './parts.js';
import type { View } from './view.js';

const MOST_SHOWN = 50;

/** The stores and their owners, the partner apps, and their tokens. */
export function storesTab({ sandbox, stores }: View): Html {
  const names = stores.own.names.permissions;
  const tokens = sandbox.tokens.list().toReversed();
  return html`${list('stores', 'Stores', sandbox.stores.list().map(storeItem), html`<code>POST /sandbox/stores</code> makes one.`)}
  ${list(
    'apps',
    'Partner apps',
    sandbox.apps.list().map((app) => appItem(app, names)),
    html`No app yet. <code>POST /sandbox/apps</code> registers one.`,
  )}
  ${list('tokens', 'Their tokens', tokens.map(tokenItem), html`None yet. An owner gives them on the authorization page.`)}`;
}

function list(id: 'stores' | 'apps' | 'tokens', title: string, items: readonly Html[], none: Html): Html {
  const { shown, rest } = newest(items, MOST_SHOWN);
  return panel(
    id,
    title,
    shown.length === 0
      ? empty(none)
      : html`<ul class="rows">
            ${shown}
          </ul>
          ${rest}`,
    json(id),
  );
}

function storeItem({ accountId, name, owner, demo, status, methods }: StoreReport): Html {
  const [next, label] = status === 'enabled' ? ['disabled', 'Disable'] : ['enabled', 'Enable'];
  return html`<li data-testid="store-item">
    <div>
      <strong>${name}</strong> <code>${accountId}</code> ${statusWord(status)}
      <p class="hint">${demo ? 'demo, ' : ''}owner ${owner}, ${methods.join(', ')}</p>
    </div>
    ${actionButton('set-store-status', { id: accountId, status: next }, label, 'set-store-status')}
  </li>`;
}

function appItem({ clientId, name, callbackUrl, permissions }: AppReport, names: PermissionNames): Html {
  return html`<li data-testid="app">
    <div>
      <strong>${name}</strong> <code>${clientId}</code>, owners go back to <code>${callbackUrl}</code>
      <p class="hint">
        ${permissionsNamed(names, permissions)
          .map((permission) => permissionWords[permission])
          .join(', ')}
      </p>
    </div>
  </li>`;
}

/** The token itself is not stored: only who may do what with it. */
function tokenItem({ id, clientId, accountId, status, expiresAt, webhooks }: TokenReport): Html {
  return html`<li data-testid="token">
    <div>
      <strong>${clientId}</strong> acts for <code>${accountId}</code> ${statusWord(status)} ${shortId(id)}
      <p class="hint">until ${moment(expiresAt)}, webhooks: ${String(webhooks.length)}</p>
    </div>
    ${
      status === 'good'
        ? html`<div class="acts">
            ${actionButton('revoke-token', { id }, 'Revoke as the owner', 'revoke-token')}
            ${actionButton('expire-token', { id }, 'Let it expire', 'expire-token')}
          </div>`
        : null
    }
  </li>`;
}
