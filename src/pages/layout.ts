import { document, type Page } from '../../examples/shared/pages/document.js';
import { html } from '../../examples/shared/pages/html.js';

const mark = html`<svg viewBox="0 0 32 32" aria-hidden="true">
  <circle cx="16" cy="16" r="15" fill="#f6efe2" />
  <path d="M16 5q11 9 0 22-11-13 0-22z" fill="#24473d" />
  <path d="M16 11v15" stroke="#f6efe2" stroke-width="1.6" />
</svg>`;

const site = {
  name: 'Kettle & Leaf',
  header: html`<a class="brand" href="/">${mark} Kettle &amp; Leaf</a>
    <p>Small-batch tea, posted on weekdays</p>`,
  footer: 'Kettle & Leaf is an example shop. Nothing is ever posted, however good it smells.',
};

export function layout(page: Page): string {
  return document(page, site);
}
