import type { Client } from 'pg';
import { compare, type Bench } from '../bench.js';
import { perSecond } from '../contenders/at-once.js';
import type { ByHand } from '../contenders/by-hand.js';
import type { Holdfast, HoldfastSettings } from '../contenders/holdfast.js';
import { account } from '../contenders/payment-object.js';
import type { Service } from '../contenders/service.js';
import { CREATE_BARE_PAYMENTS } from '../contenders/statements.js';
import { type Bar, type Figure, ratioAtLeast } from '../figures.js';
import { loadPayments, unload } from '../load/load.js';
import { epochMs } from '../stage/call.js';
import type { Child } from '../stage/child.js';
import type { Stage } from '../stage/stage.js';
import { untilNone } from '../stage/until-none.js';

const POOL = 10;
const BY_HAND = 'axios GET + one UPDATE, 8 at once';
const EIGHT = 'Holdfast, 8 at once';
const FREE = 'Holdfast, as many at once as it does';
const TWO = 'Holdfast, two processes';
const FOUR = 'Holdfast, four processes';

const bars: Readonly<Record<number, Readonly<Record<string, Bar>>>> = {
  0: { [EIGHT]: ratioAtLeast(0.4, 0.75) },
  30: { [EIGHT]: ratioAtLeast(0.85, 0.93), [FREE]: ratioAtLeast(1.5) },
};

/** Hosts that sweep one database. */
class Sweepers {
  #hours = 0;

  constructor(
    private readonly client: Client,
    private readonly service: Child<Service>,
    private readonly hosts: readonly Child<Holdfast>[],
  ) {}

  static async start(stage: Stage, service: Child<Service>, processes: number): Promise<Sweepers> {
    const databaseUrl = await stage.migrated(`rereads_${processes}`);
    const settings: HoldfastSettings = {
      databaseUrl,
      serviceUrl: await service.steps.url(),
      poolSize: POOL,
      options: { sweeps: { intervalMs: 500 }, rereads: { perSecond: 1_000, burst: 100_000 } },
    };
    const hosts: Child<Holdfast>[] = [];
    for (let count = 0; count < processes; count += 1)
      hosts.push(await stage.start<Holdfast>('contenders/holdfast', settings));
    return new Sweepers(await stage.client(databaseUrl), service, hosts);
  }

  /** Makes this many payments due at one moment, and measures from the first request to the last commit. */
  async settle(count: number, atOnce: number | null): Promise<{ perSecond: number; atOnce: number }> {
    // Due by a business clock that all hosts get at once: until then nothing is.
    this.#hours += 1;
    await loadPayments(this.client, {
      count,
      status: 'pending',
      dueAt: `now() + interval '${this.#hours} hours'`,
      from: `now() - interval '1 minute'`,
      withHistory: true,
    });
    await this.service.steps.forget();
    await this.service.steps.setAtOnce(atOnce);
    await Promise.all(this.hosts.map(({ steps }) => steps.setOffset(this.#hours * 3_600_000)));
    await untilNone(() => this.#pending());
    const endedAt = epochMs();
    const starts = await Promise.all(this.hosts.map(({ steps }) => steps.firstRequestAt()));
    const startedAt = Math.min(...starts.map((at) => at ?? Infinity));
    const { mostAtOnce } = await this.service.steps.counts();
    await this.service.steps.setAtOnce(null);
    await unload(this.client);
    return { perSecond: perSecond(count, endedAt - startedAt), atOnce: mostAtOnce };
  }

  async #pending(): Promise<number> {
    const { rows } = await this.client.query<{ left: number }>(
      `SELECT count(*)::int AS left FROM payments_payments WHERE status = 'pending'`,
    );
    return rows[0]?.left ?? 0;
  }
}

export const rereads: Bench = {
  name: 'rereads',
  what: 'due payments settled',
  notes: [
    `By hand: reads its ids once, then GET and UPDATE. It has no lease, checks nothing of the answer, writes no event and no totals, and two of it would do everything twice.`,
    'Holdfast at its ordinary settings except for the rate limit of re-reads, raised to 1,000 a second; from the first request to the last commit. A payment has an order, a create and an event; no handler.',
    'With --tiny there are two processes in place of four.',
    '8 at once: the service answers that many at a time, and further requests queue there. Otherwise a process sends as many at once as it does by itself, which is shown.',
  ],
  async run(stage) {
    const service = await stage.start<Service>('contenders/service', account);
    const bareUrl = await stage.migrated('rereads_by_hand', CREATE_BARE_PAYMENTS);
    const byHand = await stage.start<ByHand>('contenders/by-hand', {
      databaseUrl: bareUrl,
      serviceUrl: await service.steps.url(),
      poolSize: POOL,
    });
    const one = await Sweepers.start(stage, service, 1);
    const two = await Sweepers.start(stage, service, 2);
    // What two processes do, more of them do the same way.
    const four = await Sweepers.start(stage, service, stage.size(4, 4, 2));
    const figures: Figure[] = [];
    for (const latencyMs of stage.latencies) {
      await service.steps.setLatency(latencyMs);
      const count = latencyMs === 0 ? stage.size(2_000, 300, 20) : stage.size(800, 200, 20);
      const samples = await stage.race(`${latencyMs} ms`, [
        { name: BY_HAND, run: () => byHand.steps.rereads({ count, workers: 8 }) },
        { name: EIGHT, run: () => one.settle(count, 8) },
        { name: FREE, run: () => one.settle(count, null) },
        { name: TWO, run: () => two.settle(count, null) },
        { name: FOUR, run: () => four.settle(count, null) },
      ]);
      const what = `service latency ${latencyMs} ms`;
      figures.push(
        ...compare(samples, {
          case: what,
          metric: 'perSecond',
          unit: '/s',
          against: BY_HAND,
          bars: bars[latencyMs] ?? {},
        }),
        ...compare(samples, { case: `${what}, most requests at once`, metric: 'atOnce', unit: '' }),
      );
    }
    return figures;
  },
};
