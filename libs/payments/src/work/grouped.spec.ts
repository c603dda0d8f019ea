import { jest } from '@jest/globals';
import { AsyncLocalStorage } from 'node:async_hooks';
import { QueryFailedError } from 'typeorm';
import { Grouped } from './grouped.js';

describe('items that are written together', () => {
  it('are those that arrive while others are being written, and each gets its own result', async () => {
    const groups: number[][] = [];
    const grouped = new Grouped<number, number>(
      async (items) => {
        groups.push([...items]);
        await new Promise(setImmediate);
        return items.map((item) => item * 10);
      },
      { most: 3 },
    );
    const results = Promise.all([1, 2, 3, 4, 5].map((item) => grouped.add(item)));
    expect(await results).toEqual([10, 20, 30, 40, 50]);
    expect(groups).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
  });

  it('are no part of the request that came first', async () => {
    const requests = new AsyncLocalStorage<string>();
    const within: unknown[] = [];
    const grouped = new Grouped<string, null>(
      async (items) => {
        within.push(requests.getStore());
        return items.map(() => null);
      },
      { most: 1 },
    );
    await Promise.all(['one', 'two'].map((item) => requests.run(item, () => grouped.add(item))));
    expect(within).toEqual([undefined, undefined]);
  });

  it('fail together, and those after them do not', async () => {
    const grouped = new Grouped<string, string>(
      async (items) => {
        if (items.includes('bad')) throw new Error('refused');
        return items;
      },
      { most: 2 },
    );
    const results = await Promise.allSettled(['good', 'bad', 'after'].map((item) => grouped.add(item)));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  });

  it('go on one by one if the database refuses one of them, and each gets its own result', async () => {
    const refusal = new QueryFailedError('', [], Object.assign(new Error('check'), { code: '23514' }));
    const grouped = new Grouped<string, string>(
      async (items) => {
        if (items.includes('bad')) throw refusal;
        return items;
      },
      { most: 3 },
    );
    const results = await Promise.allSettled(['good', 'bad', 'after'].map((item) => grouped.add(item)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('are refused if a result is missing, rather than left waiting', async () => {
    const grouped = new Grouped<string, string>(async () => [], { most: 2 });
    await expect(grouped.add('forgotten')).rejects.toThrow('without a result');
  });

  it('leave no timer behind, whether they are written or refused', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    try {
      const grouped = new Grouped<string, string>(
        async (items) => {
          if (items.includes('bad')) throw new Error('refused');
          return items;
        },
        { most: 1, patienceMs: 1_000 },
      );
      await Promise.allSettled(['good', 'bad'].map((item) => grouped.add(item)));
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });
});
