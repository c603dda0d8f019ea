import { RateLimit } from './rate-limit.js';

describe('a rate limit', () => {
  let nowMs: number;
  let limit: RateLimit;
  beforeEach(() => {
    nowMs = Date.UTC(2030, 0, 1);
    limit = new RateLimit({ most: 2, windowMs: 60_000 }, () => nowMs);
  });

  it('lets so many of a key pass, and says how long the next one has to wait', () => {
    expect([limit.take('a'), limit.take('a')]).toEqual([0, 0]);
    nowMs += 20_000;
    expect([limit.take('a'), limit.take('b')]).toEqual([40_000, 0]);
    nowMs += 40_000;
    expect(limit.take('a')).toBe(0);
  });

  it('goes on after the clock was set back', () => {
    for (let times = 0; times < 3; times += 1) limit.take('a');
    nowMs -= 3_600_000;
    expect(limit.take('a')).toBe(0);
  });

  it('forgets the key that was counted first, rather than keep any number of them', () => {
    for (let times = 0; times < 2; times += 1) limit.take('first');
    for (let n = 0; n < 10_000; n += 1) limit.take(`key-${n}`);
    expect(limit.take('first')).toBe(0);
    expect([limit.take('key-9999'), limit.take('key-9999')]).toEqual([0, 60_000]);
  });
});
