/**
 * `npm run soak`: shops under a random but seeded load and under faults of everything around them, and an audit of the results.
 */
import { runCommand } from '../common/command.js';
import { runToVerdict } from '../common/run.js';
import { runBroken } from './broken/run-broken.js';
import { parseFlags, usage, type SoakFlags } from './flags.js';
import { soak } from './soak.js';

function run(flags: SoakFlags): Promise<number> {
  const { seed, replicas, broken } = flags;
  if (broken !== null)
    return runToVerdict({
      name: `soak without ${broken.id}`,
      work: async (cleanUp, signal) => ({
        faults: await runBroken(broken, withoutBroken(process.argv.slice(2)), cleanUp, signal),
        verdict: 'found',
      }),
    });
  console.log(
    `seed ${seed}: ${replicas} replicas, ${goalOf(flags)}, receipts ${flags.receipts} the money, ${skewOf(flags)}; --seed ${seed} decides the same again`,
  );
  return runToVerdict({
    name: 'soak',
    again: `, seed ${seed}`,
    work: async (cleanUp, signal) => {
      const { length } = await soak(flags, cleanUp, signal);
      return { faults: length > 0 ? [`${length} findings`] : [] };
    },
  });
}

/** The arguments of the run in the copy. */
function withoutBroken(args: readonly string[]): string[] {
  return args.filter((arg, index) => !arg.startsWith('--broken') && args[index - 1] !== '--broken');
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

// Not by `exitCode`: with the dead primaries of failovers, Node 20.20 was seen to spin for ever while it closed what was left open.
process.exit(await runCommand({ usage, parse: parseFlags, run }));
