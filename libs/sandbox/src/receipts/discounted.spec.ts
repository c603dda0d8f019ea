import { wireAmount } from '../common/money.js';
import { discounted } from './discounted.js';
import type { ReceiptData } from './receipt-data.js';

const receipt = (...lines: readonly [unitMinor: number, quantity: number][]): ReceiptData => ({
  items: lines.map(([unitMinor, quantity]) => ({
    wire: { description: 'Tea', amount: wireAmount(unitMinor), quantity, vat_code: 11 },
    totalMinor: Math.round(unitMinor * quantity),
  })),
  rest: {},
});

const lines = ({ items }: ReceiptData): unknown[] =>
  items.map(({ wire, totalMinor }) => [wire['amount'], wire['quantity'], totalMinor]);

describe('a receipt whose payment an instalment lowers', () => {
  it('has a price that fits, where there is one', () => {
    expect(lines(discounted(receipt([100_00, 3]), 270_00))).toEqual([[wireAmount(90_00), 3, 270_00]]);
  });

  it('has two prices a kopeck apart, where there is none', () => {
    expect(lines(discounted(receipt([100_00, 3]), 200_00))).toEqual([
      [wireAmount(66_66), 1, 66_66],
      [wireAmount(66_67), 2, 133_34],
    ]);
  });

  it('has one price for all of a line that is no whole number', () => {
    expect(lines(discounted(receipt([100_00, 1.5]), 99_99))).toEqual([[wireAmount(99_99), 1, 99_99]]);
  });

  it('stays as it is without a discount', () => {
    const whole = receipt([100_00, 1.5], [33_33, 3]);
    expect(discounted(whole, 249_99)).toBe(whole);
  });

  it.each(Array.from({ length: 50 }, (_, seed) => seed + 1))('adds up, whatever is in it: %i', (seed) => {
    const whole = receipt(
      ...Array.from({ length: 1 + (seed % 7) }, (_, index): [number, number] => [
        1 + ((seed * 7919 + index * 104_729) % 100_000),
        1 + ((seed + index) % 9),
      ]),
    );
    const total = whole.items.reduce((sum, { totalMinor }) => sum + totalMinor, 0);
    const amount = Math.floor(total * (1 - seed / 100));
    const { items } = discounted(whole, amount);
    expect(items.reduce((sum, { totalMinor }) => sum + totalMinor, 0)).toBe(amount);
    for (const { wire, totalMinor } of items) {
      const { value } = Object(wire['amount']);
      expect(Math.round(Number(value) * 100) * Number(wire['quantity'])).toBe(totalMinor);
    }
  });
});
