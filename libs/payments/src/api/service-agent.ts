import { Agent } from 'node:https';

/**
 * Connections to the service: TLS 1.2 or newer with a certificate that is checked, also in a process whose flags or
 * environment (`--tls-min-v1.0`, NODE_TLS_REJECT_UNAUTHORIZED) would have it otherwise.
 */
export const serviceAgent = new Agent({
  minVersion: 'TLSv1.2',
  rejectUnauthorized: true,
  // As Node's own global agent: connections are kept, and idle ones closed before a server does it.
  keepAlive: true,
  timeout: 5_000,
});
