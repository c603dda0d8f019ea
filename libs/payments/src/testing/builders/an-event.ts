import { randomInt, randomUUID } from 'node:crypto';
import type { ReceiptStatus } from '../../api/objects/fields.js';
import type { PayoutObject } from '../../api/objects/payout.js';
import type { PaymentStatus } from '../../common/payment-status.js';
import type { RefundStatus } from '../../common/refund-status.js';
import type { BaseEvent, EventName, EventOf, ReceiptEvent, RefundEvent } from '../../views/events.js';
import { aPayment } from './a-payment.js';
import { aRefund } from './a-refund.js';
import { aStore } from './a-store.js';
import { BUILT_AT, CURRENCY } from './moments.js';

/** Ids are numbers of the database, as text. */
const LAST_ID = 2 ** 47;
const A_DAY_MS = 86_400_000;
const A_MINUTE_MS = 60_000;

/** Each event with what it is about, made anew for each. */
const eventsByName: { readonly [Name in EventName]: (base: BaseEvent<Name>) => EventOf<Name> } = {
  'payment.pending': (base) => ({ ...base, ...payment('pending') }),
  'payment.waiting_for_capture': (base) => ({ ...base, ...payment('waiting_for_capture') }),
  'payment.succeeded': (base) => ({ ...base, ...payment('succeeded') }),
  'payment.canceled': (base) => ({ ...base, ...payment('canceled') }),
  'payment.rejected': (base) => ({ ...base, ...payment('rejected') }),
  'payment.anomaly': (base) => ({ ...base, ...payment('pending') }),
  'order.overpaid': (base) => ({ ...base, ...payment('succeeded') }),
  'hold.expiring': (base) => {
    const held = aPayment({ status: 'waiting_for_capture' });
    const hold = { expiresAt: held.holdExpiresAt, timeLeftMs: A_DAY_MS, policy: 'flag' } as const;
    return { ...base, payment: held, hold };
  },
  'hold.expired': (base) => ({
    ...base,
    payment: aPayment({
      status: 'canceled',
      cancellation: { party: 'service', reason: 'expired_on_capture' },
    }),
    hold: { expiresAt: BUILT_AT, timeLeftMs: 0, policy: null },
  }),
  'refund.succeeded': (base) => ({ ...base, ...refund('succeeded') }),
  'refund.canceled': (base) => ({ ...base, ...refund('canceled') }),
  'refund.rejected': (base) => ({ ...base, ...refund('rejected') }),
  'receipt.succeeded': (base) => ({ ...base, ...receipt('succeeded') }),
  'receipt.failed': (base) => ({ ...base, ...receipt('canceled') }),
  'receipt.late': (base) => ({ ...base, ...receipt('pending') }),
  'receipt.unsettled': (base) => ({ ...base, ...receipt('succeeded') }),
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
 * otherwise.
 * @example const paid = anEvent('payment.succeeded', { payment: aPayment({ orderReference: 'A-1042' }) });
 */
export function anEvent<Name extends EventName>(
  name: Name,
  fields: Partial<Omit<EventOf<Name>, 'name'>> = {},
): EventOf<Name> {
  const base = { id: String(randomInt(1, LAST_ID)), name, evidence: {}, occurredAt: BUILT_AT };
  return { ...eventsByName[name](base), ...fields };
}

function payment(status: PaymentStatus) {
  return { payment: aPayment({ status }) };
}

function refund(status: RefundStatus): Pick<RefundEvent, 'payment' | 'refund'> {
  const { id, amount, ...paid } = aPayment();
  const refundedAmount = status === 'succeeded' ? amount : paid.refundedAmount;
  return {
    payment: { ...paid, id, amount, refundedAmount },
    refund: aRefund({ paymentId: id, status, amount }),
  };
}

function receipt(receiptStatus: ReceiptStatus): Pick<ReceiptEvent, 'payment' | 'refund' | 'receipt'> {
  return { payment: aPayment({ receiptStatus }), refund: null, receipt: null };
}

function payout(status: 'succeeded' | 'canceled'): PayoutObject {
  return { id: `po-${randomUUID()}`, status, amount: { value: '100.00', currency: CURRENCY } };
}
