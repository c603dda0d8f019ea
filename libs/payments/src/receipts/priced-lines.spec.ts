import { array, assert, check, integer, property } from 'fast-check';
import { lineTotalMinor, linesCosting } from './priced-lines.js';
import { parseQuantity } from './quantity.js';
import { spread } from './spread.js';

const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

describe('a sum on the lines of a receipt', () => {
  it('is hit to the kopeck by lines of the whole quantity', () => {
    const hit = property(
      integer({ min: 1, max: 99_999_999 }),
      integer({ min: 1, max: 70_000_000 }),
      (thousandths, sumMinor) => {
        const lines = linesCosting(thousandths, sumMinor);
        if (lines === null) return sumMinor < Math.ceil(thousandths / 1000);
        // Plain comparisons: an expect() of each would take ten times as long as what is tested.
        return (
          total(lines.map(lineTotalMinor)) === sumMinor &&
          total(lines.map((line) => line.thousandths)) === thousandths &&
          lines.every(({ unitMinor }) => unitMinor > 0) &&
          lines.length <= 3
        );
      },
    );
    expect(check(hit, { numRuns: 20_000 }).counterexample).toBeNull();
  });

  it('of three pieces for 100.00 is two at 33.33 and one at 33.34', () => {
    expect(linesCosting(3000, 10_000)).toEqual([
      { thousandths: 2000, unitMinor: 3333 },
      { thousandths: 1000, unitMinor: 3334 },
    ]);
  });

  it('is spread in proportion, and adds up', () => {
    assert(
      property(
        array(integer({ min: 1, max: 70_000_000 }), { minLength: 1, maxLength: 100 }),
        integer({ min: 0, max: 70_000_000 }),
        (weights, sumMinor) => {
          const parts = spread(sumMinor, weights);
          expect(total(parts)).toBe(sumMinor);
          const whole = total(weights);
          return parts.every(
            (part, index) => Math.abs(part - (sumMinor * (weights[index] ?? 0)) / whole) < 1.001,
          );
        },
      ),
    );
  });

  it.each([
    [2, 2000],
    ['2', 2000],
    [1.5, 1500],
    ['0.750', 750],
    [0, null],
    ['0.0001', null],
    [-1, null],
    ['1e3', null],
    [Number.NaN, null],
    ['', null],
  ])('reads the quantity %p as %p thousandths', (quantity, thousandths) => {
    expect(parseQuantity(quantity)).toBe(thousandths);
  });
});
