import { setTimeout as delay } from 'node:timers/promises';

/** Asks again until the answer satisfies the condition; the test's own time limit ends a wait in vain. */
export async function eventually<T>(ask: () => Promise<T>, condition: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (condition(answer)) return answer;
    await delay(20);
  }
}
