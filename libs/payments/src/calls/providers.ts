import type { Provider } from '@nestjs/common';
import { CreateCalls } from './create-calls.js';
import { HostCalls } from './host-calls.js';
import { MoneyCalls } from './money-calls.js';
import { OperationCalls } from './operation-calls.js';
import { PrepaymentCalls } from './receipts/prepayment-calls.js';
import { ReceiptCalls } from './receipts/receipt-calls.js';
import { RefreshCalls } from './refresh-calls.js';
import { SavedMethods } from './saved-methods.js';

export const callsProviders: readonly Provider[] = [
  CreateCalls,
  HostCalls,
  MoneyCalls,
  OperationCalls,
  PrepaymentCalls,
  ReceiptCalls,
  RefreshCalls,
  SavedMethods,
];
