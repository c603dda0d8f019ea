import { isRecord } from '../common/is-record.js';
import type { InvoiceObject } from './objects/invoice.js';
import type { PaymentObject } from './objects/payment.js';
import type { PayoutObject } from './objects/payout.js';
import type { RefundObject } from './objects/refund.js';
import type { StoreObject } from './objects/store.js';
import type { ServiceProfile } from './service-profile.js';

type Names = Readonly<Record<string, string>>;

/** The service's name for a payment method that the interface calls by a neutral word, e.g. `wallet`. */
export function methodToWire({ wireNames }: ServiceProfile, type: string): string {
  return toWire(wireNames.methods, type);
}

/** The same request with the service's own name for its payment method. */
export function createRequestToWire(
  profile: ServiceProfile,
  request: { readonly payment_method_data?: { readonly type: string } },
): object {
  const { payment_method_data: data } = request;
  return data === undefined
    ? request
    : { ...request, payment_method_data: { ...data, type: methodToWire(profile, data.type) } };
}

/** The same filter likewise. */
export function listFilterToWire<T extends { readonly payment_method?: string }>(
  profile: ServiceProfile,
  filter: T,
): T {
  const { payment_method: method } = filter;
  return method === undefined ? filter : { ...filter, payment_method: methodToWire(profile, method) };
}

/** The payment with the interface's words for its method and who canceled it. An unknown name stays unchanged. */
export function paymentFromWire(profile: ServiceProfile, payment: PaymentObject): PaymentObject {
  const { payment_method: method } = payment;
  return {
    ...canceledFromWire(profile, payment),
    ...(isRecord(method) && { payment_method: methodFromWire(profile, method) }),
  };
}

/** The refund likewise. */
export function refundFromWire(profile: ServiceProfile, refund: RefundObject): RefundObject {
  return canceledFromWire(profile, refund);
}

/** The invoice likewise. */
export function invoiceFromWire(profile: ServiceProfile, invoice: InvoiceObject): InvoiceObject {
  return canceledFromWire(profile, invoice);
}

/** The payout likewise, including its destination. */
export function payoutFromWire(profile: ServiceProfile, payout: PayoutObject): PayoutObject {
  const { payout_destination: destination } = payout;
  return {
    ...canceledFromWire(profile, payout),
    ...(isRecord(destination) && { payout_destination: methodFromWire(profile, destination) }),
  };
}

/** The payment method, or an object of that form, with the interface's words for its type and its card's source. */
export function methodFromWire<T extends { readonly type?: unknown; readonly card?: unknown }>(
  { wireNames }: ServiceProfile,
  method: T,
): T {
  const { type, card } = method;
  return {
    ...method,
    ...(typeof type === 'string' && { type: fromWire(wireNames.methods, type) }),
    ...(isRecord(card) && { card: translated(wireNames.cardSources, card, 'source') }),
  };
}

/** The store with the interface's words for the methods it can take. */
export function storeFromWire({ wireNames }: ServiceProfile, store: StoreObject): StoreObject {
  const { payment_methods: methods, payout_methods: payoutMethods } = store;
  const words = (names: readonly string[]): string[] =>
    names.map((name) => fromWire(wireNames.methods, name));
  return {
    ...store,
    ...(Array.isArray(methods) && { payment_methods: words(methods) }),
    ...(Array.isArray(payoutMethods) && { payout_methods: words(payoutMethods) }),
  };
}

function canceledFromWire<T extends { readonly cancellation_details?: unknown }>(
  { wireNames }: ServiceProfile,
  object: T,
): T {
  const { cancellation_details: details } = object;
  return isRecord(details)
    ? { ...object, cancellation_details: translated(wireNames.cancellationParties, details, 'party') }
    : object;
}

function translated(names: Names, object: Readonly<Record<string, unknown>>, field: string): object {
  const name = object[field];
  return typeof name === 'string' ? { ...object, [field]: fromWire(names, name) } : object;
}

function toWire(names: Names, word: string): string {
  return Object.hasOwn(names, word) ? (names[word] ?? word) : word;
}

function fromWire(names: Names, name: string): string {
  return Object.keys(names).find((word) => names[word] === name) ?? name;
}
