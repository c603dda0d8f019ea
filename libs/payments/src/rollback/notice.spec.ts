import {
  decideLook,
  missingTime,
  noticed,
  otherPlace,
  type KnownMark,
  type ServerIdentity,
  type Sight,
} from './notice.js';

const PATIENCE_MS = 30_000;
const at = (minute: number) => new Date(Date.UTC(2026, 10, 27, 12, minute));
const mark = { epoch: 'first', epochNumber: 3, counter: 100 };
const first = { id: 'first', from: at(-60), to: at(-59) };
const known: KnownMark = { ...mark, epochs: [first], seenAt: at(0) };
const server: ServerIdentity = {
  systemIdentifier: '7000',
  timeline: '00000001',
  database: '16384 shop',
  installation: 'production',
};

function sight(row: Partial<Sight['row']> = {}, others: Partial<Omit<Sight, 'row'>> = {}): Sight {
  const found = { silentMs: 5_000, epochs: [first], reachedAt: at(1), now: at(2) };
  return { row: { ...mark, ...server, ...row }, shown: server, ...found, ...others };
}

const reason = (seen: Sight, knows: KnownMark | null = known) => noticed(knows, seen, PATIENCE_MS);

describe('of a database', () => {
  it('that is as it was, or has been counted up since by others, nothing is suspected', () => {
    expect(reason(sight())).toBeNull();
    expect(reason(sight({ counter: 101 }))).toBeNull();
    expect(reason(sight(), null)).toBeNull();
  });

  it('whose count is below what this process has seen, commits are gone', () => {
    expect(reason(sight({ counter: 99 }))).toBe('commits_lost');
    expect(reason(sight({ counter: 99 }), null)).toBeNull();
  });

  it('that is before an epoch this process has seen begin, commits are gone, whatever the count says', () => {
    expect(reason(sight({ epoch: 'before', epochNumber: 2, counter: 500 }))).toBe('commits_lost');
  });

  it.each([3, 4])('in which another process has begun epoch %i, that one has noticed', (epochNumber) => {
    expect(reason(sight({ epoch: 'other', epochNumber, counter: 1 }))).toBeNull();
  });

  it('whose server is another one, or on another timeline, commits may be gone, for a new process too', () => {
    const promoted = { ...server, timeline: '00000002' };
    const restored = { ...server, systemIdentifier: '8000' };
    for (const knows of [known, null]) {
      expect(reason(sight({}, { shown: promoted }), knows)).toBe('timeline_changed');
      expect(reason(sight({}, { shown: restored }), knows)).toBe('server_changed');
    }
  });

  describe('in which another process has begun an epoch', () => {
    const other = { id: 'other', from: at(-1), to: at(0) };
    const later = { id: 'later', from: at(5), to: at(6) };
    const promoted = sight(
      { epoch: 'later', epochNumber: 5 },
      { epochs: [first, other, later], reachedAt: at(20), now: at(20) },
    );

    it('while this one saw commits elsewhere, as on an old primary, those are gone, from where the two part', () => {
      const lived = { ...known, seenAt: at(19) };
      expect(noticed(lived, promoted, PATIENCE_MS)).toBe('commits_lost');
      expect(missingTime(lived, promoted)).toEqual({ from: at(-1), to: at(20) });
    });

    it('whatever this one saw before, or by a clock that is a little ahead, lies within what was noticed', () => {
      for (const seenAt of [at(-1), at(0), at(1)])
        expect(noticed({ ...known, seenAt }, promoted, PATIENCE_MS)).toBeNull();
    });

    it('and this one is back at the old one, what it saw in that epoch is gone', () => {
      const turned = { ...mark, epoch: 'other', epochNumber: 4, epochs: [first, other], seenAt: at(19) };
      const old = sight({}, { reachedAt: at(19), now: at(19) });
      expect(noticed(turned, old, PATIENCE_MS)).toBe('commits_lost');
      expect(missingTime(turned, old)).toEqual({ from: at(-1), to: at(19) });
    });
  });

  it('the time that may be missing is from its last beat until now, and to the latest that was seen where commits are gone', () => {
    expect(missingTime(null, sight())).toEqual({ from: at(1), to: at(2) });
    expect(missingTime({ ...known, seenAt: at(-30) }, sight())).toEqual({ from: at(1), to: at(2) });
    expect(missingTime({ ...known, seenAt: at(9) }, sight({ counter: 99 }))).toEqual({
      from: at(1),
      to: at(9),
    });
    expect(missingTime(known, sight({ counter: 99 }))).toEqual({ from: at(0), to: at(2) });
    expect(missingTime(null, sight({}, { reachedAt: at(3) }))).toEqual({ from: at(2), to: at(3) });
  });

  it('the surest reason is named first', () => {
    const promoted = { shown: { ...server, timeline: '00000002' }, silentMs: 60_000 };
    expect(reason(sight({ counter: 99 }, promoted))).toBe('commits_lost');
    expect(reason(sight({}, promoted))).toBe('timeline_changed');
  });

  it.each([
    ['server', 'systemIdentifier', '8000'],
    ['database, as one that was made from it as a template has another number,', 'database', '16390 shop'],
    ['database that only has another name', 'database', '16384 staging'],
    ['installation', 'installation', 'staging'],
  ] as const)('another %s is a place of which a person has to say what it is', (_name, by, is) => {
    const seen = sight({}, { shown: { ...server, [by]: is } });
    expect(otherPlace(seen)).toEqual({ by, was: server[by], is });
    expect(reason(seen)).toBe('server_changed');
    expect(otherPlace(sight({ [by]: null }, { shown: seen.shown }))).toBeNull();
  });

  it('a failover is no other place, however many commits are gone', () => {
    expect(otherPlace(sight({ counter: 1 }, { shown: { ...server, timeline: '00000002' } }))).toBeNull();
  });

  it('what its server does not show, now or before, says nothing', () => {
    const nothing = { systemIdentifier: null, timeline: null, database: null, installation: null };
    expect(reason(sight({}, { shown: nothing }))).toBeNull();
    expect(reason(sight(nothing))).toBeNull();
    expect(reason(sight({ ...nothing, counter: 99 }, { shown: nothing }))).toBe('commits_lost');
  });

  it('that nobody has reached for longer than patience lasts may be a copy from before', () => {
    expect(reason(sight({}, { silentMs: PATIENCE_MS }))).toBeNull();
    expect(reason(sight({}, { silentMs: PATIENCE_MS + 1 }))).toBe('silence');
    expect(reason(sight({}, { silentMs: PATIENCE_MS + 1 }), null)).toBe('silence');
  });
});

