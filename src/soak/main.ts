/** `npm run soak`: shops under a random but seeded load, everything around them failing, and an audit of what became of it. */
import { CleanUp } from '../clean-up.js';
import { styled } from '../demo/print.js';
import { parseFlags, usage, type SoakFlags } from './flags.js';
import { soak } from './soak.js';

/** Answers with the exit code; its last line is the verdict. */
async function main(args: readonly string[]): Promise<number> {
  const flags = readFlags(args);
  if (flags === null) return 2;
  if (flags === 'help') {
    console.log(usage);
    return 0;
  }
  console.log(
    `seed ${flags.seed}: ${flags.replicas} replicas, ${goalOf(flags)}, ${skewOf(flags)}; --seed ${flags.seed} decides the same again`,
  );

  const stop = new AbortController();
  const interrupted = new Error('interrupted');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort(interrupted));
  process.on('uncaughtException', (error) => stop.abort(error));

  const cleanUp = new CleanUp();
  const faults: unknown[] = [];
  try {
    const findings = await soak(flags, cleanUp, stop.signal);
    if (findings.length > 0) faults.push(`${findings.length} findings`);
  } catch (error) {
    if (error !== interrupted) faults.push(error);
  }
  faults.push(...(await cleanUp.run()));

  if (stop.signal.reason === interrupted) {
    console.log('\nsoak: interrupted');
    return 130;
  }
  if (faults.length === 0) {
    console.log(`\n${styled('green', 'soak: ok')}`);
    return 0;
  }
  console.log('', ...faults);
  console.log(`\n${styled('red', `soak: FAILED, seed ${flags.seed}`)}`);
  return 1;
}

function goalOf({ goal }: SoakFlags): string {
  return goal.kind === 'minutes' ? `${goal.minutes} minutes` : `${goal.kills} kills, each right after a 200`;
}

function skewOf({ skewMs }: SoakFlags): string {
  const minutes = Math.abs(skewMs / 60_000);
  return minutes === 0
    ? "the database's clock as the service's"
    : `the database's clock ${minutes} minutes ${skewMs > 0 ? 'ahead of' : 'behind'} the service's`;
}

/** `null` where a flag is wrong, which has been told. */
function readFlags(args: readonly string[]): SoakFlags | 'help' | null {
  try {
    return parseFlags(args);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    return null;
  }
}

process.exitCode = await main(process.argv.slice(2));
