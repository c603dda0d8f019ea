import type { Provider } from '@nestjs/common';
import { Applier } from './applier.js';
import { FoundAfterAll } from './found-after-all.js';
import { OwedReceipts } from './receipts/owed-receipts.js';
import { ReceiptApplier } from './receipts/receipt-applier.js';
import { RefundApplier } from './refunds/refund-applier.js';

export const applyProviders: readonly Provider[] = [
  Applier,
  FoundAfterAll,
  OwedReceipts,
  ReceiptApplier,
  RefundApplier,
];
