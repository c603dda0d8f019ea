import type { RequestHandler } from 'express';

/**
 * Refuses requests addressed to any name but this machine's own. A web page in the user's browser can make its
 * own name point at 127.0.0.1 and call the control API; the Host header then still carries that name.
 */
export const loopbackOnly: RequestHandler = (request, response, next) => {
  if (isLoopback(request.headers.host)) return next();
  return response.status(403).json({ error: 'The control API answers on loopback addresses only' });
};

function isLoopback(host: string | undefined): boolean {
  const address = `http://${host}`;
  if (!host || !URL.canParse(address)) return false;
  const { hostname } = new URL(address);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
