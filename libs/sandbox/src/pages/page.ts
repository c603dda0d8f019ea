import { baseStyle } from './base-style.js';
import { html, type Html } from './html.js';

/** A whole HTML document. */
export function page(title: string, style: Html, content: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>
          ${baseStyle}${style}
        </style>
      </head>
      <body>
        ${content}
      </body>
    </html> `;
}
