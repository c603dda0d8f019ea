import type { Server } from 'node:http';

/**
 * The address at which a sandbox on this machine reaches the server; null if it listens on an address that is not this machine's
 * own.
 */
export function loopbackUrl(server: Server): string | null {
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('The server is not listening yet.');
  const { address, port } = bound;
  if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${port}`;
  if (address === '::1') return `http://[::1]:${port}`;
  return address.startsWith('127.') ? `http://${address}:${port}` : null;
}
