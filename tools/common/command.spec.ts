import { jest } from '@jest/globals';

import { reasonOf, runCommand, type Command } from './command.js';

describe('a command', () => {
  const printed: string[] = [];
  const complaints: string[] = [];
  beforeEach(() => {
    printed.length = 0;
    complaints.length = 0;
    jest.spyOn(console, 'log').mockImplementation((text: string) => void printed.push(text));
    jest.spyOn(console, 'error').mockImplementation((text: string) => void complaints.push(text));
  });
  afterEach(() => jest.restoreAllMocks());

  const command: Command<readonly string[]> = {
    usage: 'Usage: npm run it',
    parse: (args) => {
      if (args.includes('--wrong')) throw new Error('--wrong is not a flag');
      return args;
    },
    run: (args) =>
      args.length > 1 ? Promise.reject(new Error('too many flags')) : Promise.resolve(args.length),
  };

  it('ends with the exit code of its work', async () => {
    expect([await runCommand(command, []), await runCommand(command, ['--on'])]).toEqual([0, 1]);
    expect([printed, complaints]).toEqual([[], []]);
  });

  it('prints its usage on request, and does nothing', async () => {
    expect(await runCommand(command, ['--wrong', '--help'])).toBe(0);
    expect(printed).toEqual(['Usage: npm run it']);
  });

  it('names a wrong flag, prints its usage, and ends with 2', async () => {
    expect(await runCommand(command, ['--wrong'])).toBe(2);
    expect(complaints).toEqual(['--wrong is not a flag\n\nUsage: npm run it']);
  });

  it('reports the error of its work, and ends with 2', async () => {
    expect(await runCommand(command, ['--on', '--on'])).toBe(2);
    expect(complaints).toEqual(['too many flags']);
  });
});

describe('the reason of an error', () => {
  it.each([
    [new Error('no answer', { cause: new Error('refused') }), 'no answer: refused'],
    [Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
    [new TypeError(), 'TypeError'],
    ['text', 'text'],
  ])('of %p is %s', (error, reason) => {
    expect(reasonOf(error)).toBe(reason);
  });
});
