/** `npm run guards`: breaks each line on which a guarantee rests, and shows that a test fails for it. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { CleanUp } from '../../examples/shared/clean-up.js';
import { runCommand } from '../common/command.js';
import { printTable } from '../common/print.js';
import { orAborted, runToVerdict } from '../common/run.js';
import { copyOf } from './copy.js';
import { parseFlags, usage, type GuardsFlags } from './flags.js';
import type { Guard } from './guard.js';
import { guards } from './guards.js';
import { faultOf } from './places.js';
import { startServer } from './server.js';
import { indexBy, membersOf, type Share } from './share.js';
import { tryWithout, type Result } from './trial.js';

/** This file is `dist/tools/guards/main.js` of it. */
const root = fileURLToPath(new URL('../../../', import.meta.url));
/** Each with a copy of its own. */
const AT_ONCE = 2;

async function run(flags: GuardsFlags): Promise<number> {
  const chosen = await choose(flags);
  if (flags.list) {
    printTable(
      ['guard', 'of', 'keeps'],
      chosen.map(({ id, guarantee, keeps }) => [id, guarantee, keeps]),
    );
    return 0;
  }
  return runToVerdict({
    name: 'guards',
    work: (cleanUp, signal) => orAborted(tryAll(chosen, cleanUp, signal), signal),
  });
}

/** @throws Error if there is none, or one of them cannot be broken */
async function choose({ only, share }: GuardsFlags): Promise<readonly Guard[]> {
  const named = guards.filter(({ id, file }) => only === null || only.test(id) || only.test(file));
  const chosen = share === null ? named : membersOf(named, await numbered(share));
  if (chosen.length === 0) throw new Error('There is no such guard: see --list');
  const faults = (await Promise.all(chosen.map((guard) => faultOf(root, guard)))).filter(
    (fault) => fault !== null,
  );
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return chosen;
}

async function numbered({ index, of }: Share): Promise<{ index: number; of: number }> {
  if (index !== 'commit') return { index, of };
  const { stdout } = await promisify(execFile)('git', ['rev-parse', 'HEAD'], { cwd: root });
  return { index: indexBy(stdout, of), of };
}

async function tryAll(chosen: readonly Guard[], cleanUp: CleanUp, signal: AbortSignal) {
  const startedAt = performance.now();
  await startServer(root, cleanUp);
  const left = [...chosen];
  const results: Result[] = [];
  const work = async (copy: string) => {
    for (let guard = left.shift(); guard; guard = left.shift()) {
      const result = await tryWithout(guard, copy, signal);
      results.push(result);
      console.error(`  ${results.length} of ${chosen.length}: ${guard.id} ${result.end}`);
    }
  };
  const copies = Array.from({ length: Math.min(AT_ONCE, chosen.length) }, () => copyOf(root, cleanUp));
  await Promise.all((await Promise.all(copies)).map(work));
  show(results.toSorted((a, b) => chosen.indexOf(a.guard) - chosen.indexOf(b.guard)));
  console.log(`\n  ${Math.round((performance.now() - startedAt) / 1_000)} s`);
  return outcomeOf(results);
}

function show(results: readonly Result[]): void {
  printTable(
    ['guard', 'of', 'end', 's', 'by'],
    results.map(({ guard, end, seconds, by }) => [guard.id, guard.guarantee, end, String(seconds), by]),
  );
}

function outcomeOf(results: readonly Result[]) {
  const unproven = results.filter(({ end }) => end !== 'killed');
  const faults = unproven.map(({ guard, end, by }) =>
    end === 'survived' ? `${guard.id} survived: ${guard.keeps}` : `${guard.id} proved nothing: ${by}`,
  );
  return { faults, verdict: `all ${results.length} killed`, failure: `${faults.length} survived` };
}

process.exitCode = await runCommand({ usage, parse: parseFlags, run });
