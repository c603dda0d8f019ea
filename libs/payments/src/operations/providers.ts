import type { Provider } from '@nestjs/common';
import { CreateRecorder } from './create-recorder.js';
import { OperationRecorder } from './operation-recorder.js';
import { OwedReceiptRecorder } from './receipts/owed-receipt-recorder.js';
import { ReceiptRecorder } from './receipts/receipt-recorder.js';
import { RefundRecorder } from './refunds/refund-recorder.js';

export const operationsProviders: readonly Provider[] = [
  CreateRecorder,
  OperationRecorder,
  OwedReceiptRecorder,
  ReceiptRecorder,
  RefundRecorder,
];
