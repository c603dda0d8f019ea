import { document, type Page } from '../../shared/pages/document.js';
import { html, type Content } from '../../shared/pages/html.js';
import type { Owner } from '../owners/owners.js';

const mark = html`<svg viewBox="0 0 32 32" aria-hidden="true">
  <path d="M4 6h24l2 9H2z" fill="#f6efe2" />
  <path d="M9 6h5v9H9zM18 6h5v9h-5z" fill="#d98a5b" />
  <path d="M5 15h22v12H5z" fill="#f6efe2" />
  <path d="M18 19h5v8h-5zM8 19h7v4H8z" fill="#2f3e6b" />
</svg>`;

const footer =
  'Market Row is an example platform: many shops, and each is paid into its own store. Nothing is ever delivered.';

export function layout(page: Page, owner: Owner | null): string {
  const header = html`<a class="brand" href="/">${mark} Market Row</a> ${ownerLinks(owner)}`;
  return document(page, { name: 'Market Row', header, footer });
}

function ownerLinks(owner: Owner | null): Content {
  if (owner === null) return html`<p>Small shops, side by side</p>`;
  return html`<div class="who">
    <a href="/stores">My stores</a>
    <form method="post" action="/sign-out">
      <button type="submit">Sign out, ${owner.name}</button>
    </form>
  </div>`;
}
