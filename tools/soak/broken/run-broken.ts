import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { CleanUp } from '../../../examples/shared/clean-up.js';
import { copyOf } from '../../guards/copy.js';
import { brokenSource, fileOf } from '../../guards/places.js';
import type { BrokenLine } from './broken-lines.js';

/** This file is `dist/tools/soak/broken/run-broken.js` of it. */
const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** Without declarations, which cannot name types of packages that are not below the copy. */
const BUILD = [['tsc', '--declaration', 'false', '--declarationMap', 'false'], ['tsc-alias']] as const;

/** Runs the soak in a copy of this checkout in which the line is broken. Returns why nothing was proven: empty if it was found. */
export async function runBroken(
  line: BrokenLine,
  args: readonly string[],
  cleanUp: CleanUp,
  signal: AbortSignal,
): Promise<string[]> {
  const copy = await copyOf(root, cleanUp);
  const path = fileOf(copy, line);
  await writeFile(path, brokenSource(await readFile(path, 'utf8'), line));
  // It is a link to what is compiled here.
  await rm(join(copy, 'dist'));
  for (const step of BUILD) {
    const { exitCode } = await run(['npx', ...step, '-p', 'tsconfig.build.json'], copy, signal);
    if (exitCode !== 0) return ['The broken copy does not compile.'];
  }
  const { lines, exitCode } = await run([process.execPath, 'dist/tools/soak/main.js', ...args], copy, signal);
  if (exitCode === 1 && lines.some((text) => line.finding.test(text))) return [];
  return [`The soak has not found that ${line.id} is broken: no finding matches ${line.finding}.`];
}

async function run(
  [command = '', ...args]: readonly string[],
  cwd: string,
  signal: AbortSignal,
): Promise<{ readonly lines: readonly string[]; readonly exitCode: number | null }> {
  const lines: string[] = [];
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  // It ends what it has started itself.
  signal.addEventListener('abort', () => child.kill('SIGINT'), { once: true });
  createInterface({ input: child.stdout }).on('line', (text) => {
    lines.push(text);
    console.log(text);
  });
  await once(child, 'close');
  return { lines, exitCode: child.exitCode };
}
