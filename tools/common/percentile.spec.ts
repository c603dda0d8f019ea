import { percentile } from './percentile.js';

it('a percentile is one of the values', () => {
  const values = Array.from({ length: 200 }, (_, index) => index + 1);
  expect([percentile(values, 50), percentile(values, 99), percentile([5], 99)]).toEqual([100, 198, 5]);
  expect(percentile([], 50)).toBeNaN();
});
