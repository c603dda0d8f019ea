import { atMost, median, ratio, ratioAtLeast, ratioOf, verdictOf, type Figure } from './figures.js';

describe('the figures of the bench', () => {
  it.each([
    [[3, 1, 2], 2],
    [[4, 1, 2, 3], 2.5],
    [[7], 7],
  ])('the median of %j is %d', (values, middle) => {
    expect(median(values)).toBe(middle);
  });

  it('a ratio compares round with round, so that a slow spell of the machine counts for nothing', () => {
    expect(ratio([100, 10, 100], [50, 5, 50])).toBe(2);
    expect(median([100, 10, 10]) / median([50, 50, 5])).not.toBe(2);
  });

  it('compares within one case and unit', () => {
    const figures: Figure[] = [
      { case: '0 ms', contender: 'ours', unit: '/s', rounds: [10, 20], against: 'loop' },
      { case: '0 ms', contender: 'loop', unit: 'ms', rounds: [1, 1], against: 'loop' },
      { case: '30 ms', contender: 'loop', unit: '/s', rounds: [1, 1], against: 'loop' },
      { case: '0 ms', contender: 'loop', unit: '/s', rounds: [5, 10], against: 'loop' },
    ];
    expect(figures.map((figure) => ratioOf(figure, figures))).toEqual([2, null, null, null]);
  });

  it.each([
    [ratioAtLeast(0.4, 0.75), 0.39, 'missed'],
    [ratioAtLeast(0.4, 0.75), 0.4, 'met'],
    [ratioAtLeast(0.4, 0.75), 0.8, 'aim'],
    [atMost(8, 7), 8.1, 'missed'],
    [atMost(8, 7), 8, 'met'],
    [atMost(8, 7), 7, 'aim'],
    [atMost(8), 1, 'met'],
  ])('%j is, for %d, %s', (bar, figure, verdict) => {
    expect(verdictOf(bar, figure)).toBe(verdict);
  });
});
