import { draftWith, NOW, paymentRow, PAYMENT_ID } from '../../../../test/support/state.js';
import { movePayment } from './status-change.js';

const decided = { cause: 'sweep', evidence: { attempt: 1 } } as const;

describe('a payment that moves', () => {
  it('is told after what was told before, and says since when', () => {
    const draft = draftWith(paymentRow());
    const held = movePayment(draft, 'waiting_for_capture', { authorizedMinor: 10_000 }, decided);
    expect(held.payment).toEqual({
      ...draft.payment,
      status: 'waiting_for_capture',
      authorizedMinor: 10_000,
      updatedAt: NOW,
    });
    const { events } = movePayment(held, 'canceled', {}, decided);
    const about = {
      storeId: draft.payment.storeId,
      subject: { type: 'payment', id: PAYMENT_ID },
      paymentId: PAYMENT_ID,
    };
    expect(events).toEqual([
      {
        ...about,
        name: 'payment.waiting_for_capture',
        from: 'pending',
        to: 'waiting_for_capture',
        ...decided,
      },
      { ...about, name: 'payment.canceled', from: 'waiting_for_capture', to: 'canceled', ...decided },
    ]);
  });

  it('never leaves a status that is final', () => {
    expect(() =>
      movePayment(draftWith(paymentRow({ status: 'canceled' })), 'succeeded', {}, decided),
    ).toThrow('A payment never moves from canceled to succeeded.');
  });
});
