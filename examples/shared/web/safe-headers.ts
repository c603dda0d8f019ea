import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Everything a page needs comes from its own site, so markup that slipped in could load or run nothing. No `form-action`:
 * browsers apply it to where a form leads in the end, and an order's leads to the payment page.
 */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'";

/**
 * Goes before every route, so that no answer is without them, errors included. What may be kept says so itself: all else
 * is somebody's own. An address may be all that opens an order, so no other site is told of it (`no-referrer` would hide
 * from us, too, where a form comes from).
 */
export function safeHeaders(_request: IncomingMessage, response: ServerResponse, next: () => void): void {
  response.setHeader('Content-Security-Policy', contentSecurityPolicy);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Referrer-Policy', 'same-origin');
  response.setHeader('Cache-Control', 'no-store');
  next();
}
