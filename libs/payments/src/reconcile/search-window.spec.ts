import {
  likelyOffset,
  offsetOf,
  provenSpan,
  headerReading,
  stampReading,
  searchWindow,
  spanOf,
  type ClockReading,
  type Span,
  type Stamp,
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
const AHEAD_MS = 3 * HOUR_MS;
const before: Stamp = { ...stamp(-HOUR_MS, AHEAD_MS), made: 'before' };
const after: Stamp = { ...stamp(HOUR_MS, AHEAD_MS), made: 'after' };

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

describe("the time of the service's clock in which a request arrived", () => {
  const shown = (ourMs: number) => at(ourMs - 500 + AHEAD_MS);

  it('is proven by stamps before and after, and lies between them', () => {
    const span = { from: shown(-HOUR_MS), to: shown(HOUR_MS) };
    expect(provenSpan(sent, { stamps: [before, after], header: null })).toEqual(span);
  });

  it('is the same wherever a clock of ours, that was set and set right again, has it', () => {
    const early = { from: at(-5 * HOUR_MS), to: at(-5 * HOUR_MS) };
    const late = { from: at(5 * HOUR_MS), to: at(5 * HOUR_MS) };
    for (const ours of [early, late]) {
      const span = provenSpan(ours, { stamps: [before, after], header: null });
      expect(span?.from.getTime()).toBeLessThanOrEqual(shown(-HOUR_MS).getTime());
      expect(span?.to.getTime()).toBeGreaterThanOrEqual(shown(HOUR_MS).getTime());
    }
  });

  it('lies between the nearest of them, and includes what our clock says', () => {
    const stamps = [
      { ...before, ...stamp(-2 * HOUR_MS, AHEAD_MS) },
      before,
      after,
      { ...after, ...stamp(2 * HOUR_MS, AHEAD_MS) },
    ];
    expect(provenSpan(sent, { stamps, header: null })).toEqual({ from: shown(-HOUR_MS), to: shown(HOUR_MS) });
    const whole = { from: at(-2 * HOUR_MS), to: at(2 * HOUR_MS) };
    expect(provenSpan(whole, { stamps, header: null })).toEqual({
      from: at(AHEAD_MS - 2 * HOUR_MS - 500),
      to: at(AHEAD_MS + 2 * HOUR_MS + 500),
    });
  });

  it('is proven by stamps before and a header after that agrees', () => {
    const readings = { stamps: [before], header: header(HOUR_MS, AHEAD_MS + 10 * MINUTE_MS) };
    expect(provenSpan(sent, readings)).toEqual({
      from: shown(-HOUR_MS),
      to: at(HOUR_MS - 200 + AHEAD_MS + 10 * MINUTE_MS),
    });
  });

  const elsewhere = { ...stamp(30 * MINUTE_MS, AHEAD_MS + 16 * MINUTE_MS) };
  it.each<[string, Stamp[], ClockReading | null]>([
    ['nothing', [], null],
    ['a header alone, which anyone may have written', [], header(HOUR_MS, 0)],
    ['a header that contradicts the stamps', [before], header(HOUR_MS, AHEAD_MS + 16 * MINUTE_MS)],
    ['a header that contradicts them the other way', [before], header(HOUR_MS, 0)],
    ['a header from before, as where our own clock was set back', [before], header(-HOUR_MS, AHEAD_MS)],
    ['stamps before alone', [before], null],
    ['stamps after alone', [after], header(HOUR_MS, AHEAD_MS)],
    ['stamps on both sides of a step', [before, { ...elsewhere, made: 'after' }], null],
    ['a stamp among them that contradicts the others', [before, { ...elsewhere, made: null }, after], null],
    ['a stamp of which nobody knows whether it was before', [{ ...before, made: null }, after], null],
  ])('is not proven by %s', (_name, stamps, said) =>
    expect(provenSpan(sent, { stamps, header: said })).toBeNull(),
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
