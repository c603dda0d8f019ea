import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nameOf } from '../../tools/package/hosts.js';
import { makeHost } from '../../tools/package/make-host.js';
import { shortly, textOf } from '../../tools/package/rows.js';
import { tryRow } from '../../tools/package/trial.js';
import { createTestDatabase, query, type TestDatabase } from '../support/database.js';
import { packed, workspace as root } from '../support/packed.js';

/** How long installing takes depends on the machine and the registry. */
const PATIENCE_MS = 900_000;

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
});
