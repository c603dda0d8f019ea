import type { Server } from 'node:http';

/** Where a sandbox on this machine reaches the server; null where it listens on another address than this machine's own. */
export function loopbackUrl(server: Server): string | null {
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('The server is not listening yet.');
  const { address, port } = bound;
  if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${port}`;
  if (address === '::1') return `http://[::1]:${port}`;
  return address.startsWith('127.') ? `http://${address}:${port}` : null;
}
