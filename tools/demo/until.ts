import { setTimeout as delay } from 'node:timers/promises';

const pauseMs = 20;
const deadlineMs = 10_000;

/**
 * Asks until the answer satisfies the condition.
 * @throws Error after ten seconds, with what was awaited and the last answer
 */
export async function until<T extends string | number>(
  awaited: string,
  ask: () => Promise<T>,
  condition: (answer: T) => boolean,
  signal: AbortSignal,
): Promise<T> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    signal.throwIfAborted();
    const answer = await ask();
    if (condition(answer)) return answer;
    if (performance.now() > deadline) {
      throw new Error(`Waited ${deadlineMs / 1_000} s for ${awaited}; last seen: ${String(answer)}`);
    }
    await delay(pauseMs, undefined, { signal });
  }
}
