import type { PaymentsModuleOptions } from '@holdfast/payments';

import type { Widget } from './widget.js';

/** The shop's configuration: from the environment in main.ts, or from a test. */
export interface ShopOptions {
  databaseUrl: string;
  host: string;
  /** 0 takes a free port. */
  port: number;
  /** The address at which buyers reach the shop; `null` means the address it listens on. */
  publicUrl: string | null;
  /** Opens the staff's pages; `null` keeps them closed. */
  staffPassword: string | null;
  payments: PaymentsModuleOptions;
  /** Where mails to buyers are written; `null`: none are. */
  mailFolder: string | null;
  /** `null`: cards are paid on the service's page. */
  widget: Widget | null;
}
