import type { AxiosInstance } from 'axios';
import type { ShopCredentials } from './secret.js';
import { isRecord, ServiceUnexpectedAnswerError, type ServiceErrorDetails } from './service-errors.js';
import { readServicePayment, type ServicePayment } from './service-payment.js';
import type { ServiceProfile } from './service-profile.js';
import { sendToService, type ServiceRequest } from './transport.js';

export interface PaymentsApiOptions {
  /** {base_url} of the service, without a path. */
  readonly serviceUrl: string;
  readonly profile: ServiceProfile;
  readonly credentials: ShopCredentials;
  /** For one attempt. The service itself may take up to 30 s before it answers 500. */
  readonly requestTimeoutMs: number;
}

/** The body and key of a POST, as recorded. */
export interface RecordedRequest {
  readonly body: string;
  readonly idempotenceKey: string;
}

/** The outbound client: one method per endpoint of section 4, one attempt per call. */
export class PaymentsApi {
  readonly #http: AxiosInstance;
  readonly #options: PaymentsApiOptions;

  constructor(http: AxiosInstance, options: PaymentsApiOptions) {
    this.#http = http;
    this.#options = options;
  }

  /** POST /v3/payments. */
  createPayment(request: RecordedRequest): Promise<ServicePayment> {
    return this.#payment('POST', this.#options.profile.paths.payments, request);
  }

  /** The re-read: the GET that tells the truth. */
  readPayment(serviceId: string): Promise<ServicePayment> {
    return this.#payment('GET', this.#options.profile.paths.payment(serviceId));
  }

  /** POST …/capture: the whole hold or, with a smaller amount, a part of it. */
  capturePayment(serviceId: string, request: RecordedRequest): Promise<ServicePayment> {
    return this.#payment('POST', this.#options.profile.paths.capture(serviceId), request);
  }

  /** POST …/cancel: releases the hold. */
  cancelPayment(serviceId: string, request: RecordedRequest): Promise<ServicePayment> {
    return this.#payment('POST', this.#options.profile.paths.cancel(serviceId), request);
  }

  /** Every payment created in the window, newest first, over all pages. */
  async *listPayments(window: {
    readonly createdFrom: Date;
    readonly createdTo: Date;
  }): AsyncGenerator<ServicePayment> {
    const path = this.#options.profile.paths.payments;
    let cursor: string | undefined;
    do {
      const query = {
        'created_at.gte': window.createdFrom.toISOString(),
        'created_at.lte': window.createdTo.toISOString(),
        limit: '100',
        ...(cursor === undefined ? {} : { cursor }),
      };
      const page = await this.#send({
        method: 'GET',
        path,
        query,
        timeoutMs: this.#options.requestTimeoutMs,
      });
      const items = isRecord(page) ? page['items'] : undefined;
      if (!Array.isArray(items)) throw unexpected('a list without items', { request: `GET ${path}` });
      for (const item of items) {
        const payment = readServicePayment(item);
        // A page with one unreadable payment proves nothing about what the list does not hold.
        if (payment === null) throw unexpected('a list item that is no payment', { request: `GET ${path}` });
        yield payment;
      }
      const next = isRecord(page) ? page['next_cursor'] : undefined;
      cursor = typeof next === 'string' && next !== '' ? next : undefined;
    } while (cursor !== undefined);
  }

  async #payment(method: 'GET' | 'POST', path: string, request?: RecordedRequest): Promise<ServicePayment> {
    const answer = await this.#send({ method, path, timeoutMs: this.#options.requestTimeoutMs, ...request });
    const payment = readServicePayment(answer);
    if (payment === null)
      throw unexpected('an answer that is no payment object', { request: `${method} ${path}` });
    return payment;
  }

  #send(request: ServiceRequest): Promise<unknown> {
    return sendToService(this.#http, this.#options.serviceUrl, this.#options.credentials, request);
  }
}

function unexpected(message: string, details: ServiceErrorDetails): ServiceUnexpectedAnswerError {
  return new ServiceUnexpectedAnswerError(message, { ...details, httpStatus: 200 });
}
