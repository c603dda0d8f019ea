import type { Response } from 'express';
import { randomBytes } from 'node:crypto';
import { documentOf, type Page } from './page.js';

/** Answers with a page. Completes the policy that `pageHeaders` began: only this answer's own style and scripts run. */
export function show(response: Response, status: number, page: Page): void {
  const nonce = randomBytes(16).toString('base64');
  const scripts =
    page.scripts === undefined || page.scripts.length === 0
      ? ''
      : `; script-src 'nonce-${nonce}'; connect-src 'self'`;
  response.set(
    'Content-Security-Policy',
    `${response.get('Content-Security-Policy') ?? ''}; style-src 'nonce-${nonce}'${scripts}`,
  );
  response.status(status).type('html').send(documentOf(page, nonce).markup);
}
