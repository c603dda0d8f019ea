import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entriesOf } from '../../tools/api/entries.js';
import { nameOf } from '../../tools/package/hosts.js';
import { makeHost } from '../../tools/package/make-host.js';
import { shortly, textOf } from '../../tools/package/rows.js';
import { tryRow } from '../../tools/package/trial.js';
import { createTestDatabase, query, type TestDatabase } from '../support/database.js';
import { packed, runIn, workspace as root } from '../support/packed.js';

/** How long installing takes depends on the machine and the registry. */
const PATIENCE_MS = 900_000;

/** What the application's own compiler says of the packages; what it says of those of others is theirs. */
async function declarationFaults(application: string, entries: readonly string[]): Promise<string[]> {
  const specifiers = entries.map((entry) =>
    entry === 'index' ? '@holdfast/payments' : `@holdfast/payments/${entry}`,
  );
  const text = [...specifiers, '@holdfast/sandbox'].map(
    (name, index) => `export * as e${index} from '${name}';`,
  );
  await writeFile(join(application, 'every-entry.ts'), text.join('\n'));
  const compilerOptions = { skipLibCheck: false, noEmit: true, incremental: false };
  const config = { extends: './tsconfig.json', compilerOptions, include: [], files: ['every-entry.ts'] };
  await writeFile(join(application, 'tsconfig.entries.json'), JSON.stringify(config));
  const compiled = runIn(application, 'npx', [
    '--no',
    'tsc',
    '-p',
    'tsconfig.entries.json',
    '--pretty',
    'false',
  ]);
  const said = await compiled.then(
    ({ stdout }) => stdout,
    (error: unknown) => String(error),
  );
  // One without a file ends the compiler before it looks at any.
  return said.split('\n').filter((line) => /^error TS|(holdfast|every-entry).*error TS/.test(line));
}

/** The first rows of `npm run test:package`, which has many more. */
describe('an application as a scaffold makes it', () => {
  let folder: string;
  let archives: readonly string[];
  let database: TestDatabase;
  const applications = new Map<string, Promise<string>>();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'holdfast-hosts-'));
    const { payments, sandbox } = await packed(folder);
    archives = [payments, sandbox].map((name) => join(folder, name));
  }, PATIENCE_MS);
  beforeEach(async () => {
    database = await createTestDatabase();
    await query(database.url, 'CREATE SCHEMA billing');
  });
  afterEach(() => database.drop());
  afterAll(() => rm(folder, { recursive: true }));

  it.each(shortly.map((row) => [textOf(row), row] as const))(
    '%s takes a payment',
    async (_text, row) => {
      const name = nameOf(row);
      const made = applications.get(name) ?? makeHost(join(folder, name), { root, archives }, row);
      applications.set(name, made);
      const stage = { databaseUrl: database.url, nodeFolder: null };
      await expect(tryRow(root, await made, row, stage)).resolves.toBeUndefined();
    },
    PATIENCE_MS,
  );

  it.each(shortly.filter(({ build }) => build === 'none').map((row) => [nameOf(row), row] as const))(
    '%s finds no fault in the declarations of any entry, where it checks those of its packages',
    async (name, row) => {
      const application = await (applications.get(name) ??
        makeHost(join(folder, name), { root, archives }, row));
      expect(await declarationFaults(application, await entriesOf(root, 'payments'))).toEqual([]);
    },
    PATIENCE_MS,
  );
});
