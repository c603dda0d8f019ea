import * as fc from 'fast-check';
import type { OrderState } from '../schema/order.entity.js';
import { movedTo, orderState, type OrderTotals } from './order-totals.js';

const totals = (paidMinor: number, heldMinor: number, refundedMinor: number): OrderTotals => ({
  totalDueMinor: 10_000,
  paidMinor,
  heldMinor,
  refundedMinor,
});

describe('an order of which 100.00 is due', () => {
  it.each<[string, OrderTotals, OrderState]>([
    ['without any money', totals(0, 0, 0), 'unpaid'],
    ['held in part', totals(0, 9_999, 0), 'unpaid'],
    ['held in full', totals(0, 10_000, 0), 'authorized'],
    ['held twice', totals(0, 20_000, 0), 'authorized'],
    ['paid in part', totals(9_999, 0, 0), 'unpaid'],
    ['paid in part, the rest held', totals(4_000, 6_000, 0), 'authorized'],
    ['paid in part, less than the rest held', totals(4_000, 5_999, 0), 'unpaid'],
    ['paid in full', totals(10_000, 0, 0), 'paid'],
    ['paid in full beside a hold', totals(10_000, 10_000, 0), 'paid'],
    ['paid a kopeck too much', totals(10_001, 0, 0), 'overpaid'],
    ['paid twice', totals(20_000, 0, 0), 'overpaid'],
    ['paid twice, half of one returned', totals(20_000, 0, 5_000), 'overpaid'],
    ['paid, a kopeck returned', totals(10_000, 0, 1), 'partially_refunded'],
    ['paid, all but a kopeck returned', totals(10_000, 0, 9_999), 'partially_refunded'],
    ['paid, all returned', totals(10_000, 0, 10_000), 'refunded'],
    ['paid, all returned, and paid again', totals(20_000, 0, 10_000), 'paid'],
    ['paid in part, that returned, and paid in full', totals(14_000, 0, 4_000), 'paid'],
    ['paid in part, all of it returned', totals(4_000, 0, 4_000), 'refunded'],
    ['paid twice, all returned', totals(20_000, 0, 20_000), 'refunded'],
  ])('%s: %o is %s', (_name, given, state) => {
    expect(orderState(given)).toBe(state);
  });
});

describe('an order of which a credit took a discount of 10.00 off', () => {
  it.each<[string, OrderTotals, OrderState]>([
    ['held', totals(0, 9_000, 0), 'authorized'],
    ['held for less', totals(0, 8_999, 0), 'unpaid'],
    ['paid', totals(9_000, 0, 0), 'paid'],
    ['paid as if there were none', totals(10_000, 0, 0), 'overpaid'],
    ['paid, a kopeck returned', totals(9_000, 0, 1), 'partially_refunded'],
  ])('%s: %o is %s', (_name, given, state) => {
    expect(orderState(given, 1_000)).toBe(state);
  });
});

describe('an order of any totals', () => {
  const anyTotals = fc
    .record({
      totalDueMinor: fc.integer({ min: 1, max: 300 }),
      paidMinor: fc.nat(400),
      heldMinor: fc.nat(400),
      refundedMinor: fc.nat(400),
    })
    .map((given) => ({ ...given, refundedMinor: Math.min(given.refundedMinor, given.paidMinor) }));

  it('is overpaid exactly if more is kept than is due', () => {
    fc.assert(
      fc.property(anyTotals, (given) => {
        const tooMuch = given.paidMinor - given.refundedMinor > given.totalDueMinor;
        expect(orderState(given) === 'overpaid').toBe(tooMuch);
      }),
    );
  });

  it('is paid only if what is kept is what is due', () => {
    fc.assert(
      fc.property(anyTotals, (given) => {
        const kept = given.paidMinor - given.refundedMinor;
        expect(orderState(given) !== 'paid' || kept === given.totalDueMinor).toBe(true);
      }),
    );
  });

  it('is refunded only if something was refunded and nothing is kept', () => {
    fc.assert(
      fc.property(anyTotals, (given) => {
        const nothingKept = given.refundedMinor > 0 && given.refundedMinor === given.paidMinor;
        expect(orderState(given) !== 'refunded' || nothingKept).toBe(true);
      }),
    );
  });
});

describe('the change of the state of an order', () => {
  const states = ['unpaid', 'authorized', 'paid', 'partially_refunded', 'refunded', 'overpaid'] as const;
  const table: Record<OrderState, (string | null)[]> = {
    unpaid: [null, null, 'order.paid', null, 'order.refunded', 'order.paid'],
    authorized: ['order.unpaid', null, 'order.paid', null, 'order.refunded', 'order.paid'],
    paid: ['order.unpaid', null, null, null, 'order.refunded', null],
    partially_refunded: [null, null, 'order.paid', null, 'order.refunded', 'order.paid'],
    refunded: [null, null, 'order.paid', null, null, 'order.paid'],
    overpaid: ['order.unpaid', null, null, null, 'order.refunded', null],
  };

  const changes = states.flatMap((from) =>
    states.map((to, index): [OrderState, OrderState, string | null] => [
      from,
      to,
      table[from][index] ?? null,
    ]),
  );

  it.each(changes)('from %s to %s is %s', (from, to, event) => {
    expect(movedTo(from, to)).toBe(event);
  });
});
