import { cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createTestDatabase } from '../support/database.js';
import { packing, runIn, workspace } from '../support/packed.js';
import { startShopBuiltIn } from '../support/shop-process.js';

const PATIENCE_MS = 600_000;
/** Installed or built, or somebody's own. */
const LEFT_OUT = new Set(['node_modules', 'dist', 'build', '.git', '.data', '.env']);

/** Nest's own command, as anybody who knows Nest types it. */
describe('npx nest build', () => {
  let copy: string;
  beforeAll(async () => {
    // Inside this folder, so that it has the same packages.
    await mkdir(join(workspace, '.data'), { recursive: true });
    copy = await mkdtemp(join(workspace, '.data', 'nest-build-'));
    const filter = (path: string) => !LEFT_OUT.has(basename(path));
    for (const name of (await readdir(workspace)).filter((entry) => !LEFT_OUT.has(entry)))
      await cp(join(workspace, name), join(copy, name), { recursive: true, filter });
  });
  afterAll(() => rm(copy, { recursive: true }));

  it(
    'builds what npm start runs: the same files, and a shop that starts from them',
    async () => {
      // A package that is being packed has files of its own for a while, which Nest would take for an installed one's.
      const nest = join(workspace, 'node_modules/.bin/nest');
      await packing(() => runIn(copy, nest, ['build']));
      const built = async (root: string) => {
        const names = await readdir(join(root, 'dist'), { recursive: true });
        return names.filter((name) => name.endsWith('.js')).toSorted();
      };
      expect(await built(copy)).toEqual(await built(workspace));

      const database = await createTestDatabase();
      try {
        const shop = await startShopBuiltIn(copy, { DATABASE_URL: database.url });
        expect((await fetch(shop.url)).status).toBe(200);
        expect(await shop.end('SIGTERM')).toBe(0);
      } finally {
        await database.drop();
      }
    },
    PATIENCE_MS,
  );
});
