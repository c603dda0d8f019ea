export { startSandbox } from './sandbox.js';
export type { Sandbox } from './running-sandbox.js';
export type { SandboxOptions } from './sandbox.options.js';
export { seed, SEED_SPAN_MS } from './seed/seed.js';
export type { SeedCredentials } from './seed/seed-shop.js';
export type { WireCard, WireMethod, WirePayment } from './payments/payment-view.js';
export type { WireConfirmation } from './payments/confirmation-view.js';
export type { ConfirmationType } from './payments/confirmation.js';
export type { Airline } from './payments/airline.js';
export type { MethodType, ProfileName } from './wire-names.js';
export type { WireAmount } from './money.js';
export type { PaymentStatus } from './payments/payment.js';
export type { BuyerAction } from './payments/buyer.js';
export { testCards } from './payments/test-cards.js';
export type { TestCard } from './payments/test-cards.js';
export type { RefundControl } from './refunds/refund-control.js';
export type { Fiscalization, ReceiptScenario } from './receipts/fiscalization.js';
export type { ReceiptBalance, ReceiptReport } from './receipts/receipt-balance.js';
export type { ReceiptControl } from './receipts/receipt-control.js';
export type { WireReceipt } from './receipts/receipt-view.js';
export type { ReceiptStatus, ReceiptType } from './receipts/receipt.js';
export type { WireRefund } from './refunds/refund-view.js';
export type { ObjectControl } from './objects/object-control.js';
export type { WirePayout } from './objects/payout.js';
export type { WireDeal } from './objects/deals.js';
export type { WireSavedMethod } from './objects/saved-method.js';
export { eventNames } from './notifications/events.js';
export type { EventName } from './notifications/events.js';
export type {
  AppReport,
  ConnectedStore,
  NewApp,
  PartnershipControl,
  StoreReport,
  TokenReport,
} from './oauth/partnership-reports.js';
export type { User } from './oauth/users.js';
export type { StoreStatus } from './store/store.js';
export type { NotificationAttempt, NotificationReport } from './notifications/notification.js';
export type { Operation } from './api/endpoint.js';
export type {
  ApiFault,
  ApiFaultOrder,
  FaultOrder,
  NotificationFault,
  NotificationFaultOrder,
  OpenFaultOrder,
} from './faults/fault-order.js';
export type {
  LedgerEntry,
  LedgerKind,
  LedgerReport,
  LedgerTotals,
  RequestCount,
  RequestFilter,
} from './ledger/ledger.js';
export { ControlError } from './control/control-error.js';
