import type { Provider } from '@nestjs/common';
import { CaptureCancelCalls } from './capture-cancel-calls.js';
import { CreateCalls } from './create-calls.js';
import { OperationCalls } from './operation-calls.js';
import { PrepaymentCalls } from './receipts/prepayment-calls.js';
import { ReceiptCalls } from './receipts/receipt-calls.js';
import { RefreshCalls } from './refresh-calls.js';
import { RefundCalls } from './refund-calls.js';
import { SavedMethods } from './saved-methods.js';

export const callsProviders: readonly Provider[] = [
  CaptureCancelCalls,
  CreateCalls,
  OperationCalls,
  PrepaymentCalls,
  ReceiptCalls,
  RefreshCalls,
  RefundCalls,
  SavedMethods,
];
