import { CleanUp } from '../../examples/shared/clean-up.js';
import { reasonOf } from './command.js';
import { styled } from './print.js';

interface Outcome {
  /** Empty: the run was good. */
  readonly faults: readonly string[];
  /** The text of the last line in that case, in place of `ok`. */
  readonly verdict?: string;
  /** In the other case, in place of `FAILED`. */
  readonly failure?: string;
}

interface Run {
  readonly name: string;
  /** Follows `FAILED` in the last line. */
  readonly again?: string;
  /** Ends soon after the signal is aborted. Whatever it starts, it adds to the clean-up. */
  readonly work: (cleanUp: CleanUp, signal: AbortSignal) => Promise<Outcome>;
}

/**
 * Does the work, undoes what it started, however it ends, and prints the verdict as the last line. Resolves to the exit
 * code: 0 for a good run, 1 for a failed one, 130 for one that was interrupted.
 */
export async function runToVerdict({ name, again = '', work }: Run): Promise<number> {
  const stop = new AbortController();
  const interrupted = new Error('interrupted');
  // Not once: npm passes on a Ctrl-C that the terminal has sent already, and the second must not end the clean-up.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort(interrupted));
  process.on('uncaughtException', (error) => stop.abort(error));

  const cleanUp = new CleanUp();
  const faults: unknown[] = [];
  let verdict = 'ok';
  let failure = `FAILED${again}`;
  try {
    const outcome = await work(cleanUp, stop.signal);
    faults.push(...outcome.faults);
    verdict = outcome.verdict ?? verdict;
    failure = outcome.failure ?? failure;
  } catch (error) {
    if (!stop.signal.aborted) faults.push(error);
  }
  faults.push(...(await cleanUp.run()));

  if (stop.signal.reason === interrupted) {
    console.log(`\n${name}: interrupted`);
    return 130;
  }
  if (stop.signal.aborted) faults.push(stop.signal.reason);
  if (faults.length === 0) {
    console.log(`\n${styled('green', `${name}: ${verdict}`)}`);
    return 0;
  }
  console.log(`\n${faults.map(faultText).join('\n')}\n\n${styled('red', `${name}: ${failure}`)}`);
  return 1;
}

/** Rejects as soon as the signal is aborted, whatever happens to the work. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return Promise.race([
    work,
    new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    }),
  ]);
}

/** The reason, and below it the origin of an error. */
function faultText(fault: unknown): string {
  const frames = fault instanceof Error ? /\n\s+at [^]*$/.exec(fault.stack ?? '')?.[0] : undefined;
  return `  ${reasonOf(fault)}${frames === undefined ? '' : styled('gray', frames)}`;
}
