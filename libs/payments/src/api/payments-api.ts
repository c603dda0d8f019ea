import { Axios } from 'axios';
import { randomUUID } from 'node:crypto';
import { PaymentsLog } from '../common/payments-log.js';
import type { OpenCircuits } from './circuit.js';
import { endpointsOf, type Endpoint, type Endpoints } from './endpoints.js';
import type { HttpSender } from './http-sender.js';
import { limits } from './limits.js';
import { ObjectList, type ObjectPage } from './object-list.js';
import type { DealObject } from './objects/deal.js';
import type { InvoiceObject } from './objects/invoice.js';
import type { PaymentMethodObject } from './objects/payment-method.js';
import type { PaymentObject } from './objects/payment.js';
import type { PayoutObject } from './objects/payout.js';
import type { ReceiptObject } from './objects/receipt.js';
import type { RefundObject } from './objects/refund.js';
import type { StoreObject } from './objects/store.js';
import type { WebhookObject } from './objects/webhook.js';
import {
  mustBeCallOptions,
  resolveApiOptions,
  type CallOptions,
  type PaymentsApiOptions,
  type RecordedCall,
  type RecordedOptions,
  type RecordedPaymentCall,
  type RecordedRequest,
} from './payments-api.options.js';
import { CapturePaymentRequestShape, type CapturePaymentRequest } from './requests/capture-payment.js';
import { CreateInvoiceRequestShape, type CreateInvoiceRequest } from './requests/create-invoice.js';
import { parseBindingRequest, type CreatePaymentMethodRequest } from './requests/create-payment-method.js';
import type { CreatePaymentRequest } from './requests/create-payment.js';
import { CreateRefundRequestShape, type CreateRefundRequest } from './requests/create-refund.js';
import { CreateWebhookRequestShape, type CreateWebhookRequest } from './requests/create-webhook.js';
import {
  PaymentListFilterShape,
  type PaymentListFilter,
  RefundListFilterShape,
  type RefundListFilter,
  ReceiptListFilterShape,
  type ReceiptListFilter,
} from './requests/list-filters.js';
import { parseCreateRequest } from './requests/parse-create-request.js';
import { parseRequest } from './requests/parse-request.js';
import { serviceAgents } from './service-agent.js';
import { ServiceClient } from './service-client.js';
import type { ServiceProfile } from './service-profile.js';
import { detailsOf } from './transport.js';
import { createRequestToWire, listFilterToWire, methodToWire } from './wire-names.js';

/**
 * The service's REST interface, typed: one method per endpoint, usable on its own, without a database. A request is checked
 * before it is sent, carries an idempotence key, and is sent again, with the same key and bytes, if that is safe. Answers are the
 * service's own objects, field names included; only names that stand for a brand are the interface's neutral words, whatever the
 * profile's wire names are.
 *
 * Every method throws PaymentInputError if an argument breaks a rule (nothing was sent), and otherwise a {@link ServiceError} of
 * the class that fits; its `outcome` says whether the service can have acted.
 */
export class PaymentsApi {
  readonly #profile: ServiceProfile;
  readonly #cardData: boolean;
  readonly #endpoints: Endpoints;
  readonly #client: ServiceClient;
  readonly #requestTimeoutMs: number;

