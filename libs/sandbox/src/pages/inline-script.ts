import { createHash } from 'node:crypto';
import { Html } from './html.js';

/** A script inside a page; `policy`: what the page's Content-Security-Policy has to allow for it. */
export function inlineScript(source: string): { readonly script: Html; readonly policy: string } {
  return {
    script: new Html(`<script type="module">${source}</script>`),
    policy: `script-src 'sha256-${createHash('sha256').update(source).digest('base64')}'`,
  };
}
