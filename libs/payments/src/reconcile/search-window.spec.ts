import {
  likelyOffset,
  offsetOf,
  provenOffset,
  headerReading,
  stampReading,
  searchWindow,
  spanOf,
  type ClockReading,
  type Span,
} from './search-window.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const noon = new Date('2030-01-01T12:00:00.000Z');
const at = (ms: number) => new Date(noon.getTime() + ms);
/** Sent a second before it was answered, at a service whose clock is this far ahead. */
const stamp = (ourMs: number, aheadMs: number): ClockReading =>
  stampReading({ from: at(ourMs - 1_000), to: at(ourMs) }, at(ourMs - 500 + aheadMs));
const header = (ourMs: number, aheadMs: number): ClockReading =>
  headerReading({ from: at(ourMs - 200), to: at(ourMs) }, at(ourMs - 200 + aheadMs));
const sent: Span = { from: noon, to: at(2_000) };
const [before, after] = [stamp(-HOUR_MS, 3 * HOUR_MS), stamp(HOUR_MS, 3 * HOUR_MS)];

describe('the time in which a request was sent', () => {
  it('is the same whichever end of it a clock that was set back shows first', () => {
    const span = { from: at(0), to: at(HOUR_MS) };
    expect(spanOf(at(0), at(HOUR_MS))).toEqual(span);
    expect(spanOf(at(HOUR_MS), at(0))).toEqual(span);
  });
});

describe("the service's clock", () => {
  it('is as far ahead as the time between request and answer leaves open', () => {
    expect(offsetOf([stamp(0, 7 * MINUTE_MS)])).toEqual({
      minMs: 7 * MINUTE_MS - 500,
      maxMs: 7 * MINUTE_MS + 500,
    });
    expect(offsetOf([])).toBeNull();
  });

  it('by a header is known to the second that the header cuts off', () => {
    expect(offsetOf([header(0, 0)])).toEqual({ minMs: -200, maxMs: 1_000 });
  });

  it('that was set meanwhile is assumed to have been anywhere in between', () => {
    const readings = { stamps: [before], header: header(2 * HOUR_MS, 0) };
    expect(likelyOffset(readings)).toEqual({ minMs: -200, maxMs: 3 * HOUR_MS + 500 });
    expect(likelyOffset({ stamps: [], header: null })).toBeNull();
  });
});

describe("the service's clock at a time of ours", () => {
  const wide = { minMs: 3 * HOUR_MS - 500, maxMs: 3 * HOUR_MS + 500 };

  it('is proven by stamps before and after', () => {
    expect(provenOffset(sent, { stamps: [before, after], header: null })).toEqual(wide);
  });

  it('is proven by stamps on both sides of a step, and lies between them', () => {
    const stamps = [before, stamp(HOUR_MS, 0)];
    expect(provenOffset(sent, { stamps, header: null })).toEqual({ minMs: -500, maxMs: wide.maxMs });
  });

  it('is proven by a stamp made while it lasted', () => {
    const meanwhile = stampReading({ from: at(-1), to: at(3_000) }, at(HOUR_MS));
    expect(provenOffset(sent, { stamps: [meanwhile], header: null })).not.toBeNull();
  });

  it('is proven by stamps before and a header after that agrees', () => {
    const readings = { stamps: [before], header: header(HOUR_MS, 3 * HOUR_MS + 10 * MINUTE_MS) };
    expect(provenOffset(sent, readings)).toEqual({
      minMs: wide.minMs,
      maxMs: 3 * HOUR_MS + 10 * MINUTE_MS + 1_000,
    });
  });

  it.each<[string, ClockReading[], ClockReading | null]>([
    ['nothing', [], null],
    ['a header alone, which anyone may have written', [], header(HOUR_MS, 0)],
    ['a header that contradicts the stamps', [before], header(HOUR_MS, 3 * HOUR_MS + 16 * MINUTE_MS)],
    ['a header that contradicts them the other way', [before], header(HOUR_MS, 0)],
    ['a header from before, as where our own clock was set back', [before], header(-HOUR_MS, 3 * HOUR_MS)],
    ['stamps before alone', [before], null],
    ['stamps after alone', [after], header(HOUR_MS, 3 * HOUR_MS)],
  ])('is not proven by %s', (_name, stamps, said) =>
    expect(provenOffset(sent, { stamps, header: said })).toBeNull(),
  );
});

describe('the window to search', () => {
  it.each([
    [7 * MINUTE_MS, 7 * MINUTE_MS],
    [-3 * HOUR_MS, -3 * HOUR_MS],
    [-48 * HOUR_MS, 3 * HOUR_MS],
  ])('is our time moved by %i to %i ms, and the margin on both sides', (minMs, maxMs) =>
    expect(searchWindow(sent, { minMs, maxMs }, 5 * MINUTE_MS)).toEqual({
      from: at(minMs - 5 * MINUTE_MS),
      to: at(2_000 + maxMs + 5 * MINUTE_MS),
    }),
  );
});
