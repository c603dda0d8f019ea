import { DataSource } from 'typeorm';
import { eventually } from '../support/eventually.js';
import { startTlsProxy, type TlsProxy } from '../support/tls-proxy.js';
import { openWatchedShop, type WatchedShop } from '../support/watched-shop.js';
import { valueOf } from '../telemetry/monitor.js';
import { prometheusName } from '../telemetry/prometheus-names.js';
import type { Fault } from './faulty-runs/fault.js';
import { faults } from './faulty-runs/faults.js';

/** As the one who looks writes it: `…` stands for anything. */
const patternOf = (text: string): RegExp =>
  new RegExp(
    text
      .split(/\s*…\s*/)
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*'),
    's',
  );

const well: Fault = {
  name: 'nothing',
  setting: {},
  bring: async () => {},
  shows: { log: null, health: null, board: null, metric: null, alerts: [], doctor: null },
};

// Which alerts fire is in alerts.spec.ts.
describe.each([well, ...faults])('where this is wrong: $name,', (fault) => {
  const { shows } = fault;
  let shop: WatchedShop;
  let proxy: TlsProxy;
  beforeAll(async () => {
    shop = await openWatchedShop(fault.setting);
    proxy = await startTlsProxy(shop.host.url);
    // The server of the tests waits for no disk, which the doctor would find.
    await shop.host.app
      .get(DataSource)
      .query(
        `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = on', current_database()); END $$`,
      );
    await fault.bring(shop);
  });
  afterAll(async () => {
    await proxy.close();
    await shop.close();
  });

  it('the log points at it, or says nothing', async () => {
    const { log } = shows;
    const lines = await eventually(
      async () => shop.log.filter((line) => log === null || patternOf(log).test(line)),
      ({ length }) => log === null || length > 0,
    );
    expect(lines.length > 0).toBe(log !== null);
  });

  it('the health answer does, or says that all is up', async () => {
    // A process that has not swept yet is down.
    const down = await eventually(
      async () =>
        Object.entries(await shop.health()).flatMap(([name, { status, ...more }]) =>
          status === 'up' ? [] : [name, ...Object.keys(more)],
        ),
      (names) => (shows.health === null ? names.length === 0 : names.includes(shows.health)),
    );
    expect(down.length === 0 ? [null] : down).toContain(shows.health);
  });

  it('the board does, or says that nothing needs a person', async () => {
    const { path, says } = shows.board ?? { path: '', says: 'Nothing needs a person' };
    expect(await shop.board(path)).toMatch(patternOf(says));
  });

  it('a metric does, or none of these has moved', async () => {
    const scraped = await shop.scrape();
    const moved = faults.flatMap(({ shows: { metric } }) => {
      if (metric === null) return [];
      const value = valueOf(scraped, prometheusName(metric.name), metric.labels) ?? 0;
      return value > metric.above ? [metric] : [];
    });
    expect(moved.length === 0 ? [null] : moved).toContainEqual(shows.metric);
  });

  it('the doctor of the command line does, or finds that all is well', async () => {
    const checks = await shop.doctor(proxy.url + (fault.notifiedPath ?? '/webhooks/payments'));
    const unwell = checks.filter(
      ({ state, found }) => state !== 'well' && !found.startsWith('not looked at'),
    );
    const { doctor } = shows;
    const others = unwell.filter(
      ({ name, found }) =>
        doctor === null || (doctor.check ?? name) !== name || !patternOf(doctor.found).test(found),
    );
    expect(others).toEqual([]);
    expect(unwell.length > 0).toBe(doctor !== null);
  });
});
