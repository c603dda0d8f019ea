import type { Work } from '../../libs/payments/src/work/worker-pool.js';

/** Does a pool's work one piece after the other, each when it is called; false if there is none. */
export function oneByOne<Claim>(work: Work<Claim>): () => Promise<boolean> {
  const claimed: Claim[] = [];
  const mayBegin = (claim: Claim) => work.mayBegin?.(claim) ?? true;
  return async () => {
    if (!claimed.some(mayBegin)) claimed.push(...(await work.take(1)));
    const next = claimed.find(mayBegin);
    if (next === undefined) return false;
    claimed.splice(claimed.indexOf(next), 1);
    await work.run(next);
    return true;
  };
}

/** Does all there is, one piece after the other. */
export async function doAll<Claim>(work: Work<Claim>): Promise<void> {
  const next = oneByOne(work);
  while (await next());
}
