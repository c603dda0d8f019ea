import { eventsBySolution, type EventName } from '@holdfast/payments';
import { aPayment, aRefund, anEvent } from '@holdfast/payments/testing';
import { eventNames } from '../../libs/payments/src/views/events.js';

const mine = { value: '250.00', currency: 'RUB' as const };
const none = { value: '0.00', currency: 'RUB' as const };

describe('a payment that is built', () => {
  it.each([
    ['submitting', { serviceId: null, test: null, capturedAmount: none, paymentMethod: null }],
    ['pending', { confirmation: { type: 'redirect' }, capturedAmount: none, paymentMethod: null }],
    ['waiting_for_capture', { capture: false, capturedAmount: none, paymentMethod: { type: 'bank_card' } }],
    ['succeeded', { confirmation: null, confirmationUrl: null, capturedAmount: mine, refundable: true }],
    ['canceled', { cancellation: { reason: 'general_decline' }, capturedAmount: none, refundable: false }],
    ['rejected', { serviceId: null, cancellation: null, capturedAmount: none, refundable: false }],
  ] as const)('%s, agrees with its status and amount', (status, expected) => {
    expect(aPayment({ status, amount: mine })).toMatchObject({ status, amount: mine, ...expected });
  });

  it('is another one each time, and has what it is given', () => {
    expect(aPayment().id).not.toBe(aPayment().id);
    const said = {
      orderReference: 'A-1042',
      confirmation: { type: 'qr', data: 'sbp' },
      refundable: false,
    } as const;
    expect(aPayment({ status: 'pending', ...said })).toMatchObject({ ...said, confirmationUrl: null });
  });
});

describe('a refund that is built', () => {
  it('agrees with its status', () => {
    expect(aRefund({ refundKey: 'return-17' })).toMatchObject({
      status: 'succeeded',
      refundKey: 'return-17',
    });
    expect(aRefund({ status: 'canceled' }).cancellation).not.toBeNull();
    expect(aRefund({ status: 'rejected' }).serviceId).toBeNull();
  });
});

describe('an event that is built', () => {
  it.each(eventNames)('%s, is about what its name says', (name) => {
    const event = anEvent(name);
    expect(event).toMatchObject({ name, evidence: {} });
    const [subject, what] = name.split('.');
    const said = [
      ...(subject === 'payment' && what !== 'anomaly' && 'payment' in event ? [event.payment] : []),
      ...(subject === 'refund' && 'refund' in event ? [event.refund] : []),
      ...('payout' in event ? [event.payout] : []),
    ].map((object) => object?.status);
    expect(said).toEqual(/^(payment\.(?!anomaly)|refund|payout)/.test(name) ? [what] : []);
  });

  it('of a refund has the payment that was refunded', () => {
    const { payment, refund } = anEvent('refund.succeeded');
    expect([refund.paymentId, refund.amount]).toEqual([payment.id, payment.refundedAmount]);
  });

  it('has what it is given', () => {
    const payment = aPayment({ orderReference: 'A-1042' });
    expect(anEvent('payment.succeeded', { id: '7', payment })).toMatchObject({ id: '7', payment });
  });

  it('takes the fields of its own kind alone', () => {
    // @ts-expect-error a payment's event has no refund
    anEvent('payment.succeeded', { refund: aRefund() });
    const name: EventName = 'refund.succeeded';
    expect(anEvent(name, { refund: aRefund({ refundKey: 'mine' }) }).refund.refundKey).toBe('mine');
    expect(eventsBySolution.web_payments).toContain(name);
  });
});
