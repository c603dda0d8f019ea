import type { RequestHandler } from 'express';
import { isLoopbackAddress, isLoopbackHost } from '../common/loopback.js';

/**
 * Refuses requests of other machines, and those addressed to any name but this machine's own: a web page in the user's browser
 * can make its own name point at 127.0.0.1 and call the control API; the Host header then still contains that name.
 */
export const loopbackOnly: RequestHandler = ({ socket, headers }, response, next) => {
  if (isLoopbackAddress(socket.remoteAddress) && namesLoopback(headers.host)) return next();
  return response
    .status(403)
    .json({ error: 'The control API answers this machine only, on loopback addresses' });
};

function namesLoopback(host: string | undefined): boolean {
  const address = `http://${host}`;
  return host !== undefined && URL.canParse(address) && isLoopbackHost(new URL(address).hostname);
}
