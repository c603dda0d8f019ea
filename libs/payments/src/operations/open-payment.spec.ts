import { intentOf, NOW, ordered, paymentRow, TERMS, told } from '../../../../test/support/state.js';
import { AS_WRITTEN } from '../payment/change.js';
import { owedKeys } from '../receipts/owed-keys.js';
import { openFirst, openPayment } from './open-payment.js';

const STORE = '019c0000-0000-7000-8000-0000000000aa';
const terms = { ...TERMS, leaseMs: 60_000, callDeadlineMs: 20_000, traceparent: 'trace' };
const since = (from: Date, ms: number) => new Date(from.getTime() + ms);

describe('the first payment of an order', () => {
  const { order, payment, operation, change } = openFirst(STORE, intentOf({ totalDueMinor: 25_000 }), terms);

  it('is recorded with it, and with its create, which its caller sends', () => {
    expect(change.opened).toEqual({
      payment,
      order: { id: order.id, storeId: STORE, reference: 'order-1', currency: 'RUB', totalDueMinor: 25_000 },
    });
    expect(change.rows).toEqual({ operations: { opened: [operation], changed: [] } });
    expect(payment).toMatchObject({
      orderId: order.id,
      status: 'submitting',
      tryNumber: 1,
      traceparent: 'trace',
    });
    expect(operation).toMatchObject({
      kind: 'create',
      idempotenceKey: payment.intentKey,
      outcome: 'unknown',
      attempts: 1,
      resendable: true,
    });
    expect(told(change)).toEqual(['payment.submitting']);
    expect([change.after, change.totals]).toEqual([null, null]);
  });

  it('says its times as of its statement: nothing was read before', () => {
    expect(payment.createdAt).toEqual(AS_WRITTEN);
    expect(operation).toMatchObject({
      recordedAt: AS_WRITTEN,
      firstSentAt: AS_WRITTEN,
      lastSentAt: AS_WRITTEN,
      leaseUntil: since(AS_WRITTEN, 60_000),
    });
    // For the sweep, once its caller's time is up.
    expect(change.wanted).toMatchObject({ at: since(AS_WRITTEN, 20_000), isUrgent: false });
  });
});

describe('the next payment of an order', () => {
  const tries = [paymentRow({ tryNumber: 3, status: 'canceled' }), paymentRow({ tryNumber: 2 })];

  it('is the next try of its part, under a key of its own', () => {
    const { payment, operation, change } = openPayment({ ...ordered([]), tries }, intentOf(), terms);
    const first = openFirst(STORE, intentOf(), terms);
    expect(payment).toMatchObject({ tryNumber: 4, createdAt: NOW });
    expect(operation.idempotenceKey).not.toBe(first.operation.idempotenceKey);
    expect(change.opened).toEqual({ payment, order: null });
    expect(change.wanted).toMatchObject({ at: since(NOW, 20_000) });
    expect(change.totals).toBeNull();
  });

  it('has the order owe what its create says, with what follows from that', () => {
    const state = ordered([], { order: { paidMinor: 6_000 }, tries });
    const { change } = openPayment(state, intentOf({ totalDueMinor: 6_000 }), terms);
    expect(change.totals).toMatchObject({ totalDueMinor: 6_000, state: 'paid' });
    expect(told(change)).toEqual(['payment.submitting', 'order.paid']);
    expect(change.events.map(({ cause }) => cause)).toEqual(['create', 'create']);
  });
});

describe('a payment', () => {
  it('by card data cannot be sent again', () => {
    const { operation } = openFirst(STORE, intentOf({ cardData: true }), terms);
    expect(operation.resendable).toBe(false);
  });

  it.each([true, false])('whose receipt follows the money (%s) owes that until then', (receiptsAfter) => {
    const receipt = {
      customer: { email: 'buyer@shop.example' },
      items: [
        {
          description: 'Tea',
          quantity: 1,
          amount: { value: '100.00', currency: 'RUB' as const },
          vatCode: 1 as const,
          paymentMode: 'full_payment' as const,
          paymentSubject: 'commodity' as const,
        },
      ],
    };
    const { payment, operation, change } = openFirst(STORE, intentOf({ receipt, receiptsAfter }), terms);
    const owed = {
      paymentId: payment.id,
      receiptKey: owedKeys.payment,
      type: 'payment',
      status: 'owed',
      amountMinor: 10_000,
    };
    expect(change.rows?.receipts?.opened ?? []).toMatchObject(receiptsAfter ? [owed] : []);
    expect(operation.personal === null).toBe(receiptsAfter);
  });
});
