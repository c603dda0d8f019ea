import type { PartnershipControl, StoreReport, TokenReport } from '../control/partnership-reports.js';
import { html, type Html } from '../pages/html.js';
import { permissionsNamed, permissionWords, type PermissionNames } from '../wire/permissions.js';
import { actionButton, moment, section, shortId, statusChip } from './parts.js';

/** As many of each as a person reads; the rest is in the JSON. */
const MOST_SHOWN = 50;

/** The partnership program: the owners of the stores, the apps, and their tokens. */
export function partnershipSection(
  { stores, apps, tokens }: PartnershipControl,
  names: PermissionNames,
): Html {
  const [allStores, allApps, allTokens] = [stores.list(), apps.list(), tokens.list()];
  return section(
    'partnership',
    'Stores and partner apps',
    html`<ul class="rows">
        ${allStores.slice(0, MOST_SHOWN).map(storeItem)}
      </ul>
      ${more(allStores, 'stores')}
      ${
        allApps.length === 0
          ? html`<p class="empty">No app yet. <code>POST /sandbox/apps</code> registers one.</p>`
          : html`<ul class="rows">
              ${allApps.slice(0, MOST_SHOWN).map(
                ({ clientId, name, callbackUrl, permissions }) =>
                  html`<li data-testid="app">
                    <div>
                      <strong>${name}</strong> <code>${clientId}</code>, owners go back to
                      <code>${callbackUrl}</code>
                      <span class="hint"
                        >${permissionsNamed(names, permissions)
                          .map((permission) => permissionWords[permission])
                          .join(', ')}</span
                      >
                    </div>
                  </li>`,
              )}
            </ul>`
      }
      ${more(allApps, 'apps')}
      <ul class="rows">
        ${allTokens.toReversed().slice(0, MOST_SHOWN).map(tokenItem)}
      </ul>
      ${more(allTokens, 'tokens')}`,
    html`<span
      ><a href="/sandbox/stores">Stores</a>, <a href="/sandbox/apps">apps</a>,
      <a href="/sandbox/tokens">tokens (JSON)</a></span
    >`,
  );
}

function storeItem({ accountId, name, owner, demo, status, methods }: StoreReport): Html {
  const [next, label] = status === 'enabled' ? ['disabled', 'Disable'] : ['enabled', 'Enable'];
  return html`<li data-testid="store-item">
    <div>
      <strong>${name}</strong> <code>${accountId}</code> ${statusChip(status)}
      <span class="hint">${demo ? 'demo, ' : ''}owner ${owner}, ${methods.join(', ')}</span>
    </div>
    ${actionButton('set-store-status', { id: accountId, status: next }, label, 'set-store-status')}
  </li>`;
}

/** The token itself is not stored: only who may do what with it. */
function tokenItem({ id, clientId, accountId, status, expiresAt, webhooks }: TokenReport): Html {
  return html`<li data-testid="token">
    <div>
      <strong>${clientId}</strong> acts for <code>${accountId}</code> ${statusChip(status)} ${shortId(id)}
      <span class="hint">until ${moment(expiresAt)}, webhooks: ${String(webhooks.length)}</span>
    </div>
    ${
      status === 'good'
        ? html`<div class="buttons">
            ${actionButton('revoke-token', { id }, 'Revoke as the owner', 'revoke-token')}
            ${actionButton('expire-token', { id }, 'Let it expire', 'expire-token')}
          </div>`
        : null
    }
  </li>`;
}

function more({ length }: readonly unknown[], what: string): Html | null {
  return length > MOST_SHOWN
    ? html`<p class="hint">${String(MOST_SHOWN)} of ${String(length)} ${what}.</p>`
    : null;
}
