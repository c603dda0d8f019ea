import { parseFlags } from './flags.js';

const now = new Date('2030-03-01T10:00:00.000Z');

describe('the flags of the audit', () => {
  it.each<[string[], string, string, boolean]>([
    [['--from', '2030-02-01'], '2030-02-01T00:00:00.000Z', '2030-03-01T10:00:00.000Z', false],
    [
      ['--from=2030-02-01', '--to=2030-02-02', '--json'],
      '2030-02-01T00:00:00.000Z',
      '2030-02-02T00:00:00.000Z',
      true,
    ],
    [['--from', '2030-02-01T12:00:00+03:00'], '2030-02-01T09:00:00.000Z', '2030-03-01T10:00:00.000Z', false],
  ])('%j are a period', (args, from, to, json) => {
    expect(parseFlags(args, now)).toEqual({ from: new Date(from), to: new Date(to), json });
  });

  it.each<[string[], RegExp]>([
    [[], /--from must say where to begin/],
    [['--from', 'yesterday'], /--from must be a day .* not "yesterday"/],
    [['--from', '2030-02-30'], /--from must be a day/],
    [['--from', '2030-02-01T12:00:00'], /--from must be a day/],
    [['--from', '2030-02-01', '--to', '2030-01-01'], /--from must be before --to/],
    [['--from', '2031-01-01'], /--from must be before --to/],
    [['--form', '2030-02-01'], /--form/],
    [['2030-02-01'], /2030-02-01/],
  ])('%j are refused with an error that names the fault', (args, message) => {
    expect(() => parseFlags(args, now)).toThrow(message);
  });
});
