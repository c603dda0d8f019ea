import { jest } from '@jest/globals';
import { BatchLoop } from './batch-loop.js';

/** Work whose claims and runs end when the test says so. */
class Work {
  readonly asked: number[] = [];
  readonly begun: string[] = [];
  readonly givenBack: string[] = [];
  readonly errors: unknown[] = [];
  readonly loop: BatchLoop<string>;
  #claims: ((claims: string[]) => void)[] = [];
  readonly #ends = new Map<string, () => void>();

  constructor(slots: number) {
    const work = {
      take: (most: number) => {
        this.asked.push(most);
        return new Promise<string[]>((resolve) => this.#claims.push(resolve));
      },
      run: (claim: string) => {
        this.begun.push(claim);
        return new Promise<void>((resolve) => this.#ends.set(claim, resolve));
      },
      giveBack: async (claim: string) => void this.givenBack.push(claim),
    };
    this.loop = new BatchLoop(work, slots, (error) => this.errors.push(error));
  }

  async brings(...claims: string[]): Promise<void> {
    this.#claims.shift()?.(claims);
    await settled();
  }

  async ends(claim: string): Promise<void> {
    this.#ends.get(claim)?.();
    await settled();
  }
}

/** Promises that follow each other have all resolved by then. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

describe('a loop that claims in batches', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('asks for nothing before it is woken, and for no more if there was less than it asked for', async () => {
    const work = new Work(4);
    expect(work.asked).toEqual([]);
    work.loop.wake();
    await work.brings('a');
    await work.ends('a');
    expect(work).toMatchObject({ asked: [4], begun: ['a'] });
  });

  it('claims the next ones while those before them are still being done, and begins no more than its slots', async () => {
    const work = new Work(2);
    work.loop.wake();
    await work.brings('a', 'b');
    expect(work.asked).toEqual([2, 2]);
    await work.brings('c', 'd');
    expect(work.begun).toEqual(['a', 'b']);
    await work.ends('a');
    expect(work.begun).toEqual(['a', 'b', 'c']);
    expect(work.asked).toEqual([2, 2, 1]);
  });

  it('notices a wake-up during a claim', async () => {
    const work = new Work(2);
    work.loop.wake();
    work.loop.wake();
    await work.brings();
    expect(work.asked).toEqual([2, 2]);
  });

  it('keeps its slots free of what hangs', async () => {
    const work = new Work(1);
    work.loop.wake();
    await work.brings('hangs');
    work.loop.wake();
    await work.brings('next');
    expect(work.begun).toEqual(['hangs']);
    jest.advanceTimersByTime(1_000);
    expect(work.begun).toEqual(['hangs', 'next']);
  });

  it('ends after the claim in progress, whose work it returns, and after what it has begun', async () => {
    const work = new Work(2);
    work.loop.wake();
    await work.brings('a', 'b');
    let isOver = false;
    void work.loop.stop().then(() => (isOver = true));
    await work.brings('late', 'later');
    expect(work).toMatchObject({ begun: ['a', 'b'], givenBack: ['late', 'later'] });
    expect(isOver).toBe(false);
    await work.ends('a');
    await work.ends('b');
    expect(isOver).toBe(true);
    work.loop.wake();
    expect(work.asked).toEqual([2, 2]);
  });
});
