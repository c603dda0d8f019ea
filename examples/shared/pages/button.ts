import { html, type Html } from './html.js';

/** A form of one button: everything that changes something is a POST. */
export function button(action: string, label: string, quiet = false): Html {
  return html`<form method="post" action="${action}">
    <button class="button ${quiet && 'quiet'}" type="submit">${label}</button>
  </form>`;
}
