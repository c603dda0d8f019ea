import { randomInt, randomUUID } from 'node:crypto';
import type { ReceiptStatus } from '../../api/objects/fields.js';
import type { PayoutObject } from '../../api/objects/payout.js';
import { DAY_MS } from '../../common/durations.js';
import { isRecord } from '../../common/is-record.js';
import type { PaymentStatus } from '../../common/payment-status.js';
import type { RefundStatus } from '../../common/refund-status.js';
import type {
  BaseEvent,
  EventName,
  EventOf,
  OrderEvent,
  PaymentEvent,
  ReceiptEvent,
  RefundEvent,
} from '../../views/events.js';
import type { Order, Payment } from '../../views/payment.view.js';
import { aPayment } from './a-payment.js';
import { aRefund } from './a-refund.js';
import { aStore } from './a-store.js';
import { anOrder } from './an-order.js';
import { BUILT_AT, CURRENCY } from './moments.js';

/** Ids are numbers of the database, as text. */
const LAST_ID = 2 ** 47;
const A_MINUTE_MS = 60_000;

/** Each event with what it is about, made anew for each; `order`: what `fields` say of its order. */
const eventsByName: {
  readonly [Name in EventName]: (base: BaseEvent<Name>, order: OfOrder) => EventOf<Name>;
} = {
  'payment.pending': (base, order) => ({ ...base, ...payment(order, 'pending') }),
  'payment.waiting_for_capture': (base, order) => ({ ...base, ...payment(order, 'waiting_for_capture') }),
  'payment.succeeded': (base, order) => ({ ...base, ...payment(order, 'succeeded') }),
  'payment.canceled': (base, order) => ({ ...base, ...payment(order, 'canceled') }),
  'payment.rejected': (base, order) => ({ ...base, ...payment(order, 'rejected') }),
  'payment.anomaly': (base, order) => ({ ...base, ...payment(order, 'pending') }),
  'order.paid': (base, order) => ({ ...base, ...change(order, 'paid') }),
  'order.unpaid': (base, order) => ({ ...base, ...change(order, 'unpaid') }),
  'order.refunded': (base, order) => ({ ...base, ...change(order, 'refunded') }),
  'order.overpaid': (base, order) => ({ ...base, ...change(order, 'overpaid') }),
  'hold.expiring': (base, order) => {
    const held = payment(order, 'waiting_for_capture');
    const expiresAt = held.payment.holdExpiresAt;
    return { ...base, ...held, hold: { expiresAt, timeLeftMs: DAY_MS, policy: 'flag' } };
  },
  'hold.expired': (base, order) => ({
    ...base,
    ...payment(order, 'canceled', { cancellation: { party: 'service', reason: 'expired_on_capture' } }),
    hold: { expiresAt: BUILT_AT, timeLeftMs: 0, policy: null },
  }),
  'refund.succeeded': (base, order) => ({ ...base, ...refund(order, 'succeeded') }),
  'refund.canceled': (base, order) => ({ ...base, ...refund(order, 'canceled') }),
  'refund.rejected': (base, order) => ({ ...base, ...refund(order, 'rejected') }),
  'receipt.succeeded': (base, order) => ({ ...base, ...receipt(order, 'succeeded') }),
  'receipt.failed': (base, order) => ({ ...base, ...receipt(order, 'canceled') }),
  'receipt.late': (base, order) => ({ ...base, ...receipt(order, 'pending') }),
  'receipt.unsettled': (base, order) => ({ ...base, ...receipt(order, 'succeeded') }),
  'payout.succeeded': (base) => ({ ...base, payout: payout('succeeded') }),
  'payout.canceled': (base) => ({ ...base, payout: payout('canceled') }),
  'deal.closed': (base) => ({ ...base, deal: { id: `dl-${randomUUID()}`, status: 'closed' } }),
  'payment_method.active': (base) => ({
    ...base,
    paymentMethod: { id: randomUUID(), type: 'bank_card', saved: true, status: 'active' },
  }),
  'store.connected': (base) => ({ ...base, store: aStore() }),
  'store.needs_reconnect': (base) => ({ ...base, store: aStore({ status: 'needs_reconnect' }) }),
  'store.disconnected': (base) => ({ ...base, store: aStore({ status: 'disconnected' }) }),
  'store.token_expiring': (base) => ({ ...base, store: aStore() }),
  'database.rolled_back': (base) => ({
    ...base,
    from: new Date(BUILT_AT.getTime() - A_MINUTE_MS),
    to: BUILT_AT,
    reason: 'server_changed',
  }),
};

/**
 * An event as its handlers get it, about what its name says: that of `payment.canceled` has a canceled payment, unless `fields` say
 * otherwise. Payment, order and `orderReference` are of one order, whichever of them `fields` name.
 * @example const paid = anEvent('order.paid', { orderReference: 'A-1042' });
 */
export function anEvent<Name extends EventName>(
  name: Name,
  fields: Partial<Omit<EventOf<Name>, 'name'>> = {},
): EventOf<Name> {
  const base = { id: String(randomInt(1, LAST_ID)), name, evidence: {}, occurredAt: BUILT_AT };
  return { ...eventsByName[name](base, orderOf(fields)), ...fields };
}

/** Empty: the fields name no order. */
type OfOrder = Partial<Pick<Payment, 'orderReference'>>;

function orderOf(fields: object): OfOrder {
  const said = new Map<string, unknown>(Object.entries(fields));
  const { orderReference } = recordOr(said.get('payment'));
  const { reference } = recordOr(said.get('order'));
  const named = [said.get('orderReference'), orderReference, reference].find(
    (one) => typeof one === 'string',
  );
  return typeof named === 'string' ? { orderReference: named } : {};
}

function recordOr(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

function payment(
  order: OfOrder,
  status: PaymentStatus,
  fields: Partial<Payment> = {},
): Pick<PaymentEvent, 'orderReference' | 'payment'> {
  const made = aPayment({ ...fields, ...order, status });
  return { orderReference: made.orderReference, payment: made };
}

function change(
  order: OfOrder,
  state: Order['state'],
): Pick<OrderEvent, 'orderReference' | 'order' | 'payment'> {
  const made = payment(order, state === 'unpaid' ? 'canceled' : 'succeeded');
  return { ...made, order: anOrder({ reference: made.orderReference, store: made.payment.store, state }) };
}

function refund(
  order: OfOrder,
  status: RefundStatus,
): Pick<RefundEvent, 'orderReference' | 'payment' | 'refund'> {
  const { id, amount, ...paid } = aPayment(order);
  const refundedAmount = status === 'succeeded' ? amount : paid.refundedAmount;
  return {
    orderReference: paid.orderReference,
    payment: { ...paid, id, amount, refundedAmount },
    refund: aRefund({ paymentId: id, status, amount }),
  };
}

function receipt(
  order: OfOrder,
  receiptStatus: ReceiptStatus,
): Pick<ReceiptEvent, 'orderReference' | 'payment' | 'refund' | 'receipt'> {
  return { ...payment(order, 'succeeded', { receiptStatus }), refund: null, receipt: null };
}

function payout(status: 'succeeded' | 'canceled'): PayoutObject {
  return { id: `po-${randomUUID()}`, status, amount: { value: '100.00', currency: CURRENCY } };
}
