import { setTimeout as delay } from 'node:timers/promises';

/** For each piece that is left, so that looking costs next to nothing while there are many, and is exact at the end. */
const PAUSE_MS = 0.2;
const [SHORTEST_MS, LONGEST_MS] = [5, 200];

/** Looks again and again until none are left. */
export async function untilNone(left: () => Promise<number>): Promise<void> {
  for (let count = await left(); count > 0; count = await left())
    await delay(Math.min(Math.max(count * PAUSE_MS, SHORTEST_MS), LONGEST_MS));
}
