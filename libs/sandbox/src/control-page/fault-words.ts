import type { ApiFault, FaultOrder, NotificationFault, OpenFaultOrder } from '../faults/fault-order.js';
import { spanText } from '../pages/spans.js';
import type { Operation } from '../wire/operations.js';

/** What a request does, and what is so once it has taken effect. */
type Words = readonly [does: string, done: string];

export const operationWords: Readonly<Record<Operation, Words>> = {
  create: ['create a payment', 'the payment was created'],
  capture: ['capture a payment', 'the payment was captured'],
  cancel: ['cancel a payment', 'the payment was canceled'],
  refund: ['make a refund', 'the refund was made'],
  webhook: ['add a webhook', 'the webhook was added'],
  delete_webhook: ['delete a webhook', 'the webhook was deleted'],
  receipt: ['make a receipt', 'the receipt was made'],
  bind: ['save a method', 'the method was asked for'],
  invoice: ['make an invoice', 'the invoice was made'],
  read: ['read a payment', 'the payment was read'],
  list: ['list payments', 'payments were listed'],
  read_refund: ['read a refund', 'the refund was read'],
  read_receipt: ['read a receipt', 'the receipt was read'],
  read_invoice: ['read an invoice', 'the invoice was read'],
  list_receipts: ['list receipts', 'receipts were listed'],
  list_refunds: ['list refunds', 'refunds were listed'],
  me: ["read the store's settings", "the store's settings were read"],
  list_webhooks: ['list webhooks', 'webhooks were listed'],
  read_payout: ['read a payout', 'the payout was read'],
  read_deal: ['read a deal', 'the deal was read'],
  read_payment_method: ['read a saved method', 'the saved method was read'],
  token: ['get a token', 'the token was given'],
  revoke_token: ['revoke a token', 'the token was revoked'],
};

/** The words for whatever a request does. */
const anything: Words = ['carry it out', 'it took effect'];

const apiFaultPhrases: Readonly<Record<ApiFault, (words: Words) => string>> = {
  reset_before_commit: ([, done]) => `Cut the connection before ${done}`,
  reset_after_commit: ([, done]) => `Cut the connection after ${done}`,
  truncated_body: ([, done]) => `Cut the answer in half after ${done}`,
  stall: ([does]) => `Wait long, then ${does} and answer`,
  stall_after_commit: ([, done]) => `Answer slowly after ${done}`,
  error_500_before_commit: ([, done]) => `Answer 500 before ${done}`,
  error_500_after_commit: ([, done]) => `Answer 500 after ${done}`,
  too_many_requests: ([, done]) => `Answer 429 “too many requests” before ${done}`,
  accepted: ([does]) => `Answer 202 “accepted”, and ${does} later`,
  forbidden: ([, done]) => `Answer 403 “forbidden” before ${done}`,
  unknown_fields: ([, done]) => `Answer with fields that no client knows after ${done}`,
  no_date: ([, done]) => `Answer without a date after ${done}`,
  wrong_date: ([, done]) => `Answer with a wrong date after ${done}`,
};

/** What goes wrong with this request, or with any. */
export function apiFaultWords(fault: ApiFault, operation: Operation | null = null): string {
  return apiFaultPhrases[fault](operation === null ? anything : operationWords[operation]);
}

export const notificationFaultWords: Readonly<Record<NotificationFault, string>> = {
  drop: 'Lose the next notification',
  delay: 'Send the next notification late',
  duplicate: 'Send the next notification several times at once',
  reorder: 'Send the next notification after the one that follows it',
};

/** A fault as a person orders it: `Cut the connection after the refund was made`. */
export function faultWords(order: FaultOrder): string {
  return order.on === 'notification'
    ? notificationFaultWords[order.fault]
    : apiFaultWords(order.fault, order.on);
}

/** How long, how often, and for whom: `10 s, 2 left, store 300200`. */
export function faultTerms({ order, left }: OpenFaultOrder): string {
  const { ms, retry_after: retryAfterMs, copies } = order;
  return [
    ...(ms === undefined ? untimed(order) : [`${ms < 0 ? 'behind by ' : ''}${exactSpan(Math.abs(ms))}`]),
    ...(retryAfterMs === undefined ? [] : [`again after ${exactSpan(retryAfterMs)}`]),
    ...(copies === undefined ? [] : [`${copies} more`]),
    ...(order.on === 'notification' || order.store === undefined ? [] : [`store ${order.store}`]),
    ...(order.on === 'notification' || order.object === undefined ? [] : [`only ${order.object}`]),
    `${left} left`,
  ].join(', ');
}

function untimed({ fault }: FaultOrder): string[] {
  return fault === 'stall' || fault === 'stall_after_commit' ? ['until all faults are removed'] : [];
}

function exactSpan(ms: number): string {
  return ms % 1000 === 0 ? spanText(ms) : `${ms} ms`;
}
