import { parseFlags } from './flags.js';

const known = ['claim', 'rereads', 'day'];
const plain = { effort: 'full', payments: null, settled: null, json: null, markdown: false };

describe('the flags of the bench', () => {
  it('run every bench in full if none are given', () => {
    expect(parseFlags([], known)).toEqual({ ...plain, names: [] });
  });

  it('accept names and flags together', () => {
    expect(parseFlags(['claim', '--quick', '--json', 'out.json', '--markdown'], known)).toEqual({
      ...plain,
      names: ['claim'],
      effort: 'quick',
      json: 'out.json',
      markdown: true,
    });
  });

  it('say how long the long run is', () => {
    const length = ['--payments', '200000', '--settled', '1000000'];
    expect(parseFlags(['day', ...length], known)).toEqual({
      ...plain,
      names: ['day'],
      payments: 200_000,
      settled: 1_000_000,
    });
  });

  it('ask for the list', () => {
    expect(parseFlags(['--list'], known)).toBe('list');
  });

  it.each([
    [['speed'], 'There is no bench "speed"; there are claim, rereads, day'],
    [['--quick', '--tiny'], '--quick and --tiny are two kinds of run: choose one'],
    [['claim', '--payments', '200000'], '--payments is for the bench called day'],
    [['day', '--payments', 'many'], '--payments must be a whole number from 20 to 100000000'],
    [['--fast'], 'fast'],
  ])('refuse %j', (args, reason) => {
    expect(() => parseFlags(args, known)).toThrow(reason);
  });
});
