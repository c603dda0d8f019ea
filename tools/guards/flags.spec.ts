import { parseFlags } from './flags.js';

describe('the flags of the guards', () => {
  it('choose all if none are given', () => {
    expect(parseFlags([])).toEqual({ list: false, only: null, share: null });
  });

  it('choose by name, and a share of them', () => {
    expect(parseFlags(['--only', 'ledger|claim', '--share', '2/8'])).toEqual({
      list: false,
      only: /ledger|claim/,
      share: { index: 2, of: 8 },
    });
    expect(parseFlags(['--share', 'commit/8']).share).toEqual({ index: 'commit', of: 8 });
  });

  it('ask for the list', () => {
    expect(parseFlags(['--list']).list).toBe(true);
  });

  it.each([
    [['--share', '8'], '--share must be I/N or commit/N, not "8"'],
    [['--share', '1/2/3'], '--share must be I/N or commit/N, not "1/2/3"'],
    [['--share', '3/2'], '--share must be a whole number from 1 to 2, not "3"'],
    [['--share', '0/2'], '--share must be a whole number from 1 to 2, not "0"'],
    [['--all'], 'all'],
  ])('refuse %j', (args, reason) => {
    expect(() => parseFlags(args)).toThrow(reason);
  });
});
