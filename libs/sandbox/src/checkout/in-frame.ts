import { html, type Html } from '../pages/html.js';

/** What `main` of a page has that is shown in a page of the shop. */
export function inFrame(token: string): Html {
  return html`class="framed" data-token="${token}"`;
}

/** Tells the widget around the page what became of the payment. */
export function outcome(event: 'success' | 'fail'): Html {
  return html`<div id="outcome" data-event="${event}"></div>`;
}

/** Tells the widget that there is nothing to pay by its token. */
export function tokenError(): Html {
  return html`<div id="outcome" data-event="error" data-error="invalid_token"></div>`;
}
