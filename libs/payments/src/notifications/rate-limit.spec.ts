import { RateLimit } from './rate-limit.js';

describe('a rate limit', () => {
  it('lets its burst through at once, and then no more', () => {
    const limit = new RateLimit(0.001, 20);
    const taken = Array.from({ length: 1_000 }, () => limit.take());
    expect(taken).toEqual(taken.map((_, index) => index < 20));
  });
});
