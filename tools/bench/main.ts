/** `npm run bench`: Holdfast beside what one would write by hand and what others have written, on one server. */
import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { CleanUp } from '../../examples/shared/clean-up.js';
import { runCommand } from '../common/command.js';
import { markdownTable, printHeading, printTable, styled } from '../common/print.js';
import { orAborted, runToVerdict } from '../common/run.js';
import type { Bench, MoreRows } from './bench.js';
import { benches } from './benches.js';
import { installRivals } from './contenders/rivals.js';
import { median, ratioOf, verdictOf, type Figure } from './figures.js';
import { parseFlags, usage, type BenchFlags } from './flags.js';
import { Server } from './stage/server.js';
import { Stage } from './stage/stage.js';
import { headings, tableRows } from './table.js';

async function run(flags: BenchFlags | 'list'): Promise<number> {
  if (flags === 'list') {
    console.log(benches.map(({ name, what }) => `${name.padEnd(12)}${what}`).join('\n'));
    return 0;
  }
  return runToVerdict({
    name: 'bench',
    work: async (cleanUp, signal) => ({
      faults: [],
      verdict: await orAborted(runAll(flags, cleanUp), signal),
    }),
  });
}

interface Measured {
  readonly figures: readonly Figure[];
  readonly more: readonly MoreRows[];
}

interface Result extends Measured {
  readonly bench: string;
  readonly seconds: number;
}

/** Resolves to the verdict. */
async function runAll(flags: BenchFlags, cleanUp: CleanUp): Promise<string> {
  const chosen = benches.filter(({ name }) => flags.names.length === 0 || flags.names.includes(name));
  if (chosen.some(({ hasRivals }) => hasRivals)) await installRivals();
  const server = await Server.start(cleanUp);
  const [cpu] = cpus();
  const machine = `${availableParallelism()} cores (${cpu?.model.trim() ?? 'unknown'}), Node ${process.version}, ${await server.describe()}`;
  console.log(`${machine}; ${flags.effort} run of ${new Date().toISOString()}`);
  const results: Result[] = [];
  for (const bench of chosen) {
    const startedAt = performance.now();
    const measured = await runOne(bench, server, flags, cleanUp);
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    results.push({ bench: bench.name, seconds, ...measured });
    show(bench, measured, flags.markdown);
  }
  if (flags.json !== null)
    await writeFile(
      flags.json,
      `${JSON.stringify({ machine, effort: flags.effort, at: new Date(), results: results.map(judged) }, null, 2)}\n`,
    );
  const judgements = results.flatMap(({ figures }) =>
    figures.flatMap((figure) => verdict(figure, figures) ?? []),
  );
  const missed = judgements.filter((word) => word === 'missed').length;
  const rough = flags.effort === 'full' ? '' : `; the figures of a ${flags.effort} run are rough`;
  return `${judgements.length - missed} of ${judgements.length} bars met${rough}`;
}

async function runOne(bench: Bench, server: Server, flags: BenchFlags, whole: CleanUp): Promise<Measured> {
  const cleanUp = new CleanUp();
  // An interruption stops the bench where it is, and the clean-up undoes what the run has made.
  whole.add(async () => {
    const [failure] = await cleanUp.run();
    if (failure !== undefined) throw failure;
  });
  const more: MoreRows[] = [];
  const stage = new Stage(
    server,
    cleanUp,
    flags,
    (line) => console.error(`  ${bench.name}, ${line} …`),
    (rows) => more.push(rows),
  );
  const figures = await bench.run(stage);
  const [failure] = await cleanUp.run();
  if (failure !== undefined) throw failure;
  return { figures, more };
}

function show(bench: Bench, { figures, more }: Measured, asMarkdown: boolean): void {
  const rows = tableRows(figures);
  if (asMarkdown) {
    const notes = bench.notes.map((note) => `- ${note}`);
    const tables = more.flatMap((one) => ['', `${one.what}:`, '', markdownTable(one.headings, one.rows)]);
    console.log(
      [
        '',
        `### ${bench.name}: ${bench.what}`,
        '',
        markdownTable(headings, rows),
        ...tables,
        '',
        ...notes,
      ].join('\n'),
    );
    return;
  }
  printHeading(`${bench.name}: ${bench.what}`);
  printTable(headings, rows);
  for (const one of more) {
    printHeading(`${bench.name}: ${one.what}`);
    printTable(one.headings, one.rows);
  }
  for (const note of bench.notes) console.log(styled('gray', `  ${note}`));
}

function judged({ bench, seconds, figures, more }: Result) {
  return {
    bench,
    seconds,
    more,
    figures: figures.map((figure) => ({
      ...figure,
      median: median(figure.rounds),
      ratio: ratioOf(figure, figures),
      verdict: verdict(figure, figures),
    })),
  };
}

function verdict(figure: Figure, all: readonly Figure[]) {
  const { bar, rounds } = figure;
  const value = bar?.of === 'value' ? median(rounds) : ratioOf(figure, all);
  return bar && value !== null ? verdictOf(bar, value) : null;
}

const names = benches.map(({ name }) => name);

process.exitCode = await runCommand({ usage, parse: (args) => parseFlags(args, names), run });
