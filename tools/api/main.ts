/** `npm run api`: writes what each entry of the packages exports into `etc`; with `--check` it compares only. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runCommand } from '../common/command.js';
import { entriesOf, packages } from './entries.js';
import { compareReport, reportNameOf } from './report.js';

/** This file is `dist/tools/api/main.js` of it. */
const root = fileURLToPath(new URL('../../../', import.meta.url));

const usage = `Usage: npm run api -- [flags]
  --check    compares with the reports in etc/, writes nothing, and ends with 1 where one differs
  --help     prints this
Writes the names and signatures that each entry of the packages exports into etc/.`;

function parseFlags(args: readonly string[]): { check: boolean } {
  const { values } = parseArgs({ args: [...args], options: { check: { type: 'boolean', default: false } } });
  return { check: values.check };
}

async function run({ check }: { check: boolean }): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-api-'));
  try {
    const differing: string[] = [];
    const reports = new Set<string>();
    for (const name of packages)
      for (const entry of await entriesOf(root, name)) {
        const file = `${reportNameOf(name, entry)}.public.api.md`;
        reports.add(file);
        if (compareReport(root, name, entry, { write: !check, folder })) differing.push(file);
      }
    const left = (await readdir(join(root, 'etc'))).filter((file) => !reports.has(file));
    if (!check) await Promise.all(left.map((file) => rm(join(root, 'etc', file))));
    for (const file of differing) console.log(`etc/${file} ${check ? 'differs: run npm run api' : 'is new'}`);
    for (const file of left)
      console.log(`etc/${file} ${check ? 'has no entry: run npm run api' : 'is gone'}`);
    console.log(`${reports.size} entries, ${differing.length + left.length} changed`);
    return check && differing.length + left.length > 0 ? 1 : 0;
  } finally {
    await rm(folder, { recursive: true });
  }
}

process.exitCode = await runCommand({ usage, parse: parseFlags, run });
