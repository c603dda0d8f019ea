import { rereadPauseMs } from './reread-pause.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe('a window whose refunds are not all known', () => {
  it.each([
    ['after its first list, for the usual time of a re-read', null, 5_000],
    ['no shorter after a list that took less', 0, 5_000],
    ['nor where the clock was set back', -MINUTE_MS, 5_000],
    ['as long as the shortest pause lasted', 5_000, 5_000],
    ['as long as it has been read', 5_001, 5_001],
    ['for three minutes', 3 * MINUTE_MS, 3 * MINUTE_MS],
    ['for no more than that', 3 * MINUTE_MS + 1, 3 * MINUTE_MS],
    ['to the end of an hour', HOUR_MS, 3 * MINUTE_MS],
    ['no longer', HOUR_MS + 1, null],
  ])('waits %s', (_name, readForMs, expected) => {
    expect(rereadPauseMs(readForMs)).toBe(expected);
  });

  it('is listed a few times in its hour, after pauses that double', () => {
    const pauses: number[] = [];
    let readForMs: number | null = null;
    for (;;) {
      const pauseMs: number | null = rereadPauseMs(readForMs);
      if (pauseMs === null) break;
      pauses.push(pauseMs / 1_000);
      readForMs = (readForMs ?? 0) + pauseMs;
    }
    expect(pauses.slice(0, 8)).toEqual([5, 5, 10, 20, 40, 80, 160, 180]);
    expect(pauses.length).toBeLessThan(30);
  });
});
