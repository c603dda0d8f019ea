import { deliveryDelayMs } from './delivery-retry.js';

describe('a failing handler', () => {
  it('is run again after 10, 20, 40 s … one hour', () => {
    const delays = Array.from({ length: 12 }, (_, run) => deliveryDelayMs(run + 1) / 1_000);
    expect(delays).toEqual([10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600, 3_600, 3_600]);
  });

  it.each([13, 21, 22, 100, 2_000, 2 ** 31 - 1])('waits an hour after run %i too', (attempts) => {
    expect(deliveryDelayMs(attempts)).toBe(3_600_000);
  });
});
