import { orderStates, stateAfter, type OrderEffect } from './order-state.js';

describe('an order’s state', () => {
  it('follows its payment', () => {
    expect(stateAfter('awaiting_payment', 'paid', false)).toBe('paid');
    expect(stateAfter('awaiting_payment', 'held', false)).toBe('held');
    expect(stateAfter('held', 'canceled', false)).toBe('canceled');
    expect(stateAfter('payment_failed', 'held', false)).toBe('held');
  });

  it('stays paid, whatever arrives late', () => {
    const effects: OrderEffect[] = ['held', 'paid', 'payment_failed', 'canceled'];
    for (const effect of effects) expect(stateAfter('paid', effect, true)).toBe('paid');
  });

  it('is not held by a hold that is already over', () => {
    for (const state of orderStates) expect(stateAfter(state, 'held', true)).toBe(state);
  });
});
