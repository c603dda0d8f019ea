import type { RequestHandler } from 'express';

interface Options {
  /** Additions to the Content-Security-Policy. Default: nothing. */
  readonly alsoAllowed?: string;
  /** Default: `no-referrer`. */
  readonly referrer?: 'no-referrer' | 'same-origin';
}

/**
 * Headers of every page: nothing from elsewhere is loaded, no other site frames it, nothing is cached. No form-action: browsers
 * apply it to the redirect back to the shop as well.
 */
export function pageHeaders({ alsoAllowed, referrer = 'no-referrer' }: Options = {}): RequestHandler {
  const policy = `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'`;
  return (_request, response, next) => {
    response.set({
      'Content-Security-Policy': alsoAllowed === undefined ? policy : `${policy}; ${alsoAllowed}`,
      'Cache-Control': 'no-store',
      'Referrer-Policy': referrer,
      'X-Content-Type-Options': 'nosniff',
    });
    next();
  };
}
