import { compare, type Bench } from '../bench.js';
import { perSecond } from '../contenders/at-once.js';
import type { Graphile, GraphileSettings } from '../contenders/graphile.js';
import type { Holdfast, HoldfastSettings } from '../contenders/holdfast.js';
import { account } from '../contenders/payment-object.js';
import type { PgBoss, PgBossSettings } from '../contenders/pg-boss.js';
import { newestNode } from '../contenders/rivals.js';
import type { Service } from '../contenders/service.js';
import { CREATE_EFFECTS } from '../contenders/statements.js';
import { ratioAtLeast } from '../figures.js';
import { loadDeliveries, unload } from '../load/load.js';
import { epochMs } from '../stage/call.js';
import { untilNone } from '../stage/until-none.js';

/** Holdfast runs as many handlers as half its pool: 8 at once, like the others. */
const POOL = 16;
const WORKERS = 8;
const OURS = 'Holdfast';
const BOSS = 'pg-boss 10, fetch 1, complete';
const GRAPHILE = 'graphile-worker 0.17, defaults';

export const deliveries: Bench = {
  name: 'deliveries',
  hasRivals: true,
  what: 'deliveries to a handler with one INSERT, 8 at once',
  notes: [
    'Holdfast: the INSERT and the mark that it is done commit together, exactly once; the events of one payment stay in order; an attempt is counted before the run.',
    'pg-boss and graphile-worker: the INSERT commits by itself and the job is marked done afterwards, so a crash in between runs it twice.',
    'pg-boss, fetch 16: jobs of one batch are done one after the other and marked together; a crash repeats up to 16.',
    'Those with a Node version in their name need a newer one than Holdfast does, and run on it; all others run on the Node of this run.',
    'graphile-worker, batched: a local queue of 100 and completions written together; a crash repeats what was done and not yet written, and blocks up to 100 jobs until their lock ends after four hours.',
  ],
  async run(stage) {
    const service = await stage.start<Service>('contenders/service', account);
    const databaseUrl = await stage.migrated('deliveries', CREATE_EFFECTS);
    const settings: HoldfastSettings = {
      databaseUrl,
      serviceUrl: await service.steps.url(),
      poolSize: POOL,
      handlers: 'one',
      options: { sweeps: { intervalMs: 500 } },
    };
    const ours = await stage.start<Holdfast>('contenders/holdfast', settings);
    const client = await stage.client(databaseUrl);
    const rival = async (name: string) => ({
      databaseUrl: await stage.migrated(`deliveries_${name}`, CREATE_EFFECTS),
      poolSize: POOL,
    });
    const startBoss = async (name: string, more: Partial<PgBossSettings> = {}, node?: string) =>
      stage.start<PgBoss>('contenders/pg-boss', { ...(await rival(name)), ...more }, node);
    const startGraphile = async (name: string, more: Partial<GraphileSettings> = {}, node?: string) =>
      stage.start<Graphile>('contenders/graphile', { ...(await rival(name)), ...more }, node);
    const boss = await startBoss('boss');
    const graphile = await startGraphile('graphile');
    const batched = await startGraphile('graphile_batched', { batched: true });
    const newest = newestNode && {
      boss: await startBoss('boss_newest', { newest: true }, newestNode),
      graphile: await startGraphile('graphile_newest', { newest: true }, newestNode),
    };
    let hours = 0;
    const deliver = async (count: number) => {
      hours += 1;
      await loadDeliveries(client, {
        count,
        handlerIds: ['bench.first'],
        dueAt: `now() + interval '${hours} hours'`,
      });
      await ours.steps.setOffset(hours * 3_600_000);
      await untilNone(async () => {
        const { rows } = await client.query<{ left: number }>(
          'SELECT count(*)::int AS left FROM payments_deliveries WHERE done_at IS NULL',
        );
        return rows[0]?.left ?? 0;
      });
      const endedAt = epochMs();
      const { firstAt } = await ours.steps.handlerRuns();
      await unload(client);
      return { perSecond: perSecond(count, endedAt - (firstAt ?? Number.NaN)) };
    };

    const count = stage.size(3_000, 600, 20);
    const samples = await stage.race(`${count} deliveries`, [
      { name: GRAPHILE, run: () => graphile.steps.jobs({ count, workers: WORKERS }) },
      { name: BOSS, run: () => boss.steps.jobs({ count, workers: WORKERS, batch: 1 }) },
      { name: OURS, run: () => deliver(count) },
      { name: 'graphile-worker 0.17, batched', run: () => batched.steps.jobs({ count, workers: WORKERS }) },
      { name: 'pg-boss 10, fetch 16', run: () => boss.steps.jobs({ count, workers: WORKERS, batch: 16 }) },
      ...(newest
        ? [
            {
              name: 'graphile-worker 0.18, defaults, Node 24',
              run: () => newest.graphile.steps.jobs({ count, workers: WORKERS }),
            },
            {
              name: 'pg-boss 12, fetch 1, complete, Node 24',
              run: () => newest.boss.steps.jobs({ count, workers: WORKERS, batch: 1 }),
            },
          ]
        : []),
    ]);
    const figure = { metric: 'perSecond', unit: '/s' } as const;
    return [
      ...compare(samples, {
        ...figure,
        case: 'against graphile-worker',
        against: GRAPHILE,
        bars: { [OURS]: ratioAtLeast(0.7, 1) },
      }),
      ...compare(samples, {
        ...figure,
        case: 'against pg-boss',
        against: BOSS,
        bars: { [OURS]: ratioAtLeast(1.4) },
      }).filter(({ contender }) => contender === OURS || contender === BOSS),
    ];
  },
};
