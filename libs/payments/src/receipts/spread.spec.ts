import * as fc from 'fast-check';
import { spread, spreadAtLeast } from './spread.js';

const sumOf = (parts: readonly number[]) => parts.reduce((total, part) => total + part, 0);
const weights = fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 8 }).filter((all) => sumOf(all) > 0);

describe('a sum that is spread', () => {
  it.each<[string, number, number[], number[]]>([
    ['goes to the only part', 7, [3], [7]],
    ['goes by weight', 100, [1, 3], [25, 75]],
    ['gives what is left to the part that lost most', 10, [1, 3, 3], [2, 4, 4]],
    ['gives what is left to the first of equal parts', 100, [1, 1, 1], [34, 33, 33]],
    ['gives two that are left to the first two of equal parts', 101, [1, 1, 1], [34, 34, 33]],
    ['gives what is left to a later part that lost more', 5, [2, 9], [1, 4]],
    ['gives nothing to a part without weight', 5, [0, 1, 0, 1], [0, 3, 0, 2]],
    [
      'is exact beyond what a float holds',
      999_999_999_999_999,
      [1, 999_999_999_999_998],
      [1, 999_999_999_999_998],
    ],
    ['may be nothing', 0, [1, 2], [0, 0]],
  ])('%s', (_how, sumMinor, by, parts) => {
    expect(spread(sumMinor, by)).toEqual(parts);
  });

  it('adds up exactly, and no part is a kopeck away from its share', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), weights, (sumMinor, by) => {
        const parts = spread(sumMinor, by);
        expect(sumOf(parts)).toBe(sumMinor);
        for (const [index, part] of parts.entries())
          expect(Math.abs(part - (sumMinor * (by[index] ?? 0)) / sumOf(by))).toBeLessThan(1);
      }),
    );
  });

  it.each([[[]], [[0, 0]]])('needs a weight, and %j have none', (by) => {
    expect(() => spread(1, by)).toThrow(new RangeError('There is no weight to spread a sum by.'));
  });
});

describe('a sum that is spread over parts that need a minimum', () => {
  it.each<[string, number, number[], number[], number[] | null]>([
    ['goes by weight where each has enough so', 10, [1, 1], [5, 1], [5, 5]],
    ['raises a part that has less, at the cost of the others', 10, [1, 9], [3, 0], [3, 7]],
    ['raises a second part that has less once the first was raised', 12, [1, 4, 7], [3, 4, 1], [3, 4, 5]],
    ['raises all parts where there is no more', 3, [1, 1, 98], [1, 1, 1], [1, 1, 1]],
    ['is too small for the minimums', 2, [1, 1, 98], [1, 1, 1], null],
    ['is nothing for no parts', 0, [], [], []],
    ['has no minimum where none is given', 4, [1, 3], [], [1, 3]],
  ])('%s', (_how, sumMinor, by, minimums, parts) => {
    expect(spreadAtLeast(sumMinor, by, minimums)).toEqual(parts);
  });
});
