import type { Provider } from '@nestjs/common';
import { Audit } from './audit.js';
import { AuditLeases } from './audits/audit-leases.js';
import { AuditRuns } from './audits/audit-runs.js';
import { Books } from './audits/books.js';
import { KeptAudits } from './audits/kept-audits.js';
import { BacklogReader } from './backlog.js';
import { BuyerDetails } from './buyer/buyer-details.js';
import { DailyMoney } from './days/daily-money.js';
import { DayEvents } from './days/day-events.js';
import { FailedDeliveries } from './failed-deliveries.js';
import { ForeignNotificationReader } from './foreign-notification.js';
import { HoldLeaving } from './hold-leaving.js';
import { Incidents } from './incidents.js';
import { HandlerList } from './lists/handler-list.js';
import { PaymentDeliveries } from './lists/payment-deliveries.js';
import { PaymentRecordReader } from './lists/payment-record.js';
import { ReceivedNotifications } from './lists/received-notifications.js';
import { RecordedOperations } from './lists/recorded-operations.js';
import { StateLists } from './lists/state-lists.js';
import { StoreReader } from './lists/store-in-full.js';
import { StoreList } from './lists/store-list.js';
import { Notes } from './notes.js';
import { ParkedDeliveries } from './parked-deliveries.js';
import { PaymentsOperator } from './payments-operator.service.js';
import { PaymentsVitals } from './payments-vitals.js';
import { ProblemLists } from './problem-lists.js';
import { ReceiptAudit } from './receipts/audit-receipts.js';
import { PaidGoodsReader } from './receipts/paid-goods.js';
import { ReceiptProblems } from './receipts/receipt-problems.js';
import { UnsettledPrepayments } from './receipts/unsettled-prepayments.js';
import { RefundAcceptance } from './refund-acceptance.js';
import { Remedies } from './remedies.js';
import { FoundPayments } from './search/found-payments.js';
import { HeldPayments } from './search/held-payments.js';
import { PaymentNeeds } from './search/payment-needs.js';
import { PaymentSearch } from './search/payment-search.js';
import { VitalFigures } from './vital-figures.js';

export const operatorProviders: readonly Provider[] = [
  Audit,
  AuditLeases,
  AuditRuns,
  BacklogReader,
  Books,
  BuyerDetails,
  DailyMoney,
  DayEvents,
  FailedDeliveries,
  ForeignNotificationReader,
  FoundPayments,
  HandlerList,
  HeldPayments,
  Incidents,
  HoldLeaving,
  KeptAudits,
  Notes,
  PaidGoodsReader,
  ParkedDeliveries,
  PaymentDeliveries,
  PaymentNeeds,
  PaymentRecordReader,
  PaymentSearch,
  PaymentsOperator,
  PaymentsVitals,
  ProblemLists,
  ReceiptAudit,
  ReceiptProblems,
  ReceivedNotifications,
  RecordedOperations,
  RefundAcceptance,
  Remedies,
  StateLists,
  StoreList,
  StoreReader,
  UnsettledPrepayments,
  VitalFigures,
];
