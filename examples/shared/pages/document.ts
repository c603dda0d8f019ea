import { html, type Content } from './html.js';
import { waitingHead, type Waiting } from './waiting.js';

export interface Page {
  title: string;
  body: Content;
  /** A page that waits for something looks again by itself. */
  waiting?: Waiting | undefined;
}

/** What surrounds the body of all pages of a site. */
interface Site {
  name: string;
  header: Content;
  footer: Content;
}

export function document({ title, body, waiting }: Page, { name, header, footer }: Site): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${waiting && waitingHead(waiting)}
        <title>${title} · ${name}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/styles.css" />
      </head>
      <body>
        <header class="top"><div class="wrap">${header}</div></header>
        <main class="wrap">${body}</main>
        <footer class="bottom"><div class="wrap">${footer}</div></footer>
      </body>
    </html>`
    .toString()
    .trim();
}
