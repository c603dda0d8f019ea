import { roubles } from './format.js';

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
