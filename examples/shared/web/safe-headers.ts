import type { NextFunction, Request, Response } from 'express';

/**
 * Everything a page needs comes from its own site, so injected markup could load or run nothing. No `form-action`: browsers apply
 * it to where a form finally leads, and an order's form leads to the payment page.
 */
const strictPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'";
/** A page that waits looks again by a script of its site. */
const ownScripts = "script-src 'self'; connect-src 'self'";

/** For a page that also runs scripts of these origins, and may show their frames. */
export function contentSecurityPolicy(origins: readonly string[]): string {
  const from = origins.join(' ');
  return `${strictPolicy}; script-src 'self' ${from}; frame-src ${from}; connect-src 'self' ${from}`;
}

/** Not for subdomains: they need not be ours. */
const YEAR_S = 365 * 86_400;

/**
 * Applied before every route, so that every answer has them, including errors. Answers that may be cached say so themselves; all
 * others are personal. An address may be all that is needed to open an order, so no other site receives it (`no-referrer` would
 * also hide from us where a form comes from).
 */
export function safeHeaders({ secure }: Request, response: Response, next: NextFunction): void {
  response.setHeader('Content-Security-Policy', `${strictPolicy}; ${ownScripts}`);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Referrer-Policy', 'same-origin');
  response.setHeader('Cache-Control', 'no-store');
  if (secure) response.setHeader('Strict-Transport-Security', `max-age=${YEAR_S}`);
  next();
}
