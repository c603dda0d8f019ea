import { jest } from '@jest/globals';
import { ObjectList } from '../api/object-list.js';
import { thisMoment } from '../common/moment.js';
import { itemsUnder, PaymentLease } from './payment-lease.js';

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
    const term = { begunAt: thisMoment(), lastsMs: 60_000 };
    return { lease: new PaymentLease(extend, term, { requestMs: 40_000, spareMs: 10_000 }), extended };
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

  it('is made longer before each page of a list', async () => {
    const { lease, extended } = take();
    const pages = [['a', 'b'], ['c'], ['d']];
    const list = new ObjectList<string>(
      (cursor = '0') => {
        const index = Number(cursor);
        // Each page takes as long as a request may.
        jest.setSystemTime((index + 1) * 40_000);
        const nextCursor = index + 1 < pages.length ? String(index + 1) : null;
        return Promise.resolve({ items: pages[index] ?? [], nextCursor, date: null });
      },
      undefined,
      { request: 'GET /v3/receipts' },
    );
    const items = [];
    for await (const item of itemsUnder(lease, list)) items.push(item);
    expect(items).toEqual(['a', 'b', 'c', 'd']);
    expect([lease.requests, extended.length]).toEqual([3, 2]);
  });

  it('is over by the clock that stood still, too, where the other was set back', async () => {
    const { lease, extended } = take();
    jest.advanceTimersByTime(30_000);
    jest.setSystemTime(0);
    await lease.outlive(40_000);
    expect(extended).toEqual([60_000]);
  });

  it('that was lost begins no further step', async () => {
    const { lease } = take(false);
    jest.setSystemTime(50_000);
    await expect(lease.outlive(40_000)).rejects.toThrow('Another worker has taken the payment over.');
  });
});
