type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Whether a browser says that another site makes the request. Browsers name the site in Sec-Fetch-Site; older ones in Origin, which is
 * compared with the host that was asked. What sends neither is no browser, and has no visitor's cookies to misuse.
 */
export function isFromElsewhere(headers: Headers): boolean {
  const site = headers['sec-fetch-site'];
  if (typeof site === 'string') return site !== 'same-origin' && site !== 'none';
  const { origin, host } = headers;
  if (typeof origin !== 'string') return false;
  return !URL.canParse(origin) || new URL(origin).host !== host;
}
