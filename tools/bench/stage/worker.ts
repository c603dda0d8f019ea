/** A process of the bench: opens one program and runs its steps for the parent, until the parent is gone. */
import 'reflect-metadata';
import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';

import { SETTINGS, type Answer, type Call } from './call.js';

type Step = (input: unknown) => unknown;
type Program = (settings: unknown) => Promise<Record<string, Step>>;

const [name = ''] = process.argv.slice(2);
const send = (answer: Answer): void => void process.send?.(answer);
// Including its causes.
const reasonOf = (error: unknown): string => inspect(error);

process.on('disconnect', () => process.exit(0));

try {
  const { open }: { open: Program } = await import(new URL(`../${name}.js`, import.meta.url).href);
  const steps: Record<string, Step> = {
    residentMemory,
    ...(await open(JSON.parse(process.env[SETTINGS] ?? '{}'))),
  };
  process.on('message', ({ id, step, input }: Call) => {
    void (async () => steps[step]?.(input))().then(
      (result) => send({ id, result }),
      (error: unknown) => send({ id, error: `${name}, ${step}: ${reasonOf(error)}` }),
    );
  });
  send({ id: 0 });
} catch (error) {
  send({ id: 0, error: `${name} could not start: ${reasonOf(error)}` });
}

/** Twice, with a pause: what the first collection finalizes is freed by the second. */
async function residentMemory(): Promise<number> {
  globalThis.gc?.();
  await delay(100);
  globalThis.gc?.();
  return process.memoryUsage.rss();
}
