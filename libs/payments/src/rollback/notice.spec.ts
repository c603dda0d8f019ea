import { noticed, type MarkState, type Sight } from './notice.js';

const PATIENCE_MS = 30_000;
const known: MarkState = { epoch: 'first', epochNumber: 3, counter: 100 };
const server = { systemIdentifier: '7000', timeline: '00000001' };

function sight(row: Partial<Sight['row']> = {}, others: Partial<Omit<Sight, 'row'>> = {}): Sight {
  return { row: { ...known, ...server, ...row }, shown: server, silentMs: 5_000, ...others };
}

const reason = (seen: Sight, knows: MarkState | null = known) => noticed(knows, seen, PATIENCE_MS);

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
    const restored = { systemIdentifier: '8000', timeline: '00000001' };
    for (const knows of [known, null]) {
      expect(reason(sight({}, { shown: promoted }), knows)).toBe('timeline_changed');
      expect(reason(sight({}, { shown: restored }), knows)).toBe('server_changed');
    }
  });

  it('the surest reason is named first', () => {
    const promoted = { shown: { ...server, timeline: '00000002' }, silentMs: 60_000 };
    expect(reason(sight({ counter: 99 }, promoted))).toBe('commits_lost');
    expect(reason(sight({}, promoted))).toBe('timeline_changed');
  });

  it('what its server does not show, now or before, says nothing', () => {
    const nothing = { systemIdentifier: null, timeline: null };
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
