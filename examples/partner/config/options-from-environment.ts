import { randomBytes } from 'node:crypto';

import { freePort } from '../../../src/config/free-port.js';
import { profiles } from '../../../src/config/profiles.js';
import type { PlatformEnvironment } from './platform-environment.js';
import type { PlatformOptions } from './platform-options.js';

/** What depends on who is in the service's place: the service itself, or the sandbox. */
export interface Counterpart {
  clientId: string;
  clientSecret: string;
  authUrl?: string;
  payments: PlatformOptions['payments'];
}

/** The service that the environment names. */
export function serviceFromEnvironment(environment: PlatformEnvironment): Counterpart {
  return {
    clientId: environment.PARTNER_CLIENT_ID ?? '',
    clientSecret: environment.PARTNER_CLIENT_SECRET,
    ...(!environment.leavesAuthUrlToProfile && { authUrl: environment.PARTNER_AUTH_URL }),
    payments: {
      ...(!environment.leavesUrlToProfile && { serviceUrl: environment.PAYMENTS_SERVICE_URL }),
      ...(environment.PAYMENTS_TOKEN_KEYS && { tokenKeys: environment.PAYMENTS_TOKEN_KEYS }),
      trustedProxies: environment.TRUSTED_PROXIES,
    },
  };
}

/** Where the platform listens, and where it is reached. Port 0 is settled here. */
export async function placeFromEnvironment({
  HOST: host,
  PORT,
  PUBLIC_URL,
}: PlatformEnvironment): Promise<Pick<PlatformOptions, 'host' | 'port' | 'publicUrl'>> {
  const port = PORT === 0 ? await freePort() : PORT;
  const isEveryAddress = host === '0.0.0.0' || host === '::';
  const reachable = isEveryAddress ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return { host, port, publicUrl: PUBLIC_URL?.replace(/\/+$/, '') ?? `http://${reachable}:${port}` };
}

/** The platform as its environment describes it. */
export function platformOptions(
  environment: PlatformEnvironment,
  place: Pick<PlatformOptions, 'host' | 'port' | 'publicUrl' | 'databaseUrl'>,
  { payments, ...app }: Counterpart,
): PlatformOptions {
  const profile = profiles[environment.PAYMENTS_PROFILE];
  return {
    ...place,
    sessionSecret: environment.SESSION_SECRET ?? randomBytes(32).toString('base64url'),
    app: { ...app, permissions: [profile.permissions.create, profile.permissions.refund] },
    payments: { ...payments, profile, sweeps: { intervalMs: environment.SWEEP_INTERVAL_MS } },
  };
}
