import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtRepository, packing, runIn, workspace } from '../support/packed.js';
import { blockOf, commandsOf } from '../support/page-blocks.js';

/** How long installing takes depends on the machine and the registry. */
const PATIENCE_MS = 600_000;

/** As docs/getting-started.md says it: pnpm takes an archive only by its path. */
const byPnpm = (printed: string) =>
  printed
    .replace('npm install', 'npx --yes pnpm@10 add')
    .replace(/\$\((npm pack [^)]+)\)/, "$($1 | sed 's,^,./,')");

describe('the first program of the README', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'holdfast-first-program-'));
    await mkdir(join(folder, 'tmp'));
    await builtRepository(join(folder, 'built'));
    await mkdir(join(folder, 'own'));
    await symlink(workspace, join(folder, 'own', 'holdfast'));
  }, PATIENCE_MS);
  afterAll(() => rm(folder, { recursive: true }));

  it.each<[string, (printed: string) => string, string]>([
    ['by the two commands that are printed', (printed) => printed, 'own'],
    // The newest that runs on Node 20; no install script runs, as with npm 12, and a project sees what it names itself alone.
    ['installed by pnpm', byPnpm, 'built'],
  ])(
    '%s runs with an embedded PostgreSQL: one charge, one run of the handler',
    async (_how, by, repository) => {
      const empty = await mkdtemp(join(folder, repository, 'first-'));
      const heading = 'A first program';
      await writeFile(join(empty, 'first.mjs'), await blockOf('README.md', heading, 'js'));
      const [install = '', start = '', ...more] = await commandsOf('README.md', heading);
      expect(more).toEqual([]);
      const env = {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        TMPDIR: join(folder, 'tmp'),
        NO_COLOR: '1',
        npm_config_prefer_offline: 'true',
        npm_config_audit: 'false',
        npm_config_fund: 'false',
      };
      const installs = () => runIn(empty, 'bash', ['-c', by(install)], env);
      await (repository === 'own' ? packing(installs) : installs());
      const { stdout } = await runIn(empty, 'bash', ['-c', start], env);
      expect(stdout.match(/^A-1 is paid: ship it$/gm)).toHaveLength(1);
      expect(stdout).toContain('charges: 1,');
      expect(stdout).toContain("charged: '450.00',");
    },
    PATIENCE_MS,
  );
});