describe('a look at a database', () => {
  const terms = { goesOn: false, patienceMs: PATIENCE_MS, sweeps: true };
  const elsewhere = sight({}, { shown: { ...server, database: '16390 shop' } });
  const other = { by: 'database', was: server.database, is: '16390 shop' };
  const lost = { from: at(0), to: at(2) };

  it.each([
    ['as it was is a beat', sight(), terms, { other: null, isCounted: true, missing: null }],
    [
      'as it was is none without sweeps, which would hide that nobody else was there',
      sight(),
      { ...terms, sweeps: false },
      { other: null, isCounted: false, missing: null },
    ],
    [
      'that has forgotten commits begins an epoch',
      sight({ counter: 99 }),
      { ...terms, sweeps: false },
      { other: null, isCounted: true, missing: { reason: 'commits_lost', ...lost } },
    ],
    ['elsewhere waits for a person', elsewhere, terms, { other, isCounted: false, missing: null }],
    [
      'elsewhere that goes on may lack commits',
      elsewhere,
      { ...terms, goesOn: true },
      { other: null, isCounted: true, missing: { reason: 'server_changed', from: at(1), to: at(2) } },
    ],
  ])('%s', (_how, seen, how, expected) => {
    expect(decideLook(known, seen, how)).toEqual(expected);
  });
});
