import { choices } from '../pages/choices.js';
import { html, type Html } from '../pages/html.js';
import type { Page } from '../pages/page.js';
import type { App } from '../partnership/apps.js';
import type { User } from '../partnership/users.js';
import type { Store } from '../stores/store.js';
import { permissionWords, type PermissionNames } from '../wire/permissions.js';
import { authorizationPage, type PageForm } from './authorization-layout.js';

interface Asked {
  readonly app: App;
  readonly user: User;
  /** The stores that the user owns. */
  readonly stores: readonly Store[];
  readonly names: PermissionNames;
  readonly error: string | null;
}

/** The page on which the owner chooses a store and grants the permissions, or refuses. */
export function consentPage({ app, user, stores, names, error }: Asked, form: PageForm): Page {
  return authorizationPage(
    'Access to your store',
    html`<h1>${app.name}</h1>
      <p data-testid="app">asks for access to a store of yours.</p>
      ${app.description === null ? null : html`<p>${app.description}</p>`}
      ${app.siteUrl === null ? null : html`<p class="aside"><a href="${app.siteUrl}" rel="noreferrer">${app.siteUrl}</a></p>`}
      ${permissionList(app, names)}
      ${error === null ? null : html`<p class="alert" data-testid="consent-error" role="alert">${error}</p>`}
      ${form('consent', stores.length === 0 ? nothingToGrant : storeChoice(stores))}
      ${form(
        'sign-out',
        html`<p class="aside">Signed in as <span data-testid="signed-in">${user.login}</span>.</p>
          <button type="submit" class="quiet" id="sign-out" data-testid="sign-out">
            Use another account
          </button>`,
      )}`,
  );
}

function permissionList({ permissions }: App, names: PermissionNames): Html {
  const free = (['payments_get', 'refunds_get'] as const)
    .filter((reading) => names[reading] === undefined)
    .map((reading) => permissionWords[reading]);
  return html`<section class="bank">
    <h2>What it may do</h2>
    <ul data-testid="permissions">
      ${permissions.map((permission) => html`<li>${permissionWords[permission]}</li>`)}
      ${[...free, "reading the store's settings"].map((words) => html`<li>${words}</li>`)}
    </ul>
  </section>`;
}

function storeChoice(stores: readonly Store[]): Html {
  const list = stores.map(({ accountId, name, demo }) => ({
    value: accountId,
    testId: `store-${accountId}`,
    label: name,
    hint: `${accountId}, ${demo ? 'demo store: no money moves' : 'real store'}`,
  }));
  return html`${choices('In which store', 'store', list)}
    <button type="submit" name="decision" value="approve" id="approve" data-testid="approve">
      Grant access
    </button>
    ${refuseButton}`;
}

const refuseButton = html`<button
  type="submit"
  name="decision"
  value="refuse"
  class="quiet"
  id="refuse"
  data-testid="refuse"
>
  Refuse
</button>`;

/** Only a user with the Owner role can grant rights. */
const nothingToGrant = html`<p class="alert" data-testid="no-store">
    Only the owner of a store can grant access, and you own none.
  </p>
  ${refuseButton}`;
