import type { PaymentsModuleOptions } from '@holdfast/payments';
import type { PartnerOptions } from '@holdfast/payments/partner';
import type { OwnerSignIn } from '../owners/owner-sign-in.js';

export const OWNER_SIGN_IN = Symbol('OWNER_SIGN_IN');

/** The platform's configuration: from the environment in main.ts, or from a test. */
export interface PlatformOptions {
  databaseUrl: string;
  host: string;
  /** Not 0: the service gets the address before the platform listens. */
  port: number;
  /** The address at which owners, buyers and the service reach the platform; without a trailing slash. */
  publicUrl: string;
  /** How owners prove who they are. */
  signIn: OwnerSignIn;
  /** The platform's registration at the service. */
  app: Pick<PartnerOptions, 'clientId' | 'clientSecret' | 'permissions' | 'authUrl'>;
  payments: Omit<PaymentsModuleOptions, 'partner'>;
}

/** The address at which owners and buyers reach the platform. Never taken from a request, whose Host header anyone can forge. */
export class PlatformAddress {
  constructor(
    /** Without a trailing slash. */
    readonly url: string,
  ) {}
}
