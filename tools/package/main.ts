/** `npm run test:package`: tries the packed packages in hosts of every kind, and prints the table of them. */
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CleanUp } from '../../examples/shared/clean-up.js';
import { packages } from '../api/entries.js';
import { reasonOf, runCommand } from '../common/command.js';
import { printTable } from '../common/print.js';
import { orAborted, runToVerdict } from '../common/run.js';
import { parseFlags, usage, type PackageFlags } from './flags.js';
import { nameOf } from './hosts.js';
import { makeHost } from './make-host.js';
import { rows, textOf, type Row } from './rows.js';
import { run as runProgram } from './run.js';
import { Stages } from './stages.js';
import { tryRow } from './trial.js';
import { cellsOf, headings } from './versions.js';

/** This file is `dist/tools/package/main.js` of it. */
const root = fileURLToPath(new URL('../../../', import.meta.url));

async function run({ list, only }: PackageFlags): Promise<number> {
  const chosen = rows.filter((row) => only === null || only.test(textOf(row)));
  if (chosen.length === 0) throw new Error('There is no such row: see --list');
  if (list) {
    console.log(chosen.map(textOf).join('\n'));
    return 0;
  }
  return runToVerdict({
    name: 'hosts',
    work: (cleanUp, signal) => orAborted(tryAll(chosen, cleanUp, signal), signal),
  });
}

async function tryAll(chosen: readonly Row[], cleanUp: CleanUp, signal: AbortSignal) {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-hosts-'));
  cleanUp.add(() => rm(folder, { recursive: true, force: true }));
  // Root runs PostgreSQL as another user, and PostgreSQL 15 does not start where that user cannot return to by path.
  await chmod(folder, 0o755);
  const archives = await pack(folder);
  const stages = new Stages(folder, cleanUp);
  const applications = new Map<string, Promise<string>>();
  const table: string[][] = [];
  const faults: string[] = [];
  for (const row of chosen) {
    signal.throwIfAborted();
    const startedAt = performance.now();
    const name = nameOf(row);
    const made = applications.get(name) ?? makeHost(join(folder, name), { root, archives }, row);
    applications.set(name, made);
    let cells: string[] = [textOf(row), ...headings.slice(1).map(() => '')];
    let result = 'ok';
    try {
      const [application, stage] = [await made, await stages.of(row)];
      cells = await cellsOf(application, row, stage);
      await tryRow(root, application, row, stage);
    } catch (error) {
      result = 'FAILED';
      faults.push(`${textOf(row)}: ${reasonOf(error)}`);
    }
    const seconds = String(Math.round((performance.now() - startedAt) / 1_000));
    table.push([...cells, result, seconds]);
    console.error(`  ${table.length} of ${chosen.length}: ${textOf(row)} ${result}`);
  }
  printTable([...headings, 'result', 's'], table);
  return { faults, verdict: `all ${table.length} ran`, failure: `${faults.length} failed` };
}

async function pack(folder: string): Promise<readonly string[]> {
  const workspaces = packages.flatMap((name) => ['-w', `@holdfast/${name}`]);
  await runProgram(root, 'npm', ['pack', '--silent', ...workspaces, '--pack-destination', folder]);
  return (await readdir(folder)).filter((file) => file.endsWith('.tgz')).map((file) => join(folder, file));
}

process.exitCode = await runCommand({ usage, parse: parseFlags, run });
