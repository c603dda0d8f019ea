import { freePort } from '../../shared/config/port.js';
import { profiles } from '../../shared/config/profiles.js';
import type { OwnerSignIn } from '../owners/owner-sign-in.js';
import type { PlatformEnvironment } from './platform-environment.js';
import type { PlatformOptions } from './platform-options.js';

/** What differs between the service itself and the sandbox. */
export interface Counterpart {
  clientId: string;
  clientSecret: string;
  authUrl?: string;
  payments: PlatformOptions['payments'];
  signIn: OwnerSignIn;
}

/**
 * The service that the environment names.
 * @throws Error if owners have no sign-in but the demo's: anybody could take over their stores, and refund their sales
 */
export function serviceFromEnvironment(
  environment: PlatformEnvironment,
  signIn: OwnerSignIn | null,
): Counterpart {
  if (signIn === null) {
    throw new Error(
      'The platform cannot start:\n' +
        '  - With PARTNER_CLIENT_ID it needs a sign-in of its own: the one of the demo lets anybody in as any owner. ' +
        'Implement OwnerSignIn and make it `ownSignIn` in partner/owners/owner-sign-in.ts; ' +
        'or leave PARTNER_CLIENT_ID out, for the sandbox.',
    );
  }
  return {
    signIn,
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

/** Where the platform listens, and its public address. Replaces port 0 with a free port. */
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
  { payments, signIn, ...app }: Counterpart,
): PlatformOptions {
  const profile = profiles[environment.PAYMENTS_PROFILE];
  const { permissions, readPermissions } = profile;
  return {
    ...place,
    signIn,
    app: { ...app, permissions: [permissions.create, permissions.refund, ...readPermissions] },
    payments: { ...payments, profile, sweeps: { intervalMs: environment.SWEEP_INTERVAL_MS } },
  };
}
