import { isRecord } from '../common/is-record.js';
import { PaymentInputError } from '../common/payments.errors.js';
import { limits } from './limits.js';
import type { ObjectPage } from './object-list.js';
import { isDealObject } from './objects/deal.js';
import { isText } from './objects/fields.js';
import { isInvoiceObject } from './objects/invoice.js';
import { isPaymentMethodObject } from './objects/payment-method.js';
import { isPaymentObject } from './objects/payment.js';
import { isPayoutObject } from './objects/payout.js';
import { isReceiptObject } from './objects/receipt.js';
import { isRefundObject } from './objects/refund.js';
import { isStoreObject } from './objects/store.js';
import { isWebhookObject } from './objects/webhook.js';
import type { ServiceProfile } from './service-profile.js';
import {
  invoiceFromWire,
  methodFromWire,
  paymentFromWire,
  payoutFromWire,
  refundFromWire,
  storeFromWire,
} from './wire-names.js';

/** Parses an answer; null if it is not what the interface describes. `date`: the time of the service's clock. */
type Parse<T> = (body: unknown, date: Date | null) => T | null;

/** One endpoint and what it answers. */
export interface Endpoint<T> {
  /** The method of PaymentsApi that calls it. */
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly read: Parse<T>;
  /** Only with a token. */
  readonly tokenOnly?: true;
}

export type Endpoints = ReturnType<typeof endpointsOf>;

/** Every endpoint of the service as this profile has it. Those with an id throw PaymentInputError if the id is invalid. */
export function endpointsOf(profile: ServiceProfile) {
  const { paths } = profile;
  const payment = parserOf(isPaymentObject, (object) => paymentFromWire(profile, object));
  const method = parserOf(isPaymentMethodObject, (object) => methodFromWire(profile, object));
  const store = parserOf(isStoreObject, (object) => storeFromWire(profile, object));
  const payout = parserOf(isPayoutObject, (object) => payoutFromWire(profile, object));
  const refund = parserOf(isRefundObject, (object) => refundFromWire(profile, object));
  const receipt = parserOf(isReceiptObject);
  const invoice = parserOf(isInvoiceObject, (object) => invoiceFromWire(profile, object));
  const webhook = parserOf(isWebhookObject);
  return {
    createPayment: () => post('createPayment', paths.payments, payment),
    fetchPayment: (id: string) => get('fetchPayment', paths.payment(idOf(id, 'paymentId')), payment),
    listPayments: () => get('listPayments', paths.payments, pageOf(payment)),
    capturePayment: (id: string) => post('capturePayment', paths.capture(idOf(id, 'paymentId')), payment),
    cancelPayment: (id: string) => post('cancelPayment', paths.cancel(idOf(id, 'paymentId')), payment),
    createRefund: () => post('createRefund', paths.refunds, refund),
    fetchRefund: (id: string) => get('fetchRefund', paths.refund(idOf(id, 'refundId')), refund),
    listRefunds: () => get('listRefunds', paths.refunds, pageOf(refund)),
    createReceipt: () => post('createReceipt', paths.receipts, receipt),
    fetchReceipt: (id: string) => get('fetchReceipt', paths.receipt(idOf(id, 'receiptId')), receipt),
    listReceipts: () => get('listReceipts', paths.receipts, pageOf(receipt)),
    createInvoice: () => post('createInvoice', paths.invoices, invoice),
    fetchInvoice: (id: string) => get('fetchInvoice', paths.invoice(idOf(id, 'invoiceId')), invoice),
    fetchStore: () => tokenOnly(get('fetchStore', paths.store, store)),
    createWebhook: () => tokenOnly(post('createWebhook', paths.webhooks, webhook)),
    listWebhooks: () => tokenOnly(get('listWebhooks', paths.webhooks, pageOf(webhook))),
    deleteWebhook: (id: string) =>
      tokenOnly(remove('deleteWebhook', paths.webhook(idOf(id, 'webhookId')), parserOf(isRecord))),
    fetchPayout: (id: string) => get('fetchPayout', paths.payout(idOf(id, 'payoutId')), payout),
    fetchDeal: (id: string) => get('fetchDeal', paths.deal(idOf(id, 'dealId')), parserOf(isDealObject)),
    createPaymentMethod: () => post('createPaymentMethod', paths.paymentMethods, method),
    fetchPaymentMethod: (id: string) =>
      get('fetchPaymentMethod', paths.paymentMethod(idOf(id, 'paymentMethodId')), method),
  };
}

function get<T>(operation: string, path: string, read: Parse<T>): Endpoint<T> {
  return { operation, method: 'GET', path, read };
}

function post<T>(operation: string, path: string, read: Parse<T>): Endpoint<T> {
  return { operation, method: 'POST', path, read };
}

function remove<T>(operation: string, path: string, read: Parse<T>): Endpoint<T> {
  return { operation, method: 'DELETE', path, read };
}

function tokenOnly<T>(endpoint: Endpoint<T>): Endpoint<T> {
  return { ...endpoint, tokenOnly: true };
}

function parserOf<T>(
  is: (body: unknown) => body is T,
  fromWire: (object: T) => T = (object) => object,
): Parse<T> {
  return (body) => (is(body) ? fromWire(body) : null);
}

/** A page with one unreadable item, or an unreadable cursor, cannot prove that the list lacks something, so it is no page. */
function pageOf<T>(read: Parse<T>): Parse<ObjectPage<T>> {
  return (body, date) => {
    if (!isRecord(body) || !Array.isArray(body['items'])) return null;
    const items = body['items'].map((item) => read(item, date)).filter((item) => item !== null);
    const { next_cursor: next } = body;
    const isLast = next === undefined || next === null || next === '';
    if (items.length < body['items'].length || !(isLast || isText(next))) return null;
    return { items, nextCursor: isLast ? null : next, date };
  };
}

/** Nothing in an identifier may lead out of the path it is put into. */
function idOf(id: string, field: string): string {
  const { value: maxLength } = limits.idLength;
  if (typeof id === 'string' && /^[\w-]+$/.test(id) && id.length <= maxLength) return id;
  throw new PaymentInputError(field, `must be the service's id: 1 to ${maxLength} letters, digits, - and _`);
}
