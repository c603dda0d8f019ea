import { createHash } from 'node:crypto';
import { Html } from './html.js';

/** A script inside a page; `source`: what the page's Content-Security-Policy has to allow for it. */
export function inlineScript(code: string): { readonly script: Html; readonly source: string } {
  return {
    script: new Html(`<script type="module">${code}</script>`),
    source: `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
  };
}
