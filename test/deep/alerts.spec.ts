import { OnPaymentEvent } from '@holdfast/payments';
import { jest } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { stringify } from 'yaml';
import { Sweeper } from '../../libs/payments/src/sweeper.js';
import { alertRules, alertsFile, dashboardQueries, type AlertRule } from '../support/alerts.js';
import { eventually } from '../support/eventually.js';
import { alertTest, type Scrapes } from '../support/promtool-tests.js';
import { hasPromtool, promtool } from '../support/promtool.js';
import { openWatchedShop, type WatchedShop } from '../support/watched-shop.js';
import { conditionFaults } from './faulty-runs/conditions.js';
import { faults } from './faulty-runs/faults.js';
import { measuredFaults, type MeasuredFault } from './faulty-runs/measured.js';
import { untilSwept } from './faulty-runs/swept.js';

const MINUTE_MS = 60_000;
const EVERY_MINUTES = 2;
/** The first before anything is wrong, the others while it is. */
const SCRAPES = 10;
const END_MINUTES = EVERY_MINUTES * (SCRAPES - 1);

@Injectable()
class Well {
  @OnPaymentEvent('payment.succeeded', { id: 'shop.well' })
  paid(): void {}
}

const well: MeasuredFault = {
  name: 'All is well',
  setting: { providers: [Well] },
  bring: async () => {},
  async meanwhile(shop, step) {
    const { id, serviceId } = await shop.create(`A-${step}`);
    shop.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    await eventually(
      () => shop.host.payments.get(id),
      ({ status }) => status === 'succeeded',
    );
  },
  alerts: [],
};

/** The database has a clock of its own, by which a failed re-read rests and a rate limit recovers. */
async function doWhatIsDue({ host: { app } }: WatchedShop): Promise<void> {
  const earlier = (stamp: string) => `${stamp} = ${stamp} - interval '${EVERY_MINUTES} minutes'`;
  const stamps = ['spent_to', 'polls_rest_until', 'rests_since'];
  await app.get(DataSource).query(
    `WITH rests AS (UPDATE payments_due SET ${earlier('rest_until')})
     UPDATE payments_rate_limits SET ${stamps.map(earlier).join(', ')}`,
  );
  await app.get(Sweeper, { strict: false }).drain();
  await untilSwept(app);
}

(hasPromtool ? describe : describe.skip)('the rules that the package ships, by promtool,', () => {
  let folder: string;
  let rules: readonly AlertRule[];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'alerts-'));
    rules = await alertRules();
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** The clock of the process goes on with that of the business: a minute of the test takes no minute. */
  async function scrapesOf(fault: MeasuredFault): Promise<Scrapes> {
    const now = performance.now.bind(performance);
    let passedMs = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + passedMs);
    const { payments, ...setting } = fault.setting;
    const shop = await openWatchedShop({
      ...setting,
      // Each step waits for a look, and there are two hundred of them.
      payments: async (sandbox) => ({ sweeps: { intervalMs: 50 }, ...(await payments?.(sandbox)) }),
    });
    try {
      const scrapes = [await shop.scrape()];
      await fault.bring(shop);
      while (scrapes.length < SCRAPES) {
        await fault.meanwhile?.(shop, scrapes.length);
        passedMs += EVERY_MINUTES * MINUTE_MS;
        await shop.sandbox.clock.advance(EVERY_MINUTES * MINUTE_MS);
        if (!fault.stalls) await doWhatIsDue(shop);
        scrapes.push(await shop.scrape());
      }
      return scrapes;
    } finally {
      shop.proxy.delay(0);
      await shop.close();
      clock.mockRestore();
    }
  }

  async function tested(tests: readonly object[]): Promise<string | null> {
    const file = join(folder, 'tests.yml');
    await writeFile(file, stringify({ rule_files: [alertsFile], evaluation_interval: '1m', tests }));
    return promtool('test', 'rules', file);
  }

  it('are sound, and so is every query of the dashboard', async () => {
    expect(await promtool('check', 'rules', alertsFile)).toBeNull();
    const records = (await dashboardQueries()).map(({ expr }, index) => ({
      record: `panel:${index}`,
      expr: expr.replaceAll('$__rate_interval', '5m'),
    }));
    const file = join(folder, 'dashboard.yml');
    await writeFile(file, stringify({ groups: [{ name: 'dashboard', rules: records }] }));
    expect(await promtool('check', 'rules', file)).toBeNull();
  });

  it('never call anybody while all is well', async () => {
    const scrapes = await scrapesOf(well);
    const moments = scrapes.map((_scrape, index) => ({ afterMinutes: index * EVERY_MINUTES, alerts: [] }));
    expect(await tested([alertTest(well.name, rules, EVERY_MINUTES, scrapes, moments)])).toBeNull();
  });

  const told = faults.map(({ shows: { alerts }, ...fault }): MeasuredFault => ({ ...fault, alerts }));
  const runs = [...told, ...measuredFaults, ...conditionFaults];
  it.each(runs)('call a person for what is wrong, and for nothing else: $name', async (fault) => {
    const scrapes = await scrapesOf(fault);
    const end = [{ afterMinutes: END_MINUTES, alerts: fault.alerts }];
    expect(await tested([alertTest(fault.name, rules, EVERY_MINUTES, scrapes, end)])).toBeNull();
  });

  it('believe no process whose figures are old, while another has them', async () => {
    const processes = [
      { instance: 'old', ageSeconds: 600, condition: 1, endSeconds: 600 },
      { instance: 'fresh', ageSeconds: 0, condition: 0, endSeconds: 7_200 },
    ].flatMap(({ instance, ageSeconds, condition, endSeconds }) => [
      `holdfast_figures_age_seconds{job="shop",instance="${instance}"} ${ageSeconds}`,
      `holdfast_sweep_age_seconds{job="shop",instance="${instance}"} 0`,
      `holdfast_conditions{job="shop",instance="${instance}",condition="incidents_open"} ${condition}`,
      `holdfast_hold_nearest_end_seconds{job="shop",instance="${instance}"} ${endSeconds}`,
    ]);
    const scrapes = Array.from({ length: SCRAPES }, () => processes.join('\n'));
    const end = [{ afterMinutes: SCRAPES - 1, alerts: [] }];
    expect(await tested([alertTest('One process is cut off', rules, 1, scrapes, end)])).toBeNull();
  });

  it('say that nobody tells where no process does', async () => {
    const silence = [{ afterMinutes: 10, alerts: ['HoldfastNotMeasured'] }];
    expect(await tested([alertTest('Nothing is scraped', rules, 1, [], silence)])).toBeNull();
  });
});
