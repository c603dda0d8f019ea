import { parseFlags } from './flags.js';

describe('the flags of the soak', () => {
  it('stand for ten minutes, three replicas and a seed of their own when none is given', () => {
    const flags = parseFlags([]);
    expect(flags).toEqual({
      seed: expect.any(Number),
      skewMs: expect.any(Number),
      receipts: 'with',
      replicas: 3,
      losses: { failovers: 5, restores: 1 },
      broken: null,
      goal: { kind: 'minutes', minutes: 10 },
    });
  });

  it('say how long, with how many replicas and by which seed', () => {
    const said = ['--minutes', '0.5', '--replicas', '4', '--seed', '42', '--skew-minutes=-7'];
    expect(parseFlags([...said, '--receipts', 'after'])).toEqual({
      seed: 42,
      skewMs: -420_000,
      receipts: 'after',
      replicas: 4,
      losses: { failovers: 0, restores: 0 },
      broken: null,
      goal: { kind: 'minutes', minutes: 0.5 },
    });
  });

  it('ask for kills after acknowledged notifications instead', () => {
    expect(parseFlags(['--kill-after-ack', '1000', '--seed', '1'])).toEqual({
      seed: 1,
      skewMs: expect.any(Number),
      receipts: 'with',
      replicas: 3,
      losses: { failovers: 0, restores: 0 },
      broken: null,
      goal: { kind: 'kills after ack', kills: 1000 },
    });
  });

  it('say how often the database forgets, whatever the length of the run', () => {
    const said = ['--minutes', '0.5', '--failovers', '3', '--restores', '1'];
    expect(parseFlags(said).losses).toEqual({ failovers: 3, restores: 1 });
    expect(parseFlags(['--minutes', '60', '--failovers', '0', '--restores', '0']).losses).toEqual({
      failovers: 0,
      restores: 0,
    });
  });

  it('have one failover and one restore from two minutes on', () => {
    expect(parseFlags(['--minutes', '1.9']).losses).toEqual({ failovers: 0, restores: 0 });
    expect(parseFlags(['--minutes', '2']).losses).toEqual({ failovers: 1, restores: 1 });
    expect(parseFlags(['--minutes', '30']).losses).toEqual({ failovers: 15, restores: 3 });
  });

  it('name a line to be broken', () => {
    expect(parseFlags(['--broken', 'order-paid']).broken).toMatchObject({ id: 'order-paid' });
  });

  it('set the clocks apart as the seed says, to either side', () => {
    const skews = Array.from({ length: 20 }, (_, seed) => parseFlags(['--seed', String(seed)]));
    expect(new Set(skews.map(({ skewMs }) => skewMs))).toEqual(new Set([420_000, -420_000]));
  });

  it.each<[string, string[], RegExp]>([
    ['minutes that are no number', ['--minutes', 'ten'], /--minutes must be a number above 0 .* not "ten"/],
    ['no time at all', ['--minutes', '0'], /--minutes must be/],
    ['no replica', ['--replicas', '0'], /--replicas must be a whole number from 1 to 16, not "0"/],
    ['half a replica', ['--replicas', '1.5'], /--replicas must be/],
    ['a seed that is no number', ['--seed', 'abc'], /--seed must be/],
    ['a flag without its value', ['--seed'], /--seed/],
    ['no number of minutes apart', ['--skew-minutes', 'few'], /--skew-minutes must be a whole number/],
    ['no time of receipts', ['--receipts', 'before'], /--receipts must be with or after, not "before"/],
    ['no kill', ['--kill-after-ack', '0'], /--kill-after-ack must be/],
    ['half a failover', ['--failovers', '0.5'], /--failovers must be a whole number from 0 to 1000/],
    ['a restore in a run of kills', ['--kill-after-ack', '5', '--restores', '1'], /choose one kind of run/],
    ['no line to be broken', ['--broken', 'all'], /--broken must be one of order-paid, .* not "all"/],
    ['two kinds of run', ['--minutes', '1', '--kill-after-ack', '5'], /choose one/],
    ['a flag that does not exist', ['--minute', '1'], /--minute/],
    ['a word that is no flag', ['ten'], /ten/],
  ])('name %s', (_what, args, message) => {
    expect(() => parseFlags(args)).toThrow(message);
  });
});
