import { parseFlags } from './flags.js';

const known = ['claim', 'rereads'];

describe('the flags of the bench', () => {
  it('run every bench in full if none are given', () => {
    expect(parseFlags([], known)).toEqual({ names: [], effort: 'full', json: null, markdown: false });
  });

  it('accept names and flags together', () => {
    expect(parseFlags(['claim', '--quick', '--json', 'out.json', '--markdown'], known)).toEqual({
      names: ['claim'],
      effort: 'quick',
      json: 'out.json',
      markdown: true,
    });
  });

  it('ask for the list', () => {
    expect(parseFlags(['--list'], known)).toBe('list');
  });

  it.each([
    [['speed'], 'There is no bench "speed"; there are claim, rereads'],
    [['--quick', '--tiny'], '--quick and --tiny are two kinds of run: choose one'],
    [['--fast'], 'fast'],
  ])('refuse %j', (args, reason) => {
    expect(() => parseFlags(args, known)).toThrow(reason);
  });
});
