import type { PaymentsModuleOptions } from '@holdfast/payments';

/** Everything the shop is told from outside: by the environment in main.ts, or by a test. */
export interface ShopOptions {
  databaseUrl: string;
  host: string;
  /** 0 takes a free port. */
  port: number;
  /** Where buyers reach the shop; `null` means the address it listens on. */
  publicUrl: string | null;
  /** Opens the staff's pages; `null` keeps them closed. */
  staffPassword: string | null;
  payments: PaymentsModuleOptions;
}
