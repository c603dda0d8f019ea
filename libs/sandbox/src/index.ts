export { startSandbox } from './sandbox.js';
export type { Sandbox } from './running-sandbox.js';
export type { SandboxOptions } from './sandbox.options.js';
export type { WirePayment, WireCard } from './payments/payment-view.js';
export type { MethodType } from './wire-names.js';
export type { WireAmount } from './money.js';
export type { PaymentStatus } from './payments/payment.js';
export type { BuyerAction } from './payments/buyer.js';
export { testCards } from './payments/test-cards.js';
export type { TestCard } from './payments/test-cards.js';
export type { NotificationAttempt, NotificationReport } from './notifications/notification.js';
export type {
  ApiFault,
  ApiFaultOrder,
  FaultOrder,
  NotificationFault,
  NotificationFaultOrder,
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
