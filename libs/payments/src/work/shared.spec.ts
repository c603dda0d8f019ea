import { jest } from '@jest/globals';
import { Shared } from './shared.js';

/** Work that ends when it is told to. */
function held() {
  const begun: { end: (result: string) => void; fail: (error: Error) => void }[] = [];
  const work = () =>
    new Promise<string>((resolve, reject) => {
      begun.push({ end: resolve, fail: reject });
    });
  return { begun, work };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('shared work', () => {
  it('is done once more for all who ask while it is under way, and begins after they asked', async () => {
    const shared = new Shared<string>();
    const { begun, work } = held();
    const first = shared.run('a', work);
    const others = Array.from({ length: 20 }, () => shared.run('a', work));
    expect(begun).toHaveLength(1);
    begun[0]?.end('before they asked');
    expect(await first).toBe('before they asked');
    await settled();
    expect(begun).toHaveLength(2);
    const later = shared.run('a', work);
    begun[1]?.end('after they asked');
    expect(new Set(await Promise.all(others))).toEqual(new Set(['after they asked']));
    await settled();
    begun[2]?.end('last');
    expect(await later).toBe('last');
    // Nothing is under way any more.
    void shared.run('a', work);
    expect(begun).toHaveLength(4);
  });

  it('of another key waits for nothing', async () => {
    const shared = new Shared<string>();
    const { begun, work } = held();
    void shared.run('a', work);
    const other = shared.run('b', work);
    expect(begun).toHaveLength(2);
    begun[1]?.end('b');
    expect(await other).toBe('b');
  });

  it('that fails, fails for those alone who asked for it', async () => {
    const shared = new Shared<string>();
    const { begun, work } = held();
    const first = shared.run('a', work);
    const second = shared.run('a', work);
    begun[0]?.fail(new Error('no answer'));
    await expect(first).rejects.toThrow('no answer');
    await settled();
    begun[1]?.end('an answer');
    expect(await second).toBe('an answer');
  });
});

describe('shared work with a pace', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('begins so many times at once, and then once in a time, for all who asked by then', async () => {
    const shared = new Shared<number>({ atOnce: 3, everyMs: 1_000 });
    let begun = 0;
    const told: number[] = [];
    const ask = () => void shared.run('a', async () => (begun += 1)).then((at) => told.push(at));
    for (let asked = 0; asked < 3; asked += 1) {
      ask();
      await jest.advanceTimersByTimeAsync(0);
    }
    expect([begun, told]).toEqual([3, [1, 2, 3]]);
    for (let asked = 0; asked < 150; asked += 1) ask();
    await jest.advanceTimersByTimeAsync(999);
    expect(begun).toBe(3);
    await jest.advanceTimersByTimeAsync(1);
    expect([begun, told.length, told.at(-1)]).toEqual([4, 153, 4]);
    ask();
    await jest.advanceTimersByTimeAsync(500);
    expect(begun).toBe(4);
    // Another one is not kept waiting.
    expect(await shared.run('b', async () => 7)).toBe(7);
    await jest.advanceTimersByTimeAsync(500);
    expect([begun, told.at(-1)]).toEqual([5, 5]);
  });

  it('is forgotten once it has rested', async () => {
    const shared = new Shared<number>({ atOnce: 3, everyMs: 1_000 });
    for (let asked = 0; asked < 100; asked += 1) await shared.run(`${asked}`, async () => asked);
    expect(jest.getTimerCount()).toBe(100);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(jest.getTimerCount()).toBe(0);
    await shared.run('1', async () => 1);
    await shared.run('1', async () => 1);
    expect(jest.getTimerCount()).toBe(2);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(jest.getTimerCount()).toBe(0);
  });
});
