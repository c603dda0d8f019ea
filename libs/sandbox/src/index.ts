export { startSandbox } from './sandbox.js';
export type { Sandbox } from './control/running-sandbox.js';
export type { SandboxOptions } from './sandbox.options.js';
export { seed, SEED_SPAN_MS } from './seed/seed.js';
export type { SeedCredentials } from './seed/seed-shop.js';
export type { WireCard, WireMethod } from './methods/method-view.js';
export type { WirePayment } from './payments/payment-view.js';
export type { ConfirmationType, WireConfirmation } from './methods/confirmation.js';
export type { Airline } from './payments/airline.js';
export type { MethodType, ProfileName } from './wire/names.js';
export type { WireAmount } from './common/money.js';
export type { PaymentStatus } from './payments/payment.js';
export type { BuyerAction } from './control/payment-control.js';
export { testCards, type TestCard } from './methods/test-cards.js';
export type { RefundControl } from './control/refund-control.js';
export type { Fiscalization, ReceiptScenario } from './stores/fiscalization.js';
export type { ReceiptBalance, ReceiptReport } from './control/receipt-balance.js';
export type { ReceiptControl } from './control/receipt-control.js';
export type { WireReceipt } from './receipts/receipt-view.js';
export type { ReceiptStatus, ReceiptType } from './receipts/receipt.js';
export type { InvoiceControl } from './control/invoice-control.js';
export type { WireInvoice } from './invoices/invoice.js';
export type { WireRefund } from './refunds/refund-view.js';
export type { ObjectControl } from './control/object-control.js';
export type { WirePayout } from './objects/payout.js';
export type { WireDeal } from './objects/deals.js';
export type { WireSavedMethod } from './objects/saved-method.js';
export { eventNames, type EventName } from './wire/events.js';
export type {
  AppReport,
  ConnectedStore,
  NewApp,
  PartnershipControl,
  StoreReport,
  TokenReport,
} from './control/partnership-reports.js';
export type { User } from './partnership/users.js';
export type { StoreStatus } from './stores/store.js';
export type { DeliveryReport, Exchange, RequestReport } from './journal/exchange.js';
export { exchangePrinter, type LineOutput } from './journal/exchange-line.js';
export type {
  NotificationAttempt,
  NotificationDetails,
  NotificationReport,
} from './notifications/notification.js';
export type { Operation } from './wire/operations.js';
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
export { ControlError } from './common/control-error.js';
