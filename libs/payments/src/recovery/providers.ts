import type { Provider } from '@nestjs/common';
import { RecoveredPayments } from './recovered-payments.js';
import { RecoveredReceipts } from './recovered-receipts.js';
import { Recoveries } from './recoveries.js';
import { RecoveryLeases } from './recovery-leases.js';

export const recoveryProviders: readonly Provider[] = [
  Recoveries,
  RecoveredPayments,
  RecoveredReceipts,
  RecoveryLeases,
];
