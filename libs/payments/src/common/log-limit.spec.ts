import { jest } from '@jest/globals';
import { andOthers, LogLimit } from './log-limit.js';

describe('a log limit', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('logs the first, and later one line for all that came since', () => {
    const limit = new LogLimit(10_000);
    expect(limit.take()).toBe(1);
    expect([limit.take(), limit.take()]).toEqual([null, null]);
    jest.advanceTimersByTime(9_999);
    expect(limit.take()).toBeNull();
    jest.advanceTimersByTime(1);
    expect(limit.take()).toBe(4);
    jest.advanceTimersByTime(60_000);
    expect(limit.take()).toBe(1);
  });

  it('adds to a line how many it stands for', () => {
    expect([1, 2, 30].map(andOthers)).toEqual([
      '',
      ' (and 1 more since the last such line)',
      ' (and 29 more since the last such line)',
    ]);
  });
});
