/** Takes the items one by one, this many at once. */
export async function atOnce<Item>(
  workers: number,
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const item = items[(next += 1) - 1];
      if (item !== undefined) await work(item);
    }
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

/** How many of them per second. */
export function perSecond(count: number, ms: number): number {
  return (count / ms) * 1_000;
}

/** How long it takes, in ms. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
