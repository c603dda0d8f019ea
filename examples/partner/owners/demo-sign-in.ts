import { formText } from '../../shared/pages/form.js';
import { html } from '../../shared/pages/html.js';
import type { OwnerSignIn } from './owner-sign-in.js';
import { findOwner, owners } from './owners.js';

/** Anybody as any owner: for the sandbox, where no money moves. */
export const demoSignIn: OwnerSignIn = {
  form: html`<p class="soft">
      Sign in as one of the demo’s owners. It takes no password: no money moves here.
    </p>
    <div class="actions">
      ${owners.map(
        ({ id, name, trade }) =>
          html`<form method="post" action="/sign-in">
            <input type="hidden" name="owner" value="${id}" />
            <button class="button quiet" type="submit">${name}, ${trade.toLowerCase()}</button>
          </form>`,
      )}
    </div>`,
  check: (form) => Promise.resolve(findOwner(formText(form, 'owner'))),
};
