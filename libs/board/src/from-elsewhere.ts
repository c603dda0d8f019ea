import { ForbiddenException } from '@nestjs/common';

/** As an HTTP server has them. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Whether a browser says that another site makes the request. Browsers name the site in Sec-Fetch-Site; older ones in Origin, which is
 * compared with the host that was asked. What sends neither is no browser, and has no visitor's cookies to misuse.
 */
export function isFromElsewhere(headers: RequestHeaders): boolean {
  const site = headers['sec-fetch-site'];
  if (typeof site === 'string') return site !== 'same-origin' && site !== 'none';
  const { origin, host } = headers;
  if (typeof origin !== 'string') return false;
  return !URL.canParse(origin) || new URL(origin).host !== host;
}

/** @throws ForbiddenException for a form that another site has sent */
export function mustBeOurs(headers: RequestHeaders): void {
  if (isFromElsewhere(headers)) throw new ForbiddenException('Another site has sent this form.');
}
