import type { PartnerOptions, PaymentsModuleOptions } from '@holdfast/payments';

/** Everything the platform is told from outside: by the environment in main.ts, or by a test. */
export interface PlatformOptions {
  databaseUrl: string;
  host: string;
  /** Not 0: the address is part of what the service is told before anybody listens. */
  port: number;
  /** Where owners, buyers and the service reach the platform; without a trailing slash. */
  publicUrl: string;
  /** Signs the sessions of owners; the same in every process of the platform. */
  sessionSecret: string;
  /** The platform as the service knows it. */
  app: Pick<PartnerOptions, 'clientId' | 'clientSecret' | 'permissions' | 'authUrl'>;
  payments: Omit<PaymentsModuleOptions, 'partner'>;
}
