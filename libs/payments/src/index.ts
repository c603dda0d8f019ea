export { PaymentsModule } from './payments.module.js';
export type { PaymentsModuleExtras } from './options/payments.module-definition.js';
export type { PaymentsModuleOptions } from './options/payments.options.js';
export type { SecretKeys, SecretKeySource } from './api/secret-keys.js';
export { documentedProfile, type PartnerAction, type ServiceProfile } from './api/service-profile.js';
export { yookassaProfile } from './api/yookassa-profile.js';
export type { CircuitOptions } from './api/circuit.js';
export type { AnswerInfo, FailureInfo, RequestHooks, RequestInfo } from './api/hooks.js';
export type { HoldPolicy } from './common/hold-policy.js';
export type { ChooseHoldPolicy, DatabaseAnswer } from './options/payments.options.js';
export {
  eventsBySolution,
  isAvailable,
  type ServiceEventName,
  type Solution,
} from './options/events-by-solution.js';
export type { Clock } from './common/clock.js';
export { protectWebhook, type ProtectWebhookOptions } from './notifications/door/webhook-door.js';

export { PaymentsService } from './payments.service.js';
export type { CreatePaymentInput, RequestableMethod } from './payment/inputs/create-payment.input.js';
export type { ConfirmationInput } from './payment/inputs/confirmation.input.js';
export type { MethodData } from './payment/inputs/method-data.input.js';
export type { ArticleInput } from './payment/inputs/article.input.js';
export type { VatData } from './api/requests/vat-data.js';
export type {
  BindableMethod,
  ConfirmationType,
  MethodField,
  MethodName,
  MethodRules,
} from './api/method-rules.js';
export type { Locale } from './api/requests/confirmation.js';
export { formatAmount, parseAmount, type Amount } from './common/money.js';
export type {
  Authorization,
  DealShare,
  PaidArticle,
  PaidWith,
  PayingCompany,
  PaymentCard,
  PaymentLoan,
  PaymentMethod,
  Recipient,
  Transfer,
} from './views/paid-with.js';
export type { Metadata } from './common/metadata.js';
export type { PaymentStatus } from './common/payment-status.js';
export type { OrderState } from './schema/order.entity.js';
export { cancellationText, refundCancellationText } from './views/cancellation-text.js';
export type { Order, Payment } from './views/payment.view.js';
export type { SavedMethods } from './calls/saved-methods.js';
export type { BindInput } from './payment/inputs/bind.input.js';
export type { SavedMethod } from './views/saved-method.view.js';
export type { PaymentConfirmation } from './api/objects/confirmation.js';
export type { StoreScope } from './common/store.scope.js';
export type { ReceiptLines, ReceiptPart } from './receipts/builder.input.js';
export { receiptOfCart, receiptOfPart } from './receipts/receipt-builder.js';
export { receiptTotal } from './receipts/receipt-sums.js';
export { PaymentReceipts } from './payment-receipts.js';
export type { SettledItem, SettlePrepaymentInput } from './receipts/settlement.input.js';
export type { OwnReceiptInput } from './receipts/own-receipt.input.js';
export type { FiscalNumbers, Receipt } from './views/receipt.view.js';
export type { OwnReceiptStatus, ReceiptType } from './receipts/own-receipt.js';
export type { ReceiptInput, ReceiptItem } from './receipts/receipt.input.js';
export type { RefundInput } from './payment/refunds/refund.input.js';
export type { RefundStatus } from './common/refund-status.js';
export type { Refund, RefundedBy, RefundMethod, RefundSource } from './views/refund.view.js';
export type { TimelineEntry } from './payment/timeline.js';

