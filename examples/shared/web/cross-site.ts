import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether another site's page made the browser send this request: it would still carry the staff's password. Browsers say so in
 * `Sec-Fetch-Site`, over plain HTTP only in `Origin`; a program that sends neither is no browser.
 */
export function isCrossSite({
  'sec-fetch-site': site,
  origin,
  host,
}: Pick<IncomingHttpHeaders, 'origin' | 'host'> & { readonly 'sec-fetch-site'?: unknown }): boolean {
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && hostOf(origin) !== host;
}

/** A browser that hides the origin of a form sends `null`, which is no address. */
function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
