import type { Provider } from '@nestjs/common';
import { AttemptWatch } from './attempt-watch.js';
import { CreateRecorder } from './create-recorder.js';
import { OperationRecorder } from './operation-recorder.js';
import { OwedReceiptRecorder } from './receipts/owed-receipt-recorder.js';
import { ReceiptRecorder } from './receipts/receipt-recorder.js';
import { RefundRecorder } from './refunds/refund-recorder.js';

export const operationsProviders: readonly Provider[] = [
  AttemptWatch,
  CreateRecorder,
  OperationRecorder,
  OwedReceiptRecorder,
  ReceiptRecorder,
  RefundRecorder,
];
