import { setImmediate as tick } from 'node:timers/promises';
import { WorkLoop } from './work-loop.js';

interface Look {
  /** Ends this look: work was found and done, or there was none. */
  readonly end: (found: boolean) => Promise<void>;
  readonly fail: (error: Error) => Promise<void>;
}

/** A loop whose looks for work end on request; after each, everything that follows from it has happened. */
function loopOf(slots: number) {
  const looks: Look[] = [];
  const errors: unknown[] = [];
  const takeOne = () =>
    new Promise<boolean>((resolve, reject) => {
      looks.push({
        end: async (found) => {
          resolve(found);
          await tick();
        },
        fail: async (error) => {
          reject(error);
          await tick();
        },
      });
    });
  const loop = new WorkLoop(takeOne, slots, (error) => errors.push(error));
  const look = (index: number): Look => {
    const found = looks[index];
    if (!found) throw new Error(`There is no look ${index}.`);
    return found;
  };
  return { loop, looks, look, errors };
}

describe('a work loop', () => {
  it('does nothing until it is woken, and then looks once', async () => {
    const { loop, looks, look } = loopOf(4);
    await tick();
    expect(looks).toHaveLength(0);
    loop.wake();
    expect(looks).toHaveLength(1);
    await look(0).end(false);
    expect(looks).toHaveLength(1);
  });

  it('goes on while there is work, and rests when there is none', async () => {
    const { loop, looks, look } = loopOf(1);
    loop.wake();
    await look(0).end(true);
    await look(1).end(true);
    await look(2).end(false);
    expect(looks).toHaveLength(3);
    loop.wake();
    expect(looks).toHaveLength(4);
  });

  it('adds another worker for each that finds work, up to its slots', async () => {
    const { loop, looks, look } = loopOf(3);
    loop.wake();
    await look(0).end(true);
    expect(looks).toHaveLength(3);
    await look(1).end(true);
    // Two that went on, and one more added: three at once and no more.
    expect(looks).toHaveLength(5);
    await look(2).end(true);
    await look(3).end(true);
    expect(looks).toHaveLength(7);
  });

  it('lets one slow piece delay no other', async () => {
    const { loop, look, looks } = loopOf(2);
    loop.wake();
    await look(0).end(true);
    // Look 1 never ends; everything else is done by the other worker.
    for (const index of [2, 3, 4, 5]) await look(index).end(true);
    expect(looks).toHaveLength(7);
  });

  it.each([1, 2, 5])('of %i slots never runs more at once', async (slots) => {
    const { loop, looks } = loopOf(slots);
    for (let wakes = 0; wakes < 20; wakes += 1) loop.wake();
    await tick();
    expect(looks).toHaveLength(slots);
  });

  it('loses no wake-up that comes during the last empty look', async () => {
    const { loop, looks, look } = loopOf(1);
    loop.wake();
    loop.wake();
    await look(0).end(false);
    expect(looks).toHaveLength(2);
    await look(1).end(false);
    expect(looks).toHaveLength(2);
  });

  it('loses no wake-up between the end of a look and the end of its worker', async () => {
    const { loop, looks, look } = loopOf(1);
    loop.wake();
    const ended = look(0).end(false);
    // The look is decided, but its worker does not know yet.
    queueMicrotask(() => loop.wake());
    await ended;
    expect(looks).toHaveLength(2);
  });

  it('makes one look of many wake-ups during one', async () => {
    const { loop, looks, look } = loopOf(1);
    loop.wake();
    for (let wakes = 0; wakes < 20; wakes += 1) loop.wake();
    await look(0).end(false);
    await look(1).end(false);
    expect(looks).toHaveLength(2);
  });

  it('reports an error, and works again at the next wake-up', async () => {
    const { loop, looks, look, errors } = loopOf(1);
    const error = new Error('no database');
    loop.wake();
    await look(0).fail(error);
    expect(errors).toEqual([error]);
    expect(looks).toHaveLength(1);
    loop.wake();
    await look(1).end(false);
    expect(errors).toHaveLength(1);
  });

  it('keeps a wake-up that came before an error', async () => {
    const { loop, looks, look } = loopOf(1);
    loop.wake();
    loop.wake();
    await look(0).fail(new Error('no database'));
    expect(looks).toHaveLength(2);
  });

  it('stops when the work in progress is done, and takes no more', async () => {
    const { loop, looks, look } = loopOf(2);
    loop.wake();
    await look(0).end(true);
    const heard: string[] = [];
    const stopping = loop.stop().then(() => heard.push('stopped'));
    await look(1).end(true);
    expect(heard).toEqual([]);
    await look(2).end(true);
    await stopping;
    loop.wake();
    await tick();
    expect(looks).toHaveLength(3);
  });

  it('that has no work in progress stops at once', async () => {
    const { loop, looks } = loopOf(1);
    await loop.stop();
    loop.wake();
    expect(looks).toHaveLength(0);
  });
});
