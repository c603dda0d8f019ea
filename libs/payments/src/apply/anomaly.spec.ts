import { draftWith, objectOf, paidRow, PAYMENT_ID, SERVICE_ID } from '../../../../test/support/state.js';
import { raiseAnomaly } from './anomaly.js';

const draft = draftWith(paidRow(), { anomalies: ['is odd'] });

describe('what does not fit', () => {
  it('is told to a person with the object that it is about', () => {
    const raised = raiseAnomaly(draft, 'is of nothing', {
      cause: 'sweep',
      object: objectOf({ amountMinor: 123 }),
    });
    expect(raised.anomalies).toEqual(['is odd', 'is of nothing']);
    expect(raised.events).toEqual([
      {
        storeId: draft.payment.storeId,
        subject: { type: 'payment', id: PAYMENT_ID },
        paymentId: PAYMENT_ID,
        name: 'payment.anomaly',
        cause: 'sweep',
        evidence: {
          reason: 'is of nothing',
          serviceStatus: 'pending',
          serviceId: SERVICE_ID,
          serviceAmount: { value: '1.23', currency: 'RUB' },
        },
        alarm: `Payment ${PAYMENT_ID} of order "order-1" needs a person: is of nothing.`,
      },
    ]);
  });

  it('is told after what was told before, and may end by itself', () => {
    const first = raiseAnomaly(draft, 'first', { cause: 'sweep' });
    const { events } = raiseAnomaly(first, 'second', { cause: 'recovery', endsByItself: true });
    expect(events.map(({ evidence }) => evidence)).toEqual([
      { reason: 'first' },
      { reason: 'second', endsByItself: true },
    ]);
  });

  it('is told once', () => {
    expect(raiseAnomaly(draft, 'is odd', { cause: 'sweep' })).toBe(draft);
  });
});
