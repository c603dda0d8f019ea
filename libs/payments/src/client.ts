/**
 * The service's own interface, typed: works alone, without a database and without a module. What the module's options and errors
 * use of it is also in the main entry, with the same identity.
 */
export { PaymentsApi } from './api/payments-api.js';
export type { CallOptions, PaymentsApiOptions } from './api/payments-api.options.js';
export {
  shopCredentials,
  tokenCredentials,
  type Credentials,
  type CredentialsSource,
  type ShopCredentials,
  type TokenCredentials,
} from './api/credentials.js';
export { Secret } from './api/secret.js';
export { documentedProfile, type PartnerAction, type ServiceProfile } from './api/service-profile.js';
export { yookassaProfile } from './api/yookassa-profile.js';
export type { CircuitOptions } from './api/circuit.js';
export type { HttpAnswer, HttpSender } from './api/http-sender.js';
export type { AnswerInfo, FailureInfo, RequestHooks, RequestInfo } from './api/hooks.js';
export type { ServiceStatus } from './common/payment-status.js';
export { formatAmount, parseAmount, type Amount } from './common/money.js';
export { PaymentInputError, PaymentsConfigurationError, PaymentsError } from './common/payments.errors.js';
export * from './api/service-errors.js';

export { ObjectList, type ObjectPage } from './api/object-list.js';
export type { AirlineRequest, LegRequest, PassengerRequest } from './api/requests/airline.js';
export type { CapturePaymentRequest } from './api/requests/capture-payment.js';
export type { CardRequest } from './api/requests/card.js';
export type { ConfirmationRequest, Locale } from './api/requests/confirmation.js';
export type {
  BindableMethod,
  ConfirmationType,
  MethodField,
  MethodName,
  MethodRules,
} from './api/method-rules.js';
export type { CreateInvoiceRequest } from './api/requests/create-invoice.js';
export type { CreatePaymentMethodRequest } from './api/requests/create-payment-method.js';
export type { CreatePaymentRequest } from './api/requests/create-payment.js';
export type { CreateRefundRequest } from './api/requests/create-refund.js';
export type { CreateWebhookRequest, WebhookEvent } from './api/requests/create-webhook.js';
export type { PaymentListFilter, ReceiptListFilter, RefundListFilter } from './api/requests/list-filters.js';
export type {
  BankCardData,
  OtherMethodData,
  PaymentMethodDataRequest,
  WalletData,
  WalletPayData,
} from './api/requests/payment-method-data.js';
export type { ArticleRequest } from './api/requests/articles.js';
export type { VatData } from './api/requests/vat-data.js';
export type { CancellationDetailsObject } from './api/objects/cancellation-details.js';
export type { ConfirmationObject } from './api/objects/confirmation.js';
export type { DealObject } from './api/objects/deal.js';
export type { InvoiceObject } from './api/objects/invoice.js';
export type { OpenEnum, OpenObject } from './api/objects/open.js';
export type { AuthorizationDetailsObject, PaymentObject, RecipientObject } from './api/objects/payment.js';
export type { CardObject, PaymentMethodObject } from './api/objects/payment-method.js';
export type { PayoutObject } from './api/objects/payout.js';
export type { ReceiptObject } from './api/objects/receipt.js';
export type { RefundObject } from './api/objects/refund.js';
export type {
  AnswerField,
  AnswerList,
  AnswerOf,
  AnswerPart,
  AnswerShape,
  ReadAnswer,
} from './api/objects/shape.js';
export type { StoreObject } from './api/objects/store.js';
export type { WebhookObject } from './api/objects/webhook.js';
