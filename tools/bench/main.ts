/** `npm run bench`: Holdfast beside what one would write by hand and what others have written, on one server. */
import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';

import { CleanUp } from '../../src/clean-up.js';
import { printHeading, printTable, styled } from '../../src/demo/print.js';
import { benches } from './benches.js';
import type { Bench } from './bench.js';
import { median, ratioOf, verdictOf, type Figure } from './figures.js';
import { parseFlags, usage, type BenchFlags } from './flags.js';
import { installRivals } from './contenders/rivals.js';
import { Server } from './stage/server.js';
import { Stage } from './stage/stage.js';
import { headings, markdownTable, tableRows } from './table.js';

const interrupted = new Error('interrupted');

/** Answers with the exit code; its last line is the verdict. */
async function main(args: readonly string[]): Promise<number> {
  const flags = readFlags(args);
  if (flags === null) return 2;
  if (typeof flags === 'string') {
    const list = benches.map(({ name, what }) => `${name.padEnd(12)}${what}`);
    console.log(flags === 'help' ? usage : list.join('\n'));
    return 0;
  }
  const interruption = new Promise<never>((_resolve, reject) => {
    // Not once: npm passes a Ctrl-C on that the terminal has sent already, and the second must not end the clean-up.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => reject(interrupted));
  });
  const cleanUp = new CleanUp();
  const faults: unknown[] = [];
  try {
    await Promise.race([runAll(flags, cleanUp), interruption]);
  } catch (error) {
    faults.push(error);
  }
  faults.push(...(await cleanUp.run()));
  if (faults.includes(interrupted)) {
    console.log('\nbench: interrupted');
    return 130;
  }
  if (faults.length === 0) return 0;
  console.log('', ...faults);
  console.log(`\n${styled('red', 'bench: FAILED')}`);
  return 1;
}

async function runAll(flags: BenchFlags, cleanUp: CleanUp): Promise<void> {
  const chosen = benches.filter(({ name }) => flags.names.length === 0 || flags.names.includes(name));
  if (chosen.some(({ hasRivals }) => hasRivals)) await installRivals();
  const server = await Server.start(cleanUp);
  const [cpu] = cpus();
  const machine = `${availableParallelism()} cores (${cpu?.model.trim() ?? 'unknown'}), Node ${process.version}, ${await server.describe()}`;
  console.log(`${machine}; ${flags.effort} run of ${new Date().toISOString()}`);
  const results: { bench: string; seconds: number; figures: readonly Figure[] }[] = [];
  for (const bench of chosen) {
    const startedAt = performance.now();
    const figures = await runOne(bench, server, flags, cleanUp);
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    results.push({ bench: bench.name, seconds, figures });
    show(bench, figures, flags.markdown);
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
  console.log(
    `\nbench: ${judgements.length - missed} of ${judgements.length} bars met` +
      (flags.effort === 'full' ? '' : `; the figures of a ${flags.effort} run are rough`),
  );
}

async function runOne(
  bench: Bench,
  server: Server,
  flags: BenchFlags,
  whole: CleanUp,
): Promise<readonly Figure[]> {
  const cleanUp = new CleanUp();
  // An interruption leaves the bench where it is, and the whole run undoes what it has made.
  whole.add(async () => {
    const [failure] = await cleanUp.run();
    if (failure !== undefined) throw failure;
  });
  const stage = new Stage(server, cleanUp, flags.effort, (line) =>
    console.error(`  ${bench.name}, ${line} …`),
  );
  const figures = await bench.run(stage);
  const [failure] = await cleanUp.run();
  if (failure !== undefined) throw failure;
  return figures;
}

function show(bench: Bench, figures: readonly Figure[], asMarkdown: boolean): void {
  const rows = tableRows(figures);
  if (asMarkdown) {
    const notes = bench.notes.map((note) => `- ${note}`);
    console.log(['', `### ${bench.name}: ${bench.what}`, '', markdownTable(rows), '', ...notes].join('\n'));
    return;
  }
  printHeading(`${bench.name}: ${bench.what}`);
  printTable(headings, rows);
  for (const note of bench.notes) console.log(styled('gray', `  ${note}`));
}

function judged({ bench, seconds, figures }: { bench: string; seconds: number; figures: readonly Figure[] }) {
  return {
    bench,
    seconds,
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

/** `null` where a flag is wrong, which has been reported. */
function readFlags(args: readonly string[]): BenchFlags | 'help' | 'list' | null {
  try {
    return parseFlags(
      args,
      benches.map(({ name }) => name),
    );
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    return null;
  }
}

process.exitCode = await main(process.argv.slice(2));
