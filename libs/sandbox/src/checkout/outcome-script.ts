import { html, type Html } from '../pages/html.js';
import { inlineScript } from '../pages/inline-script.js';

/** Any page may show the form, so any may hear what became of it: a name that it already has, and one word. */
const { script, source } = inlineScript(`
const { token, event, error } = document.getElementById('outcome').dataset;
if (parent !== window) parent.postMessage({ checkout: token, event, error }, '*');
`);

export const outcomeScriptSource = source;

/** Tells the widget around the page what became of the payment. */
export function outcome(token: string, event: 'success' | 'fail'): Html {
  return html`<div id="outcome" data-token="${token}" data-event="${event}"></div>
    ${script}`;
}

/** Tells the widget that there is nothing to pay by its token. */
export function tokenError(token: string): Html {
  return html`<div id="outcome" data-token="${token}" data-event="error" data-error="invalid_token"></div>
    ${script}`;
}
