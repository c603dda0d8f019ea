import { html } from '../pages/html.js';
import type { Page } from '../pages/page.js';
import type { App } from '../partnership/apps.js';
import { PASSWORD, type User } from '../partnership/users.js';
import { authorizationPage, type PageForm } from './authorization-layout.js';

/** As many as a person reads. */
const MOST_SHOWN = 10;

/** The page on which the user signs in. */
export function signInPage(app: App, form: PageForm, users: readonly User[], error: string | null): Page {
  const invalid = error === null ? null : html`aria-invalid="true" aria-describedby="sign-in-error"`;
  return authorizationPage(
    'Sign in',
    html`<h1>Sign in</h1>
      <p><strong>${app.name}</strong> asks for access to your store.</p>
      ${error === null ? null : html`<p class="alert" id="sign-in-error" data-testid="sign-in-error" role="alert">${error}</p>`}
      ${form(
        'sign-in',
        html`<div class="field">
            <label for="login">Login</label>
            <input id="login" name="login" data-testid="login" autocomplete="username" ${invalid} />
          </div>
          <div class="field">
            <label for="password">Password</label>
            <input
              id="password"
              name="password"
              type="password"
              data-testid="password"
              autocomplete="current-password"
              ${invalid}
            />
          </div>
          <button type="submit" id="sign-in" data-testid="sign-in">Sign in</button>`,
      )}
      <details open>
        <summary>Who can sign in</summary>
        <p>The password of all is <strong>${PASSWORD}</strong>.</p>
        <table data-testid="users">
          <thead>
            <tr>
              <th scope="col">Login</th>
              <th scope="col">Who</th>
            </tr>
          </thead>
          <tbody>
            ${users.slice(0, MOST_SHOWN).map(
              ({ login, name }) =>
                html`<tr>
                  <td>${login}</td>
                  <td>${name}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </details>`,
  );
}
