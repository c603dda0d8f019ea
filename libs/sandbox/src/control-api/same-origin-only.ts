import type { RequestHandler } from 'express';

/**
 * Refuses changes that come from a page of another origin: a browser sends a form to any address, including this machine's own.
 * Programs that are no browser send neither header.
 */
export const sameOriginOnly: RequestHandler = (request, response, next) => {
  if (request.method === 'GET' || request.method === 'HEAD') return next();
  const site = request.get('Sec-Fetch-Site');
  const origin = request.get('Origin');
  const own = `${request.protocol}://${request.host}`;
  const asked = site === undefined ? (origin ?? own) === own : site === 'same-origin' || site === 'none';
  if (asked) return next();
  return response.status(403).json({ error: 'Another web page asked for this; only the control page may' });
};