  /**
   * `http`: an axios of your own, e.g. one with an agent; then you are responsible for TLS. Its interceptors would see the
   * credentials. Default: TLS 1.2 or newer, the certificate checked.
   * @throws PaymentsConfigurationError
   */
  constructor(options: PaymentsApiOptions, http: HttpSender = new Axios(serviceAgents)) {
    const resolved = resolveApiOptions(options);
    this.#profile = resolved.profile;
    this.#cardData = resolved.cardData;
    this.#endpoints = endpointsOf(resolved.profile);
    this.#requestTimeoutMs = resolved.requestTimeoutMs;
    this.#client = new ServiceClient(http, resolved);
    if (this.#cardData) warnOfCardData();
  }

  /** @internal */
  get openCircuits(): OpenCircuits {
    return this.#client.openCircuits;
  }

  /** Creates a payment: POST /v3/payments. If the buyer must confirm, `confirmation.confirmation_url` is the address. */
  async createPayment(request: CreatePaymentRequest, options?: CallOptions): Promise<PaymentObject> {
    const rules = { profile: this.#profile, cardData: this.#cardData };
    const body = createRequestToWire(this.#profile, parseCreateRequest(request, rules));
    return this.#write(this.#endpoints.createPayment(), body, options);
  }

  /** Reads a payment: its true state (assumed: the interface leaves it open). */
  async fetchPayment(id: string, options?: CallOptions): Promise<PaymentObject> {
    return this.#fetch(this.#endpoints.fetchPayment(id), options);
  }

  /** Payments, newest first, over all pages (assumed). `limit`: of one page, default 100; `cursor`: where to continue. */
  listPayments(filter: PaymentListFilter = {}, options?: CallOptions): ObjectList<PaymentObject> {
    const query = listFilterToWire(this.#profile, parseRequest(PaymentListFilterShape, filter));
    return this.#list(this.#endpoints.listPayments(), query, options);
  }

  /**
   * Captures a hold: POST …/capture. The whole of it, or with a smaller `amount` a part; the rest is
   * released. Only from `waiting_for_capture`.
   */
  async capturePayment(
    id: string,
    request: CapturePaymentRequest = {},
    options?: CallOptions,
  ): Promise<PaymentObject> {
    const body = parseRequest(CapturePaymentRequestShape, request);
    return this.#write(this.#endpoints.capturePayment(id), body, options);
  }

  /** Cancels a hold (assumed: the interface leaves it open). A pending payment cannot be canceled. */
  async cancelPayment(id: string, options?: CallOptions): Promise<PaymentObject> {
    return this.#write(this.#endpoints.cancelPayment(id), {}, options);
  }

  /** Refunds a succeeded payment, the whole of it or a part (assumed: the interface leaves it open). */
  async createRefund(request: CreateRefundRequest, options?: CallOptions): Promise<RefundObject> {
    const body = parseRequest(CreateRefundRequestShape, request);
    return this.#write(this.#endpoints.createRefund(), body, options);
  }

  /** Reads a refund (assumed). */
  async fetchRefund(id: string, options?: CallOptions): Promise<RefundObject> {
    return this.#fetch(this.#endpoints.fetchRefund(id), options);
  }

  /** Refunds, newest first, over all pages (assumed). `limit` and `cursor` as in {@link listPayments}. */
  listRefunds(filter: RefundListFilter = {}, options?: CallOptions): ObjectList<RefundObject> {
    return this.#list(this.#endpoints.listRefunds(), parseRequest(RefundListFilterShape, filter), options);
  }

  /** Reads a receipt; only services of {@link ServiceProfile.receipts} have them, as do all three of these. */
  async fetchReceipt(id: string, options?: CallOptions): Promise<ReceiptObject> {
    return this.#fetch(this.#endpoints.fetchReceipt(id), options);
  }

  /** Receipts, newest first, over all pages, those that went with payments and refunds included. */
  listReceipts(filter: ReceiptListFilter = {}, options?: CallOptions): ObjectList<ReceiptObject> {
    return this.#list(this.#endpoints.listReceipts(), parseRequest(ReceiptListFilterShape, filter), options);
  }

  /**
   * Issues an invoice: POST /v3/invoices. The buyer pays it by `delivery_method.url`, or by what the service sends. The public
   * service's alone, and with shop credentials only.
   */
  async createInvoice(request: CreateInvoiceRequest, options?: CallOptions): Promise<InvoiceObject> {
    const body = parseRequest(CreateInvoiceRequestShape, request);
    return this.#write(this.#endpoints.createInvoice(), body, options);
  }

  /** Reads an invoice, likewise. `payment_details` names the payment that it was paid by. */
  async fetchInvoice(id: string, options?: CallOptions): Promise<InvoiceObject> {
    return this.#fetch(this.#endpoints.fetchInvoice(id), options);
  }

  /**
   * The token's store: GET /v3/me.
   * @throws ServiceTokenRequiredError with shop credentials; nothing is sent
   */
  async fetchStore(options?: CallOptions): Promise<StoreObject> {
    return this.#fetch(this.#endpoints.fetchStore(), options);
  }

  /**
   * Subscribes the token to one event: POST /v3/webhooks.
   * @throws ServiceTokenRequiredError with shop credentials; nothing is sent
   */
  async createWebhook(request: CreateWebhookRequest, options?: CallOptions): Promise<WebhookObject> {
    const body = parseRequest(CreateWebhookRequestShape, request);
    return this.#write(this.#endpoints.createWebhook(), body, options);
  }

  /**
   * The token's subscriptions (assumed: the interface leaves it open).
   * @throws ServiceTokenRequiredError with shop credentials; nothing is sent
   */
  async listWebhooks(options?: CallOptions): Promise<WebhookObject[]> {
    const { items } = await this.#fetch(this.#endpoints.listWebhooks(), options);
    return items;
  }

  /**
   * Ends a subscription (assumed, likewise).
   * @throws ServiceTokenRequiredError with shop credentials; nothing is sent
   */
  async deleteWebhook(id: string, options?: CallOptions): Promise<void> {
    await this.#write(this.#endpoints.deleteWebhook(id), null, options);
  }

  /** Reads a payout (assumed: the interface names it as an event's object). */
  async fetchPayout(id: string, options?: CallOptions): Promise<PayoutObject> {
    return this.#fetch(this.#endpoints.fetchPayout(id), options);
  }

  /** Reads a deal (assumed, likewise). */
  async fetchDeal(id: string, options?: CallOptions): Promise<DealObject> {
    return this.#fetch(this.#endpoints.fetchDeal(id), options);
  }

  /**
   * Saves a method without a payment: POST /v3/payment_methods. `confirmation.confirmation_url` or `confirmation_data` is for the
   * buyer, who has an hour. The public service's alone.
   */
  async createPaymentMethod(
    request: CreatePaymentMethodRequest,
    options?: CallOptions,
  ): Promise<PaymentMethodObject> {
    const { type, ...rest } = parseBindingRequest(request, this.#profile);
    const body = { type: methodToWire(this.#profile, type), ...rest };
    return this.#write(this.#endpoints.createPaymentMethod(), body, options);
  }

  /** Reads a saved payment method (assumed, likewise). */
  async fetchPaymentMethod(id: string, options?: CallOptions): Promise<PaymentMethodObject> {
    return this.#fetch(this.#endpoints.fetchPaymentMethod(id), options);
  }

  /**
   * Sends a recorded request: one attempt, its exact bytes under its own key. Sending it again is up to the caller.
   * @internal
   */
  sendRecorded(
    call: RecordedPaymentCall,
    request: RecordedRequest,
    options?: RecordedOptions,
  ): Promise<PaymentObject>;
  /** @internal */
  sendRecorded(
    call: { readonly kind: 'refund' },
    request: RecordedRequest,
    options?: RecordedOptions,
  ): Promise<RefundObject>;
  /** @internal */
  sendRecorded(
    call: { readonly kind: 'receipt' },
    request: RecordedRequest,
    options?: RecordedOptions,
  ): Promise<ReceiptObject>;
  /** @internal */
  sendRecorded(
    call: RecordedCall,
    request: RecordedRequest,
    options?: RecordedOptions,
  ): Promise<PaymentObject | RefundObject | ReceiptObject>;
  /** @internal */
  async sendRecorded(
    call: RecordedCall,
    { body, idempotenceKey }: RecordedRequest,
    { store, attempt = 1 }: RecordedOptions = {},
  ): Promise<PaymentObject | RefundObject | ReceiptObject> {
    const endpoint = this.#recorded(call);
    return this.#client.attempt(
      { endpoint, body, idempotenceKey, store },
      { attempt, timeoutMs: this.#requestTimeoutMs },
    );
  }

  #recorded(call: RecordedCall): Endpoint<PaymentObject | RefundObject | ReceiptObject> {
    if (call.kind === 'create') return this.#endpoints.createPayment();
    if (call.kind === 'refund') return this.#endpoints.createRefund();
    if (call.kind === 'receipt') return this.#endpoints.createReceipt();
    return call.kind === 'capture'
      ? this.#endpoints.capturePayment(call.serviceId)
      : this.#endpoints.cancelPayment(call.serviceId);
  }

  #fetch<T>(endpoint: Endpoint<T>, options: CallOptions = {}): Promise<T> {
    mustBeCallOptions(options);
    return this.#client.call({ endpoint, store: options.store }, options);
  }

  #write<T>(endpoint: Endpoint<T>, body: object | null, options: CallOptions = {}): Promise<T> {
    mustBeCallOptions(options);
    const { store, idempotenceKey = randomUUID() } = options;
    const text = body === null ? undefined : JSON.stringify(body);
    return this.#client.call({ endpoint, store, idempotenceKey, body: text }, options);
  }

  #list<T>(
    endpoint: Endpoint<ObjectPage<T>>,
    { cursor: first, ...filter }: { readonly cursor?: string },
    options: CallOptions = {},
  ): ObjectList<T> {
    mustBeCallOptions(options);
    const { store } = options;
    const fetchPage = (cursor: string | undefined): Promise<ObjectPage<T>> => {
      const asked = Object.entries({ limit: limits.listPageMax.value, ...filter, cursor });
      const query = asked
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [name, String(value)]);
      return this.#client.call({ endpoint, store, query: Object.fromEntries(query) }, options);
    };
    return new ObjectList(fetchPage, first, detailsOf(endpoint));
  }
}

/** Logged once, at start, wherever card data may be sent. */
function warnOfCardData(): void {
  new PaymentsLog().warn(
    'Card data is enabled: card numbers pass through this process. That requires a PCI DSS compliance certificate ' +
      '(self-assessment questionnaire SAQ D) and covers everything they pass through: the page, proxies, logs, dumps. ' +
      "Without it, leave cardData out and let buyers enter their cards on the service's page.",
  );
}
