/**
 * Starts one PostgreSQL for the run, migrates the template that createTestDatabase() clones, makes the roles its hosts run under,
 * and unpacks the browser.
 */
import { randomBytes } from 'node:crypto';
import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mustBeBuilt } from './build.js';
import { unpackedChromium } from './chromium.js';

const compiled = new URL('../../dist/', import.meta.url);
const load = (name) => import(new URL(name, compiled).href);

const MEMORY = '/dev/shm';
const ROOM_BYTES = 4 * 2 ** 30;

/**
 * In memory, where there is room: the run makes and drops databases of 300 files each all the time, which is a sixth of its cost on
 * some file systems.
 */
function roomyFolder() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize < ROOM_BYTES ? tmpdir() : MEMORY;
  } catch {
    return tmpdir();
  }
}

/** `roots`: of the project; whoever starts the server alone has none, and opens no browser. */
export default async function globalSetup({ watch, watchAll }, { roots } = { roots: [] }) {
  // Who watches has changed the sources and will again.
  if (!watch && !watchAll) mustBeBuilt();
  const chromium = roots.some((root) => root.endsWith('/test/deep')) ? await unpackedChromium() : null;
  if (chromium !== null) process.env.TEST_CHROMIUM = chromium;
  const { openPostgres } = await load('examples/shared/database/postgres.js');
  const { createTemplate, discardServer } = await import('./test-server.js');

  const dataDir = join(roomyFolder(), `holdfast-test-${process.pid}`);
  const postgres = await openPostgres({ dataDir, durable: false });
  const template = `holdfast_test_${randomBytes(4).toString('hex')}`;
  const archives = join(tmpdir(), `${template}-archives`);
  const server = { postgres, dataDir, template, archives };
  try {
    const { dataSourceOptions } = await load('src/database/data-source-options.js');
    const { openMigrated } = await load('examples/shared/database/migrate.js');
    const { paymentsGrants } = await load('libs/payments/src/index.js');
    await createTemplate(server, async (url, roles) => {
      const dataSource = await openMigrated(dataSourceOptions(url));
      await dataSource.query(paymentsGrants(roles));
      // What a test makes beside the module's tables stands for the host's own.
      await dataSource.query(
        `ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT ALL ON TABLES TO ${roles.role}`,
      );
      await dataSource.destroy();
    });
  } catch (error) {
    await discardServer(server);
    throw error;
  }
  process.env.TEST_SERVER_URL = postgres.adminUrl;
  process.env.TEST_TEMPLATE = template;
  process.env.TEST_ARCHIVES = archives;
  globalThis.testServer = server;
}
