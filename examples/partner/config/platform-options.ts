import type { PartnerOptions } from '@holdfast/payments/partner';
import type { PaymentsModuleOptions } from '@holdfast/payments';

import type { OwnerSignIn } from '../owners/owner-sign-in.js';

export const OWNER_SIGN_IN = Symbol('OWNER_SIGN_IN');

/** Everything the platform is told from outside: by the environment in main.ts, or by a test. */
export interface PlatformOptions {
  databaseUrl: string;
  host: string;
  /** Not 0: the address is part of what the service is told before anybody listens. */
  port: number;
  /** Where owners, buyers and the service reach the platform; without a trailing slash. */
  publicUrl: string;
  /** How owners prove who they are. */
  signIn: OwnerSignIn;
  /** The platform as the service knows it. */
  app: Pick<PartnerOptions, 'clientId' | 'clientSecret' | 'permissions' | 'authUrl'>;
  payments: Omit<PaymentsModuleOptions, 'partner'>;
}

/** Where owners and buyers reach the platform. Never taken from a request, whose Host header anyone can forge. */
export class PlatformAddress {
  constructor(
    /** Without a trailing slash. */
    readonly url: string,
  ) {}
}
