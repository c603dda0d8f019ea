import { QueryFailedError } from 'typeorm';
import { LockWait, unlocked } from './lock-wait.js';

function failure(code: string): QueryFailedError {
  return new QueryFailedError('SELECT', [], Object.assign(new Error('refused'), { code }));
}

const LOCKED = failure('55P03');
const CANCELED = failure('57014');

describe('what waits for a lock', () => {
  it('is tried again until it has it, and only so many at a time', async () => {
    const wait = new LockWait(() => 2);
    let [tries, atOnce, most] = [0, 0, 0];
    const work = async () => {
      tries += 1;
      const isFirst = tries <= 20;
      atOnce += 1;
      if (!isFirst) most = Math.max(most, atOnce);
      await new Promise(setImmediate);
      atOnce -= 1;
      if (tries < 30) throw LOCKED;
      return 'done';
    };
    const all = await Promise.all(Array.from({ length: 20 }, () => wait.run(work, 60_000)));
    expect(all).toEqual(all.map(() => 'done'));
    expect(most).toBe(2);
  });

  it('is given up when its time is over, and at once if it has none', async () => {
    const wait = new LockWait(() => 2);
    const work = () => Promise.reject(LOCKED);
    await expect(wait.run(work, 1)).rejects.toMatchObject({ name: 'DatabaseDeadlineError' });
    await expect(wait.run(work, 0)).rejects.toBe(LOCKED);
  });

  it('is nothing that failed for another reason', async () => {
    const error = failure('23505');
    let tries = 0;
    const work = () => {
      tries += 1;
      return Promise.reject(error);
    };
    await expect(new LockWait(() => 2).run(work, 60_000)).rejects.toBe(error);
    expect(tries).toBe(1);
  });

  it('is tried again where PostgreSQL calls it canceled, until it took too long', async () => {
    let tries = 0;
    const work = async () => {
      tries += 1;
      if (tries === 1) throw CANCELED;
      return 'done';
    };
    await expect(new LockWait(() => 2).run(work, 60_000)).resolves.toBe('done');
    const slow = async () => {
      const began = performance.now();
      while (performance.now() - began < 2) await new Promise(setImmediate);
      throw CANCELED;
    };
    await expect(new LockWait(() => 2).run(slow, 1)).rejects.toBe(CANCELED);
  });

  it('keeps nobody else: those that are locked are left', async () => {
    const done: number[] = [];
    const work = async (item: number) => {
      if (item === 2) throw LOCKED;
      done.push(item);
    };
    expect(await unlocked([1, 2, 3], work)).toEqual([2]);
    expect(done).toEqual([1, 3]);
  });
});
