import { parseRoubles, roubles } from './format.js';

describe('roubles', () => {
  it.each([
    [1, '0,01\u00a0₽'],
    [100, '1,00\u00a0₽'],
    [99_999, '999,99\u00a0₽'],
    [123_450, '1\u00a0234,50\u00a0₽'],
    [35_000_000, '350\u00a0000,00\u00a0₽'],
    [123_456_789_012, '1\u00a0234\u00a0567\u00a0890,12\u00a0₽'],
  ])('%i kopecks are %s', (amountMinor, text) => {
    expect(roubles(amountMinor)).toBe(text);
  });
});

describe('an amount in roubles as a person types it', () => {
  it.each([
    ['100', 10_000],
    ['100,50', 10_050],
    ['100.50', 10_050],
    ['100,5', 10_050],
    ['0,01', 1],
    [' 1 234,50 ', 123_450],
    ['1\u00a0234,50\u00a0₽', 123_450],
    ['350000', 35_000_000],
    ['0', 0],
  ])('%j is accepted', (typed, amountMinor) => {
    expect(parseRoubles(typed)).toBe(amountMinor);
  });

  it.each([
    '',
    ' ',
    'all',
    '-5',
    '+5',
    '1e3',
    '0x10',
    '1,234',
    '1.234,50',
    '12 34',
    '100,',
    ',50',
    '1 234 5',
    '₽',
  ])('%j is not', (typed) => {
    expect(parseRoubles(typed)).toBeNull();
  });

  it('can be what a page shows', () => {
    for (const amountMinor of [1, 99, 100, 123_450, 35_000_000]) {
      expect(parseRoubles(roubles(amountMinor))).toBe(amountMinor);
    }
  });
});
