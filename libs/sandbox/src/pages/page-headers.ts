import type { RequestHandler } from 'express';

interface Options {
  /** Default: `no-referrer`. */
  readonly referrer?: 'no-referrer' | 'same-origin';
  /** Any site may show the page inside its own. Default: none may. */
  readonly framed?: boolean;
  /**
   * Its forms lead nowhere else. Default: they may, for browsers apply this to the redirect back to the shop as well.
   */
  readonly ownFormsOnly?: boolean;
}

/**
 * Headers of every page: nothing from elsewhere is loaded, no other site frames it unless it is made for that, nothing is cached. `show` adds to the
 * policy what the page itself contains.
 */
export function pageHeaders({
  referrer = 'no-referrer',
  framed = false,
  ownFormsOnly = false,
}: Options = {}): RequestHandler {
  const policy = [
    `default-src 'none'`,
    `base-uri 'none'`,
    ...(ownFormsOnly ? [`form-action 'self'`] : []),
    `frame-ancestors ${framed ? '*' : `'none'`}`,
  ].join('; ');
  return (_request, response, next) => {
    response.set({
      'Content-Security-Policy': policy,
      'Cache-Control': 'no-store',
      'Referrer-Policy': referrer,
      'X-Content-Type-Options': 'nosniff',
    });
    next();
  };
}
