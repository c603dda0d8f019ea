import type { OrderState } from '../schema/order.entity.js';
import { currentPayment } from './current-payment.js';

const payment = (
  id: string,
  status: 'submitting' | 'pending' | 'waiting_for_capture' | 'succeeded' | 'canceled' | 'rejected',
  given: { superseded?: true; refunded?: number } = {},
) => ({
  id,
  status,
  supersededAt: given.superseded ? new Date(0) : null,
  capturedMinor: status === 'succeeded' ? 100 : 0,
  refundedMinor: given.refunded ?? 0,
});

describe('the payment that the buyer should see now', () => {
  it.each<[string, OrderState, ReturnType<typeof payment>[], string | null]>([
    ['none', 'unpaid', [], null],
    ['none that failed', 'unpaid', [payment('a', 'canceled'), payment('b', 'rejected')], null],
    ['the open one', 'unpaid', [payment('a', 'canceled'), payment('b', 'pending')], 'b'],
    ['one that is not answered yet', 'unpaid', [payment('a', 'submitting')], 'a'],
    ['none that was replaced', 'unpaid', [payment('a', 'pending', { superseded: true })], null],
    ['the held one', 'authorized', [payment('a', 'waiting_for_capture')], 'a'],
    ['the paid one', 'paid', [payment('a', 'succeeded'), payment('b', 'canceled')], 'a'],
    ['the open part beside a paid one', 'unpaid', [payment('a', 'pending'), payment('b', 'succeeded')], 'a'],
    ['the part that was paid last', 'paid', [payment('a', 'succeeded'), payment('b', 'succeeded')], 'b'],
    [
      'the replaced one that was paid after all, and not the open one',
      'paid',
      [payment('a', 'succeeded', { superseded: true }), payment('b', 'pending')],
      'a',
    ],
    [
      'one that was refunded in part',
      'partially_refunded',
      [payment('a', 'succeeded', { refunded: 99 })],
      'a',
    ],
    ['none that was refunded whole', 'refunded', [payment('a', 'succeeded', { refunded: 100 })], null],
    [
      'the open one after a refund',
      'refunded',
      [payment('a', 'succeeded', { refunded: 100 }), payment('b', 'pending')],
      'b',
    ],
  ])('is %s, where the order is %s', (_what, state, payments, id) => {
    expect(currentPayment({ state }, payments)?.id ?? null).toBe(id);
  });
});
