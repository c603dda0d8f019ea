import {
  isPaid,
  orderStates,
  stateAfter,
  stateAfterRefund,
  type OrderState,
  type PaymentEffect,
} from './order-state.js';

const effects: PaymentEffect[] = ['held', 'paid', 'payment_failed', 'canceled'];

describe('an order’s state', () => {
  it('follows its payment', () => {
    expect(stateAfter('awaiting_payment', 'paid', false)).toBe('paid');
    expect(stateAfter('awaiting_payment', 'held', false)).toBe('held');
    expect(stateAfter('held', 'canceled', false)).toBe('canceled');
    expect(stateAfter('payment_failed', 'held', false)).toBe('held');
  });

  it.each<OrderState>(['paid', 'partially_refunded', 'refunded'])(
    'stays %s, whatever arrives late',
    (state) => {
      expect(isPaid(state)).toBe(true);
      for (const effect of effects) expect(stateAfter(state, effect, true)).toBe(state);
    },
  );

  it('is not held by a hold that is already over', () => {
    for (const state of orderStates) expect(stateAfter(state, 'held', true)).toBe(state);
  });

  it('is refunded with the last kopeck, not before', () => {
    expect(stateAfterRefund(1, 123_450)).toBe('partially_refunded');
    expect(stateAfterRefund(123_449, 123_450)).toBe('partially_refunded');
    expect(stateAfterRefund(123_450, 123_450)).toBe('refunded');
  });
});
