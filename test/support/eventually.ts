import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';

/** Far longer than even a busy machine needs: reached only if the condition never becomes true. */
const GIVE_UP_MS = 60_000;

/** Asks again until the answer satisfies the condition, and fails with the last answer if it never does. */
export async function eventually<T>(ask: () => Promise<T>, condition: (answer: T) => boolean): Promise<T> {
  const until = performance.now() + GIVE_UP_MS;
  for (;;) {
    const answer = await ask();
    if (condition(answer)) return answer;
    if (performance.now() > until) throw new Error(`It never came; the last answer was ${inspect(answer)}`);
    await delay(20);
  }
}
