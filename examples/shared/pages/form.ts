import { html, type Content, type Html } from './html.js';

/** A form of one button: everything that changes something is a POST. */
export function button(action: string, label: string, quiet = false, fields: Content = null): Html {
  return html`<form method="post" action="${action}">
    ${fields}
    <button class="button ${quiet && 'quiet'}" type="submit">${label}</button>
  </form>`;
}

/**
 * The text of this form field, trimmed; empty if there is none. A field can be repeated and then arrives as a list: only text
 * counts.
 */
export function formText(body: unknown, name: string): string {
  const fields: object = typeof body === 'object' && body !== null ? body : {};
  const value: unknown = new Map(Object.entries(fields)).get(name);
  return typeof value === 'string' ? value.trim() : '';
}
