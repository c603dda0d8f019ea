import { spawn } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Guard } from './guard.js';
import { brokenSource, fileOf } from './places.js';
import { titlePattern } from './title.js';

/** A spec takes seconds, on a busy machine a minute. */
const LONGEST_MS = 300_000;
/** Code that PostgreSQL or Node does not understand breaks everything, and proves nothing. */
const NO_CODE =
  /syntax error at or near|column \S+ does not exist|missing FROM-clause|could not determine data type|bind message supplies|SyntaxError|ReferenceError/;

export interface Result {
  readonly guard: Guard;
  /** `void`: nothing was proven, since the test did not run, or not the broken code. */
  readonly end: 'killed' | 'survived' | 'void';
  /** The test that failed, or why nothing was proven. */
  readonly by: string;
  readonly seconds: number;
}

/** What jest writes of a run. */
interface Report {
  readonly numFailedTests: number;
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly title: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** Breaks the guard in a copy, runs its test there, and mends it again. */
export async function tryWithout(guard: Guard, copy: string, signal: AbortSignal): Promise<Result> {
  const startedAt = performance.now();
  const path = fileOf(copy, guard);
  const source = await readFile(path, 'utf8');
  await writeFile(path, brokenSource(source, guard));
  try {
    const judged = judge(await run(guard, copy, signal));
    return { guard, ...judged, seconds: Math.round((performance.now() - startedAt) / 1_000) };
  } finally {
    await writeFile(path, source);
  }
}

/** The report, and all that was printed. */
async function run(
  { spec, test, schedule }: Guard,
  copy: string,
  signal: AbortSignal,
): Promise<{ readonly report: Report | null; readonly printed: string }> {
  const file = join(copy, 'guard.json');
  await rm(file, { force: true });
  const title = test === undefined ? [] : ['--testNamePattern', titlePattern(test)];
  const jest = spawn(
    process.execPath,
    [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      'node_modules/jest/bin/jest.js',
      '--config=jest.guards.config.js',
      // What a failed test has left open must not keep it.
      '--forceExit',
      '--json',
      `--outputFile=${file}`,
      ...title,
      '--runTestsByPath',
      spec,
    ],
    {
      cwd: copy,
      env: { ...process.env, ...(schedule !== undefined && { SCHEDULE: schedule }) },
      stdio: ['ignore', 'pipe', 'pipe'],
      signal: AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]),
    },
  );
  let printed = '';
  for (const stream of [jest.stdout, jest.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
  await new Promise<void>((resolve) => {
    jest.once('error', () => resolve());
    jest.once('close', () => resolve());
  });
  signal.throwIfAborted();
  const text = await readFile(file, 'utf8').catch(() => null);
  const report: Report | null = text === null ? null : JSON.parse(text);
  return { report, printed };
}

function judge({ report, printed }: { report: Report | null; printed: string }): Pick<Result, 'end' | 'by'> {
  if (report === null) return { end: 'void', by: 'the test had no end' };
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = tests.find(({ status }) => status === 'failed');
  const said = `${printed}${failed?.failureMessages.join('\n')}`;
  const [misread] = NO_CODE.exec(said) ?? [];
  if (misread !== undefined) return { end: 'void', by: `its broken form is no code (${misread})` };
  if (failed) return { end: 'killed', by: failed.title };
  if (report.numPassedTests > 0) return { end: 'survived', by: '' };
  const [why = 'no test ran'] = report.testResults.map(({ message }) => message.trim().split('\n')[0]);
  return { end: 'void', by: why || 'no test ran' };
}
