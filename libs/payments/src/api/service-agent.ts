import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

const connections = {
  // Same as Node's own global agents: connections are kept, and idle ones closed before a server does it.
  keepAlive: true,
  timeout: 5_000,
  // What axios sets on a socket for each request. After each answer the agent sets its own, and two that differ are two calls of
  // the kernel for every request.
  keepAliveMsecs: 60_000,
} as const;

/**
 * Connections to the service: TLS 1.2 or newer with a checked certificate, even if the process's flags or environment
 * (`--tls-min-v1.0`, NODE_TLS_REJECT_UNAUTHORIZED) would weaken that. Without TLS, for tests only.
 */
export const serviceAgents = {
  httpsAgent: new HttpsAgent({ ...connections, minVersion: 'TLSv1.2', rejectUnauthorized: true }),
  httpAgent: new HttpAgent(connections),
} as const;
