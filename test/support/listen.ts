import { once } from 'node:events';
import type { Server } from 'node:net';

/** Opens the server on a free port of this machine and returns the port. */
export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}

/** This machine's own addresses, as proxies to trust: the sandbox names a documented sender from one of them. */
export const loopbackProxies = ['127.0.0.1/32', '::1/128'];
