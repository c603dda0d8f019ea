export { PaymentsModule } from './payments.module.js';
export type { PaymentsModuleExtras } from './payments.module-definition.js';
export type { PaymentsModuleOptions } from './payments.options.js';
export { PaymentsService } from './payments.service.js';

export { documentedProfile, type ServiceProfile } from './api/service-profile.js';
export {
  ServiceCredentialsError,
  ServiceError,
  ServiceFailureError,
  ServiceForbiddenError,
  ServiceNetworkError,
  ServiceNotFoundError,
  ServiceRequestInvalidError,
  ServiceTimeoutError,
  ServiceTooManyRequestsError,
  ServiceUnexpectedAnswerError,
  type ServiceErrorDetails,
} from './api/service-errors.js';

export type { CreatePaymentInput, RequestableMethod } from './payment/create-payment.input.js';
export { formatAmount, parseAmount, type Amount } from './payment/money.js';
export type { PaymentStatus } from './payment/payment-status.js';
export type { OrderState } from './payment/order.entity.js';
export type { Order, Payment } from './payment/payment.view.js';
export type { TimelineEntry } from './payment/timeline.js';

export {
  OnPaymentEvent,
  type HandlerContext,
  type PaymentEvent,
  type PaymentEventHandler,
  type PaymentEventName,
} from './handlers/on-payment-event.js';

export { paymentsEntities } from './database/entities.js';
export { paymentsMigrations } from './migrations/index.js';
export type { Clock } from './clock.js';

export {
  FinishInProgressError,
  OperationRefusedError,
  OrderAlreadyPaidError,
  OrderAmountExceededError,
  OrderPaymentOpenError,
  PaymentInputError,
  PaymentNotFoundError,
  PaymentNotHeldError,
  PaymentOutcomeUnknownError,
  PaymentRejectedError,
  PaymentsConfigurationError,
  PaymentsError,
} from './payments.errors.js';
