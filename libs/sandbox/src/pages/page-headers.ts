import type { RequestHandler } from 'express';

interface Options {
  /** Additions to the Content-Security-Policy. Default: nothing. */
  readonly alsoAllowed?: string;
  /** Default: `no-referrer`. */
  readonly referrer?: 'no-referrer' | 'same-origin';
  /** Any site may show the page inside its own. Default: none may. */
  readonly framed?: boolean;
}

/**
 * Headers of every page: nothing from elsewhere is loaded, no other site frames it unless it is made for that, nothing is cached. No form-action: browsers
 * apply it to the redirect back to the shop as well.
 */
export function pageHeaders({
  alsoAllowed,
  referrer = 'no-referrer',
  framed = false,
}: Options = {}): RequestHandler {
  const policy = `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors ${framed ? '*' : `'none'`}`;
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
