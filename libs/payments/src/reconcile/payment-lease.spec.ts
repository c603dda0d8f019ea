import { jest } from '@jest/globals';
import { PaymentLease } from './payment-lease.js';

describe('a lease on a payment', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: 0 });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** A call takes 40 s, its lease 60 s, and a step may be late by 10 s. */
  function take(isOurs = true) {
    const extended: number[] = [];
    const extend = (lastsMs: number) => {
      extended.push(lastsMs);
      return Promise.resolve(isOurs);
    };
    return { lease: new PaymentLease(extend, 60_000, 10_000), extended };
  }

  it('costs nothing more if there is time for the next step', async () => {
    const { lease, extended } = take();
    await lease.outlive(40_000);
    jest.setSystemTime(10_000);
    await lease.outlive(40_000);
    expect(extended).toEqual([]);
  });

  it('outlives a chain of any length, whatever each step takes', async () => {
    const { lease, extended } = take();
    for (let at = 0; at <= 400_000; at += 40_000) {
      jest.setSystemTime(at);
      await lease.outlive(40_000);
    }
    expect(extended).toHaveLength(10);
    expect(new Set(extended)).toEqual(new Set([60_000]));
  });

  it('is made long enough for a step that is longer than itself', async () => {
    const { lease, extended } = take();
    await lease.outlive(100_000);
    expect(extended).toEqual([120_000]);
    jest.setSystemTime(10_000);
    await lease.outlive(100_000);
    expect(extended).toHaveLength(1);
  });

  it('that was lost begins no further step', async () => {
    const { lease } = take(false);
    jest.setSystemTime(50_000);
    await expect(lease.outlive(40_000)).rejects.toThrow('Another worker has taken the payment over.');
  });
});
