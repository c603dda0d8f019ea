import { groundStyle } from '../../../style/src/index.js';
import { Html, html } from './html.js';

/** What pages look like; by default as the reader's device wants it. */
export const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** A whole document. Its styles and scripts run only in the answer that `show` makes of it. */
export interface Page {
  readonly title: string;
  /** On top of what all pages share. */
  readonly style: Html;
  readonly content: Html;
  /** Programs of the page, each without a word from elsewhere in it. Default: none. */
  readonly scripts?: readonly string[];
  /** Default: the device's. */
  readonly theme?: Theme | null;
}

export function page(title: string, style: Html, content: Html, scripts: readonly string[] = []): Page {
  return { title, style, content, scripts };
}

/** The document of one answer, whose policy allows what bears this nonce and nothing else. */
export function documentOf({ title, style, content, scripts = [], theme = null }: Page, nonce: string): Html {
  return html`<!doctype html>
    <html lang="en" ${theme === null ? null : html`data-theme="${theme}"`}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style nonce="${nonce}">
          ${new Html(groundStyle)}${style}
        </style>
      </head>
      <body>
        ${content}
        ${scripts.map(
          (code) =>
            html`<script type="module" nonce="${nonce}">
              ${new Html(code)};
            </script>`,
        )}
      </body>
    </html> `;
}
