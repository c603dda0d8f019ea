import { compare, type Bench } from '../bench.js';
import { atOnce, perSecond, timed } from '../contenders/at-once.js';
import type { Holdfast, HoldfastSettings } from '../contenders/holdfast.js';
import { account } from '../contenders/payment-object.js';
import type { Service } from '../contenders/service.js';
import { CREATE_EFFECTS } from '../contenders/statements.js';
import { atMost } from '../figures.js';
import { unload } from '../load/load.js';
import { Counter } from '../stage/counter.js';

const POOL = 10;
const BUYERS = 16;
const OURS = 'Holdfast';

export const life: Bench = {
  name: 'life',
  what: 'a payment from its create, paid by notification, to the commit of its handler, 16 buyers at once',
  notes: [
    'Counted by PostgreSQL: commits by pg_stat_database, every transaction that ended well, including read-only ones; statements by pg_stat_statements. BEGIN and COMMIT are counted only where it says so.',
    'Everything that the process does meanwhile counts, including its ticks; the bench’s own queries are subtracted.',
  ],
  async run(stage) {
    await stage.server.countStatements(true);
    stage.cleanUp.add(() => stage.server.countStatements(false));
    const service = await stage.start<Service>('contenders/service', account);
    const databaseUrl = await stage.migrated('life', CREATE_EFFECTS, 'CREATE EXTENSION pg_stat_statements');
    const settings: HoldfastSettings = {
      databaseUrl,
      serviceUrl: await service.steps.url(),
      poolSize: POOL,
      handlers: 'one',
      options: { rereads: { perSecond: 1_000, burst: 100_000 } },
    };
    const host = await stage.start<Holdfast>('contenders/holdfast', settings);
    await service.steps.setNotifyUrl(await host.steps.webhookUrl());
    const counter = new Counter(await stage.client(databaseUrl));
    const count = stage.size(400, 120, 16);
    let orders = 0;

    const live = async () => {
      const flushed = await host.steps.flushStatistics();
      const before = await counter.read();
      const references = Array.from({ length: count }, () => `life-${(orders += 1)}`);
      const ms = await timed(() =>
        atOnce(BUYERS, references, async (reference) => {
          const { id, serviceId } = await host.steps.create({ reference });
          await service.steps.pay(serviceId);
          await host.steps.handled(id);
        }),
      );
      const looks = await counter.whenDone(count);
      await host.steps.flushStatistics();
      const after = await counter.read();
      await unload(counter.client);
      const own = looks + flushed + Counter.STATEMENTS;
      return {
        commits: (after.commits - before.commits - own) / count,
        statements: (after.statements - before.statements - own) / count,
        plain: (after.plain - before.plain - own) / count,
        perSecond: perSecond(count, ms),
      };
    };

    const samples = await stage.race(`${count} payments`, [{ name: OURS, run: live }]);
    return [
      ...compare(samples, {
        case: 'commits',
        metric: 'commits',
        unit: 'commits',
        bars: { [OURS]: atMost(8, 7) },
      }),
      ...compare(samples, {
        case: 'statements without BEGIN and COMMIT',
        metric: 'plain',
        unit: 'statements',
        bars: { [OURS]: atMost(35) },
      }),
      ...compare(samples, { case: 'all statements', metric: 'statements', unit: 'statements' }),
      ...compare(samples, { case: 'payments', metric: 'perSecond', unit: '/s' }),
    ];
  },
};
