import { html, type Content } from './html.js';

export interface Page {
  title: string;
  body: Content;
  /** A page that waits for something reloads itself after this long. */
  reloadAfterSeconds?: number;
}

export function layout({ title, body, reloadAfterSeconds }: Page): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${reloadAfterSeconds !== undefined && html`<meta http-equiv="refresh" content="${reloadAfterSeconds}" />`}
        <title>${title} · Kettle &amp; Leaf</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/styles.css" />
      </head>
      <body>
        <header class="top">
          <div class="wrap">
            <a class="brand" href="/">${mark} Kettle &amp; Leaf</a>
            <p>Small-batch tea, posted on weekdays</p>
          </div>
        </header>
        <main class="wrap">${body}</main>
        <footer class="bottom">
          <div class="wrap">
            Kettle &amp; Leaf is an example shop. Nothing is ever posted, however good it smells.
          </div>
        </footer>
      </body>
    </html>`
    .toString()
    .trim();
}

const mark = html`<svg viewBox="0 0 32 32" aria-hidden="true">
  <circle cx="16" cy="16" r="15" fill="#f6efe2" />
  <path d="M16 5q11 9 0 22-11-13 0-22z" fill="#24473d" />
  <path d="M16 11v15" stroke="#f6efe2" stroke-width="1.6" />
</svg>`;
