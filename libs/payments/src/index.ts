export { PaymentsModule } from './payments.module.js';
export type { PaymentsModuleExtras } from './options/payments.module-definition.js';
export type { PaymentsModuleOptions } from './options/payments.options.js';
export type { SecretKeys, SecretKeySource } from './api/secret-keys.js';
export { PaymentsService } from './payments.service.js';
export { PartnerService } from './partner/partner.service.js';
export type { ConnectError } from './partner/owner-callback.js';
export type { PartnerOptions } from './options/partner.options.js';
export type { Store } from './views/store.view.js';
export type { SubscriptionReport } from './partner/subscriptions.js';
export { CardPaymentsService } from './card-data/card-payments.service.js';
export type { CreateCardPaymentInput } from './card-data/card-payment.input.js';
export { protectWebhook, type ProtectWebhookOptions } from './notifications/webhook-door.js';

export { PaymentsApi } from './api/payments-api.js';
export type {
  CallOptions,
  PaymentsApiOptions,
  RecordedCall,
  RecordedOptions,
  RecordedPaymentCall,
  RecordedRequest,
} from './api/payments-api.options.js';
export {
  shopCredentials,
  tokenCredentials,
  type Credentials,
  type CredentialsSource,
  type ShopCredentials,
  type TokenCredentials,
} from './api/credentials.js';
export { Secret } from './api/secret.js';
export { documentedProfile, type ServiceProfile } from './api/service-profile.js';
export { yookassaProfile } from './api/yookassa-profile.js';
export type { CircuitOptions } from './api/circuit.js';
export type { AnswerInfo, FailureInfo, RequestHooks, RequestInfo } from './api/hooks.js';
export { ObjectList, type ObjectPage } from './api/object-list.js';
export type { AirlineRequest, LegRequest, PassengerRequest } from './api/requests/airline.js';
export type { CapturePaymentRequest } from './api/requests/capture-payment.js';
export type { CardRequest } from './api/requests/card.js';
export type { ConfirmationRequest } from './api/requests/confirmation.js';
export type { CreatePaymentRequest } from './api/requests/create-payment.js';
export type { CreateRefundRequest } from './api/requests/create-refund.js';
export type { CreateWebhookRequest, WebhookEvent } from './api/requests/create-webhook.js';
export type { PaymentListFilter, RefundListFilter } from './api/requests/list-filters.js';
export type {
  BankCardData,
  PaymentMethodDataRequest,
  WalletData,
  WalletPayData,
} from './api/requests/payment-method-data.js';
export type { CancellationDetailsObject } from './api/objects/cancellation-details.js';
export type { DealObject } from './api/objects/deal.js';
export type { OpenEnum, OpenObject } from './api/objects/open.js';
export type {
  AuthorizationDetailsObject,
  ConfirmationObject,
  PaymentObject,
  RecipientObject,
} from './api/objects/payment.js';
export type { CardObject, PaymentMethodObject } from './api/objects/payment-method.js';
export type { PayoutObject } from './api/objects/payout.js';
export type { RefundObject } from './api/objects/refund.js';
export type { StoreObject } from './api/objects/store.js';
export type { WebhookObject } from './api/objects/webhook.js';
export {
  ServiceCallAbortedError,
  ServiceCircuitOpenError,
  ServiceCredentialsError,
  ServiceCredentialsUnavailableError,
  ServiceError,
  ServiceFailureError,
  ServiceForbiddenError,
  ServiceNetworkError,
  ServiceNotFoundError,
  ServiceRequestInvalidError,
  ServiceTimeoutError,
  ServiceTokenRequiredError,
  ServiceTooManyRequestsError,
  ServiceUnexpectedAnswerError,
  type ServiceErrorDetails,
} from './api/service-errors.js';

export type { CreatePaymentInput, RequestableMethod } from './payment/create-payment.input.js';
export { formatAmount, parseAmount, type Amount } from './common/money.js';
export type { Authorization, PaymentCard, PaymentMethod, Recipient } from './views/paid-with.js';
export type { HoldPolicy } from './common/hold-policy.js';
export type { ChooseHoldPolicy } from './options/choose-hold-policy.js';
export type { PaymentStatus } from './common/payment-status.js';
export type { OrderState } from './schema/order.entity.js';
export type { Order, Payment } from './views/payment.view.js';
export type { StoreScope } from './common/store.scope.js';
export type { RefundInput } from './payment/refund.input.js';
export type { RefundStatus } from './common/refund-status.js';
export type { Refund } from './views/refund.view.js';
export type { TimelineEntry } from './payment/timeline.js';

export {
  OnPaymentEvent,
  type HandlerContext,
  type PaymentEventHandler,
} from './handlers/on-payment-event.js';
export type {
  DealEvent,
  DealEventName,
  EventName,
  EventOf,
  HoldEvent,
  HoldEventName,
  PaymentEvent,
  PaymentEventName,
  PaymentMethodEvent,
  PaymentMethodEventName,
  PayoutEvent,
  PayoutEventName,
  RefundEvent,
  RefundEventName,
  StoreEvent,
  StoreEventName,
} from './views/events.js';
export {
  eventsBySolution,
  isAvailable,
  type ServiceEventName,
  type Solution,
} from './options/events-by-solution.js';

export { PaymentsOperator } from './operator/payments-operator.service.js';
export type { AuditDifference, AuditedSide, AuditSlice } from './operator/audit.js';
export type { Backlog, Waiting } from './operator/backlog.js';
export type { ForeignNotification } from './operator/foreign-notification.js';
export type { TokenKeys } from './options/token-keys.js';
export type { TokenRotationStep } from './stores/token-rotation.js';
export type { ParkedDelivery } from './operator/parked-deliveries.js';
export type { RefusedSender } from './notifications/refused-senders.js';
export type { RefusalAdvice } from './notifications/refusal-advice.js';

export { paymentsEntities } from './schema/entities.js';
export { paymentsGrants } from './schema/grants.js';
export { runRetention } from './retention/run-retention.js';
export { paymentsMigrations } from './schema/migrations/index.js';
export type { Clock } from './common/clock.js';

export {
  OperationInProgressError,
  OperationContradictedError,
  OperationRefusedError,
  OrderAlreadyPaidError,
  OrderAmountExceededError,
  OrderPaymentOpenError,
  PaymentInputError,
  PaymentNotFoundError,
  PaymentNotHeldError,
  PaymentNotRefundableError,
  PaymentOutcomeUnknownError,
  PaymentRejectedError,
  PaymentsConfigurationError,
  PaymentsError,
  PaymentWhollyRefundedError,
  RefundAmountExceededError,
  RefundKeyReusedError,
  RefundWindowClosedError,
  ServiceClockUnknownError,
  StoreDisabledError,
  StoreNotConnectedError,
  StoreNotFoundError,
  StorePermissionError,
  StoreBusyError,
  TokenKeyMissingError,
  TokenUnreadableError,
} from './common/payments.errors.js';
