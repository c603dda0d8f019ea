import type { Provider } from '@nestjs/common';
import { Audit } from './audit.js';
import { BacklogReader } from './backlog.js';
import { FailedDeliveries } from './failed-deliveries.js';
import { ForeignNotificationReader } from './foreign-notification.js';
import { ParkedDeliveries } from './parked-deliveries.js';
import { PaymentsOperator } from './payments-operator.service.js';
import { ProblemLists } from './problem-lists.js';
import { ReceiptAudit } from './receipts/audit-receipts.js';
import { ReceiptProblems } from './receipts/receipt-problems.js';
import { UnsettledPrepayments } from './receipts/unsettled-prepayments.js';
import { RefundAcceptance } from './refund-acceptance.js';

export const operatorProviders: readonly Provider[] = [
  Audit,
  BacklogReader,
  FailedDeliveries,
  ForeignNotificationReader,
  ParkedDeliveries,
  PaymentsOperator,
  ProblemLists,
  ReceiptAudit,
  ReceiptProblems,
  RefundAcceptance,
  UnsettledPrepayments,
];
