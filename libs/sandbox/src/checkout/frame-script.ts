import { html, type Html } from '../pages/html.js';

/** Any page may show the form, so any may hear of it: a name that it already has, how high the form is, and what became of the payment. */
export const frameScript = `
const { token } = document.querySelector('main').dataset;
const outcome = document.getElementById('outcome')?.dataset;
const tell = (news) => { if (parent !== window) parent.postMessage({ checkout: token, ...news }, '*'); };
new ResizeObserver(() => tell({ height: Math.ceil(document.querySelector('main').getBoundingClientRect().height) }))
  .observe(document.querySelector('main'));
if (outcome) tell({ event: outcome.event, error: outcome.error });
`;

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
