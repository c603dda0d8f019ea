import { setTimeout as delay } from 'node:timers/promises';

/** Begins with one item after the other at this rate, whether or not those before are done. */
export async function atRate<Item, Result>(
  perSecond: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const startedAt = performance.now();
  const begun: Promise<Result>[] = [];
  for (const [index, item] of items.entries()) {
    await delay(startedAt + (index * 1_000) / perSecond - performance.now());
    begun.push(work(item));
  }
  return Promise.all(begun);
}
