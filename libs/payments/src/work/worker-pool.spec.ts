import { jest } from '@jest/globals';
import { stepwise, WorkerPool, type Work } from './worker-pool.js';

interface End<T> {
  readonly resolve: (result: T) => void;
  readonly reject: (error: Error) => void;
}

/** A pool whose claims and runs end when the test says so. */
class Stage {
  readonly asked: number[] = [];
  readonly begun: string[] = [];
  readonly givenBack: string[] = [];
  readonly errors: unknown[] = [];
  readonly pool: WorkerPool<string>;
  readonly #claims: End<string[]>[] = [];
  readonly #runs = new Map<string, End<void>>();

  constructor(options: Partial<Work<string>> & Pick<Work<string>, 'slots'>, { returns = true } = {}) {
    const giveBack = (claims: readonly string[]) => {
      this.givenBack.push(...claims);
      return Promise.resolve();
    };
    const work: Work<string> = {
      take: (most) => {
        this.asked.push(most);
        return new Promise((resolve, reject) => this.#claims.push({ resolve, reject }));
      },
      run: (claim) => {
        this.begun.push(claim);
        return new Promise((resolve, reject) => this.#runs.set(claim, { resolve, reject }));
      },
      ...(returns ? { giveBack } : {}),
      ...options,
    };
    this.pool = new WorkerPool(work, (error) => this.errors.push(error));
  }

  async brings(...claims: string[]): Promise<void> {
    this.#claims.shift()?.resolve(claims);
    await settled();
  }

  async claimFails(error: Error): Promise<void> {
    this.#claims.shift()?.reject(error);
    await settled();
  }

  async ends(claim: string): Promise<void> {
    this.#runs.get(claim)?.resolve();
    await settled();
  }

  async fails(claim: string, error: Error): Promise<void> {
    this.#runs.get(claim)?.reject(error);
    await settled();
  }
}

/** Promises that follow each other have all resolved by then. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

describe('a worker pool', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('claims nothing before it is woken, and no more if there was less than it asked for', async () => {
    const stage = new Stage({ slots: 4, ahead: 4 });
    expect(stage.asked).toEqual([]);
    stage.pool.wake();
    await stage.brings('a');
    await stage.ends('a');
    expect(stage).toMatchObject({ asked: [4], begun: ['a'] });
  });

  it('goes on while there is work, and rests when there is none', async () => {
    const stage = new Stage({ slots: 1 });
    stage.pool.wake();
    await stage.brings('a');
    await stage.ends('a');
    await stage.brings('b');
    await stage.ends('b');
    await stage.brings();
    expect(stage.asked).toEqual([1, 1, 1]);
    stage.pool.wake();
    expect(stage.asked).toHaveLength(4);
  });

  it.each([1, 2, 5])('of %i slots claims nothing that it has no slot for', async (slots) => {
    const stage = new Stage({ slots });
    for (let wakes = 0; wakes < 20; wakes += 1) stage.pool.wake();
    for (let claimed = 0; claimed < 20; claimed += 1) await stage.brings(`claim ${claimed}`);
    expect(stage.asked).toHaveLength(slots);
    expect(stage.begun).toHaveLength(slots);
    await stage.ends('claim 0');
    expect(stage.asked).toHaveLength(slots + 1);
  });

  it('lets one slow piece delay no other', async () => {
    const stage = new Stage({ slots: 2 });
    stage.pool.wake();
    await stage.brings('slow');
    for (const claim of ['a', 'b', 'c']) {
      await stage.brings(claim);
      await stage.ends(claim);
    }
    expect(stage.begun).toEqual(['slow', 'a', 'b', 'c']);
  });

  it('claims ahead while those before are still being done, and begins no more than its slots', async () => {
    const stage = new Stage({ slots: 2, ahead: 2 });
    stage.pool.wake();
    await stage.brings('a', 'b');
    expect(stage.asked).toEqual([2, 2]);
    await stage.brings('c', 'd');
    expect(stage.begun).toEqual(['a', 'b']);
    await stage.ends('a');
    expect(stage).toMatchObject({ begun: ['a', 'b', 'c'], asked: [2, 2] });
    await stage.ends('b');
    expect(stage).toMatchObject({ begun: ['a', 'b', 'c', 'd'], asked: [2, 2, 2] });
  });

  it('loses no wake-up that comes during a claim', async () => {
    const stage = new Stage({ slots: 2 });
    stage.pool.wake();
    for (let wakes = 0; wakes < 20; wakes += 1) stage.pool.wake();
    await stage.brings();
    expect(stage.asked).toHaveLength(2);
    await stage.brings();
    expect(stage.asked).toHaveLength(2);
  });

  it('loses no wake-up between the end of a claim and its own next look', async () => {
    const stage = new Stage({ slots: 1 });
    stage.pool.wake();
    const ended = stage.brings();
    // The claim is decided, but the pool does not know yet.
    void Promise.resolve().then(() => stage.pool.wake());
    await ended;
    expect(stage.asked).toHaveLength(2);
  });

  it('claims again after what leads to more', async () => {
    const stage = new Stage({ slots: 2, leadsToMore: (claim) => claim === 'first' });
    stage.pool.wake();
    await stage.brings('first');
    await stage.brings('last');
    await stage.ends('last');
    await stage.brings();
    const before = stage.asked.length;
    await stage.ends('first');
    expect([before, stage.asked.length]).toEqual([3, 4]);
  });

  it('keeps its slots free of what hangs, as long as more may continue beside them', async () => {
    const stage = new Stage({ slots: 1, aside: 1 });
    stage.pool.wake();
    await stage.brings('hangs');
    jest.advanceTimersByTime(1_000);
    await stage.brings('too');
    jest.advanceTimersByTime(1_000);
    expect(stage).toMatchObject({ begun: ['hangs', 'too'], asked: [1, 1] });
    await stage.ends('hangs');
    expect(stage.asked).toEqual([1, 1]);
    await stage.ends('too');
    expect(stage.asked).toEqual([1, 1, 1]);
  });

  it('begins what may be begun, past what may not', async () => {
    let open = ['b'];
    const stage = new Stage({ slots: 2, ahead: 2, mayBegin: (claim) => open.includes(claim) });
    stage.pool.wake();
    await stage.brings('a', 'b');
    expect(stage.begun).toEqual(['b']);
    open = ['a'];
    await stage.ends('b');
    expect(stage.begun).toEqual(['b', 'a']);
  });

  it('returns what finds no slot for long, and only that', async () => {
    const stage = new Stage({ slots: 1, ahead: 3, patienceMs: 300 });
    stage.pool.wake();
    await stage.brings('a', 'b', 'c');
    await stage.ends('a');
    jest.advanceTimersByTime(300);
    await stage.ends('b');
    expect(stage).toMatchObject({ begun: ['a', 'b'], givenBack: ['c'] });
  });

  it('reports an error of a claim, and keeps a wake-up that came before it', async () => {
    const stage = new Stage({ slots: 1 });
    const error = new Error('no database');
    stage.pool.wake();
    await stage.claimFails(error);
    expect(stage).toMatchObject({ asked: [1], errors: [error] });
    stage.pool.wake();
    stage.pool.wake();
    await stage.claimFails(error);
    expect(stage.asked).toEqual([1, 1, 1]);
  });

  it('reports an error of a piece of work, and goes on', async () => {
    const stage = new Stage({ slots: 1 });
    const error = new Error('no');
    stage.pool.wake();
    await stage.brings('a');
    await stage.fails('a', error);
    await stage.brings('b');
    expect(stage).toMatchObject({ begun: ['a', 'b'], errors: [error] });
  });

  it('ends after the claim in progress, whose work it returns, and after what it has begun', async () => {
    const stage = new Stage({ slots: 2, ahead: 2, aside: 2 });
    stage.pool.wake();
    await stage.brings('a', 'b');
    jest.advanceTimersByTime(1_000);
    let isOver = false;
    void stage.pool.stop().then(() => (isOver = true));
    await stage.brings('late', 'later');
    expect(stage).toMatchObject({ begun: ['a', 'b'], givenBack: ['late', 'later'] });
    await stage.ends('a');
    expect(isOver).toBe(false);
    await stage.ends('b');
    expect(isOver).toBe(true);
    stage.pool.wake();
    expect(stage.asked).toEqual([2, 2]);
  });

  it('does what it has claimed before it ends, if that cannot be returned', async () => {
    const stage = new Stage({ slots: 1 }, { returns: false });
    stage.pool.wake();
    let isOver = false;
    void stage.pool.stop().then(() => (isOver = true));
    await stage.brings('late');
    expect([stage.begun, isOver]).toEqual([['late'], false]);
    await stage.ends('late');
    expect([isOver, stage.asked]).toEqual([true, [1]]);
  });

  it('takes steps one after the other, until there are no more', async () => {
    const found = [true, true, false];
    let steps = 0;
    const pool = new WorkerPool(
      stepwise(() => Promise.resolve(found[steps++] ?? false)),
      () => undefined,
    );
    pool.wake();
    await settled();
    expect(steps).toBe(3);
  });
});
