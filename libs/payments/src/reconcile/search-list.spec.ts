import { ObjectList } from '../api/object-list.js';
import { searchList, type Search, type SearchEnd } from './search-list.js';
import { stampReading, type Stamp, type Span } from './search-window.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const now = new Date('2030-01-01T12:00:00.000Z');
const ago = (ms: number) => new Date(now.getTime() - ms);
const sent: Span = { from: ago(HOUR_MS), to: ago(HOUR_MS) };

/** A list of 250 objects, one a minute, by a clock that is this far ahead; in pages of 100. */
function service({ aheadMs = 0, date }: { aheadMs?: number; date: Date | null }) {
  const created = Array.from({ length: 250 }, (_, index) => ago(index * MINUTE_MS - aheadMs));
  const asked: (Span | null)[] = [];
  const list = (theirs: Span | null) => {
    asked.push(theirs);
    const within = created.filter((at) => theirs === null || (at >= theirs.from && at <= theirs.to));
    return new ObjectList(
      (cursor) => {
        const first = Number(cursor ?? 0);
        const next = first + 100 < within.length ? String(first + 100) : null;
        return Promise.resolve({ items: within.slice(first, first + 100), nextCursor: next, date });
      },
      undefined,
      { request: 'GET /v3/payments' },
    );
  };
  return { list, asked };
}

async function searched(
  { list }: ReturnType<typeof service>,
  stamps: readonly Stamp[],
  search: Partial<Search<Date, Date>> = {},
): Promise<{ end: SearchEnd<Date>; seen: number }> {
  const all = new Set<number>();
  const end = await searchList(
    {
      ours: sent,
      marginMs: 20 * MINUTE_MS,
      proof: true,
      maxPages: 100,
      list,
      see: (items) => {
        for (const at of items) all.add(at.getTime());
        return Promise.resolve(null);
      },
      ...search,
    },
    { stamps, header: null },
    () => Promise.resolve(now),
  );
  return { end, seen: all.size };
}

const stamp = (msAgo: number, aheadMs: number, made: Stamp['made']): Stamp => ({
  ...stampReading({ from: ago(msAgo), to: ago(msAgo) }, ago(msAgo - aheadMs)),
  made,
});
const before = (aheadMs = 0) => stamp(65 * MINUTE_MS, aheadMs, 'before');
const after = (aheadMs = 0) => stamp(50 * MINUTE_MS, aheadMs, 'after');

describe('a search of a list', () => {
  it('between stamps requests only their window, by the clock of the list', async () => {
    const aheadMs = 7 * MINUTE_MS;
    const there = service({ aheadMs, date: null });
    expect(await searched(there, [before(aheadMs), after(aheadMs)])).toEqual({
      end: { kind: 'absent' },
      seen: 56,
    });
    expect(there.asked).toEqual([{ from: ago(85 * MINUTE_MS - aheadMs), to: ago(30 * MINUTE_MS - aheadMs) }]);
  });

  it('requests less once a Date agrees with the stamps', async () => {
    const there = service({ date: now });
    expect((await searched(there, [before()])).end).toEqual({ kind: 'absent' });
    expect(there.asked).toMatchObject([null, { from: ago(85 * MINUTE_MS) }]);
  });

  it.each<[string, Date | null, Stamp[]]>([
    ['there is no Date', null, [before()]],
    ['the Date contradicts the stamps', ago(3 * HOUR_MS), [before()]],
    ['no payment is known', now, []],
  ])('that must prove something sees the whole list if %s', async (_name, date, stamps) => {
    const there = service({ date });
    expect(await searched(there, stamps)).toEqual({ end: { kind: 'absent' }, seen: 250 });
    expect(there.asked).toEqual([null]);
  });

  it('that is cut short proves nothing', async () => {
    expect(await searched(service({ date: null }), [before()], { maxPages: 2 })).toEqual({
      end: { kind: 'cut' },
      seen: 200,
    });
  });

  it('as long as it may be is not cut short', async () => {
    expect((await searched(service({ date: null }), [], { maxPages: 3 })).end).toEqual({ kind: 'absent' });
  });

  it('ends with what is found', async () => {
    const see = (items: readonly Date[]) =>
      Promise.resolve(items.find((at) => at.getTime() === ago(150 * MINUTE_MS).getTime()) ?? null);
    expect((await searched(service({ date: null }), [], { see })).end).toEqual({
      kind: 'found',
      found: ago(150 * MINUTE_MS),
    });
  });

  it('that will come again is narrowed by stamps, and widened by a Date that is elsewhere', async () => {
    const there = service({ aheadMs: -3 * HOUR_MS, date: ago(3 * HOUR_MS) });
    await searched(there, [before()], { proof: false });
    expect(there.asked).toMatchObject([
      { from: ago(80 * MINUTE_MS) },
      { from: ago(80 * MINUTE_MS + 3 * HOUR_MS) },
    ]);
  });

  it('is not requested again for what the seconds of a Date leave open', async () => {
    const there = service({ date: ago(2_000) });
    await searched(there, [before()], { proof: false });
    expect(there.asked).toHaveLength(1);
  });
});
