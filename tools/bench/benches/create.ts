import { compare, type Bench } from '../bench.js';
import type { ByHand } from '../contenders/by-hand.js';
import type { Holdfast, HoldfastSettings } from '../contenders/holdfast.js';
import { account } from '../contenders/payment-object.js';
import type { Service } from '../contenders/service.js';
import { CREATE_BARE_PAYMENTS } from '../contenders/statements.js';
import { ratioAtMost, type Bar, type Figure } from '../figures.js';
import { unload } from '../load/load.js';
import type { Samples } from '../rounds.js';
import type { Stage } from '../stage/stage.js';

const POOL = 10;
/** After one round, both still became faster from round to round. */
const WARM_UPS = 5;
const BY_HAND = 'INSERT; POST; UPDATE';
const OURS = 'Holdfast';
const SILENT = 'Holdfast, without PaymentsTelemetry';
const bars: Readonly<Record<number, Bar>> = { 0: ratioAtMost(2.5, 1.6), 30: ratioAtMost(1.15, 1.07) };

export const create: Bench = {
  name: 'create',
  what: 'payments created',
  notes: [
    'By hand: a row, the request under its key, the answer into the row. A second create of the same order is not prevented, and nothing resumes after a crash.',
    'Holdfast at its ordinary settings, sweeps on, with `PaymentsTelemetry`: @opentelemetry/api takes its metrics, and no SDK is there. Everything created is removed after each round.',
  ],
  async run(stage) {
    const service = await stage.start<Service>('contenders/service', account);
    const serviceUrl = await service.steps.url();
    const ours = await shop(stage, serviceUrl, true);
    const silent = await shop(stage, serviceUrl, false);
    const byHand = await stage.start<ByHand>('contenders/by-hand', {
      databaseUrl: await stage.migrated('create_by_hand', CREATE_BARE_PAYMENTS),
      serviceUrl,
      poolSize: POOL,
    });
    const figures: Figure[] = [];
    for (const latencyMs of stage.latencies) {
      await service.steps.setLatency(latencyMs);
      const count = latencyMs === 0 ? stage.size(300, 50, 5) : stage.size(80, 20, 3);
      const creates = ({ host, client }: Shop) => ({
        run: async () => {
          const sample = await host.creates({ count, workers: 8 });
          await unload(client);
          return sample;
        },
      });
      const samples = await stage.race(
        `${latencyMs} ms`,
        [
          { name: BY_HAND, run: () => byHand.steps.creates({ count, workers: 8 }) },
          { name: OURS, ...creates(ours) },
          { name: SILENT, ...creates(silent) },
        ],
        { warmUps: WARM_UPS },
      );
      const [byHands, withHoldfast] = [without(samples, SILENT), without(samples, BY_HAND)];
      const what = `service latency ${latencyMs} ms`;
      const bar = bars[latencyMs];
      figures.push(
        ...compare(byHands, {
          case: `${what}, p50 of one after the other`,
          metric: 'p50',
          unit: 'ms',
          against: BY_HAND,
          ...(bar && { bars: { [OURS]: bar } }),
        }),
        ...compare(byHands, {
          case: `${what}, 8 at once`,
          metric: 'perSecond',
          unit: '/s',
          against: BY_HAND,
        }),
        ...compare(withHoldfast, {
          case: `${what}, metrics, p50 of one after the other`,
          metric: 'p50',
          unit: 'ms',
          against: SILENT,
          bars: { [OURS]: ratioAtMost(1.05) },
        }),
      );
    }
    return figures;
  },
};

type Shop = Awaited<ReturnType<typeof shop>>;

async function shop(stage: Stage, serviceUrl: string, telemetry: boolean) {
  const databaseUrl = await stage.migrated('create');
  const settings: HoldfastSettings = { databaseUrl, serviceUrl, poolSize: POOL, telemetry };
  const { steps: host } = await stage.start<Holdfast>('contenders/holdfast', settings);
  return { host, client: await stage.client(databaseUrl) };
}

function without(samples: Samples, contender: string): Samples {
  return new Map([...samples].filter(([name]) => name !== contender));
}
