import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../examples/shared/config/port.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { startShopProcess } from '../support/shop-process.js';
import { valueOf } from '../telemetry/monitor.js';

describe('the example shop with METRICS_PORT', () => {
  let database: TestDatabase;
  let folder: string;
  beforeAll(async () => {
    database = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'shop-metrics-'));
  });
  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });
  const start = (port: number) =>
    startShopProcess({ DATABASE_URL: database.url, METRICS_PORT: String(port) }, folder);

  it('shows its metrics in Prometheus’s format there, and none of them to its buyers', async () => {
    const port = await freePort();
    const shop = await start(port);
    const metrics = `http://127.0.0.1:${port}/metrics`;
    try {
      const answer = await fetch(metrics);
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
      const scraped = await answer.text();
      expect(valueOf(scraped, 'holdfast_figures_age_seconds')).toBeLessThan(60);
      expect(valueOf(scraped, 'holdfast_conditions', { condition: 'payments_stuck' })).toBe(0);
      await eventually(
        async () => shop.said,
        (said) => said.includes(`Metrics:  ${metrics}`),
      );
      expect((await fetch(`${shop.url}/metrics`)).status).toBe(404);
    } finally {
      expect(await shop.end('SIGTERM')).toBe(0);
    }
    await expect(fetch(metrics)).rejects.toThrow('fetch failed');
  });

  it('does not start on a port that another program has, and names the setting', async () => {
    const port = await freePort();
    const other = createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');
    await expect(start(port)).rejects.toThrow(
      `Port ${port} is in use. Stop the program that has it, or set another METRICS_PORT.`,
    );
    other.close();
  });
});