export {
  OnPaymentEvent,
  type HandlerContext,
  type PaymentEventHandler,
} from './handlers/on-payment-event.js';
export {
  OnPaymentEffect,
  type EffectContext,
  type EffectRecorder,
  type PaymentEffectMethod,
} from './handlers/on-payment-effect.js';
export type {
  BaseEvent,
  DatabaseEvent,
  DatabaseEventName,
  DealEvent,
  DealEventName,
  EventName,
  EventOf,
  HoldEvent,
  EventOfPayment,
  HoldEventName,
  OrderEvent,
  OrderEventName,
  PaymentEvent,
  PaymentEventName,
  PaymentMethodEvent,
  PaymentMethodEventName,
  PayoutEvent,
  PayoutEventName,
  ReceiptEvent,
  ReceiptEventName,
  RefundEvent,
  RefundEventName,
} from './views/events.js';

export { PaymentsOperator } from './operator/payments-operator.service.js';
export type { OrderProblems } from './operator/lists.js';
export type { AuditSlice } from './operator/audit.js';
export {
  auditVerdict,
  emptyAuditReport,
  withAuditSlice,
  type AuditReport,
  type AuditVerdict,
} from './operator/audit-report.js';
export { auditedSideText, differenceText } from './operator/difference-text.js';
export type { AuditPage, KeptAudit, KeptAuditInFull } from './operator/audits/kept-audit.js';
export type { AuditDifference, AuditedSide } from './operator/audit-difference.js';
export type { Backlog, Waiting } from './operator/backlog.js';
export { conditionsOf, type Condition, type ConditionName } from './operator/conditions.js';
export type { BuyerDetail, BuyerDetailName } from './operator/buyer/buyer-detail.js';
export type { DayOfMoney } from './operator/days/day-tally.js';
export type { DaysInput } from './operator/days/days.input.js';
export type { HandlerState } from './operator/lists/handler-list.js';
export type { PaymentDelivery } from './operator/lists/payment-deliveries.js';
export type { PaymentRecord } from './operator/lists/payment-record.js';
export type { NotificationInFull, StoredNotification } from './operator/lists/received-notifications.js';
export type { RecordedOperation, RequestInFull } from './operator/lists/recorded-operations.js';
export type { StoreInFull } from './operator/lists/store-in-full.js';
export type { StorePage, StoreState } from './operator/lists/store-list.js';
export type { PaymentNeed } from './operator/search/payment-needs.js';
export type { Counted, FoundPayment, PaymentPage } from './operator/search/payment-search.js';
export type { PaymentSearchInput } from './operator/search/search.input.js';
export type { Incident } from './operator/incidents.js';
export type { IncidentName } from './schema/incident.entity.js';
export type { Note } from './operator/notes.js';
export type { FailedDelivery, ParkedDelivery } from './operator/failed-deliveries.js';
export type { ForeignNotification } from './operator/foreign-notification.js';
export type { PaidGoods, PaidItem } from './operator/receipts/paid-goods.js';
export type { ReceiptProblem } from './operator/receipts/receipt-problems.js';
export type { UnsettledPage, UnsettledPrepayment } from './operator/receipts/unsettled-prepayments.js';
export type { RefusalAdvice, RefusedSender } from './notifications/door/sender.guard.js';
export type { Detached } from './rollback/detachment.js';
export type { Recovery } from './rollback/recovery-windows.js';
export type { RecoveryReason } from './schema/recovery.entity.js';

// For the data source that every shop has, and the deploy that migrates it: what is upgraded together is found together.
export { paymentsEntities } from './schema/entities.js';
export { paymentsMigrations } from './schema/migrations/index.js';
export { paymentsGrants } from './schema/grants.js';
export { runRetention } from './retention/run-retention.js';

export { PaymentsExceptionFilter } from './http/payments-exception.filter.js';
export { problemOf, type Problem } from './http/problem.js';
export type { PaymentsErrorCode } from './http/error-codes.js';

// Every error: a shop may meet each of them, those of the service as a `cause`.
export { DatabaseDeadlineError, NoDatabaseConnectionError } from './database/deadline-error.js';
export * from './common/payments.errors.js';
export * from './api/service-errors.js';
