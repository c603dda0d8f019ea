import type { Provider } from '@nestjs/common';
import { Adoption } from './adoption.js';
import { Applier } from './applier.js';
import { OwedReceipts } from './receipts/owed-receipts.js';
import { Prepayments } from './receipts/prepayments.js';
import { ReceiptAdoption } from './receipts/receipt-adoption.js';
import { ReceiptApplier } from './receipts/receipt-applier.js';
import { RefundApplier } from './refunds/refund-applier.js';
import { WronglyRejected } from './wrongly-rejected.js';

export const applyProviders: readonly Provider[] = [
  Adoption,
  Applier,
  WronglyRejected,
  OwedReceipts,
  Prepayments,
  ReceiptAdoption,
  ReceiptApplier,
  RefundApplier,
];
