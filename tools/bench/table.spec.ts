import { atMost, ratioAtLeast } from './figures.js';
import { tableRows } from './table.js';

describe('the table of the bench', () => {
  it('shows median, spread, ratio and bar', () => {
    expect(
      tableRows([
        { case: '0 ms', contender: 'loop', unit: '/s', rounds: [1_000, 1_135.4, 1_200], against: 'loop' },
        {
          case: '0 ms',
          contender: 'ours',
          unit: '/s',
          rounds: [500, 567.7, 600],
          against: 'loop',
          bar: ratioAtLeast(0.4, 0.75),
        },
        { case: 'one', contender: 'ours', unit: 'commits', rounds: [29.04], bar: atMost(8, 7) },
        { case: 'one', contender: 'ours', unit: '', rounds: [Number.NaN] },
      ]),
    ).toEqual([
      ['0 ms', 'loop', '1135/s', '1000–1200', '', '', ''],
      ['0 ms', 'ours', '568/s', '500–600', '0.50 ×', '≥ 0.4 ×, aim 0.75 ×', 'met'],
      ['one', 'ours', '29.0 commits', '', '', '≤ 8.00 commits, aim 7.00 commits', 'missed'],
      ['one', 'ours', '—', '', '', '', ''],
    ]);
  });
});
