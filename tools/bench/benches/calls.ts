import { compare, type Bench } from '../bench.js';
import type { Call, Holdfast, HoldfastSettings } from '../contenders/holdfast.js';
import { account } from '../contenders/payment-object.js';
import type { Service } from '../contenders/service.js';
import { ratioAtMost, type Figure } from '../figures.js';
import { loadPayments, type LoadedPayment } from '../load/load.js';
import type { Stage } from '../stage/stage.js';

const BIG = 'big shop';
const SMALL = 'small shop';

/** The state it needs of each payment, and how many payments a round takes. */
const calls = {
  create: { of: 'settled', share: 1 },
  capture: { of: 'held', share: 1 },
  refund: { of: 'settled', share: 1 },
  findByOrder: { of: 'settled', share: 1 },
  timeline: { of: 'settled', share: 1 },
  backlog: { of: 'settled', share: 0.2 },
} as const satisfies Partial<Record<Call, { of: 'settled' | 'held'; share: number }>>;

export const callsBench: Bench = {
  name: 'calls',
  what: 'calls in a shop with a million settled payments, beside the same in one with five thousand',
  notes: [
    'The median of calls made one after the other, the service answering at once. A settled payment has its order, create, two events and a notification. The tables are analyzed. `PaymentsTelemetry` is there, and no SDK.',
    'With --quick the big shop has 50,000 payments.',
  ],
  async run(stage) {
    const service = await stage.start<Service>('contenders/service', account);
    const serviceUrl = await service.steps.url();
    const each = stage.size(60, 30, 3);
    // A payment is refunded or captured once, so every round has its own payments.
    const held = each * (stage.rounds + 1);
    const big = await shop(stage, serviceUrl, stage.size(1_000_000, 50_000, 2_000), held);
    const small = await shop(stage, serviceUrl, stage.size(5_000, 5_000, 500), held);
    const figures: Figure[] = [];
    for (const [call, { of, share }] of entries(calls)) {
      const count = Math.ceil(each * share);
      const run = ({ host, ...loaded }: Shop) => ({
        run: (round: number) => {
          const from = (round + 1) * count;
          return host.calls({ call, subjects: loaded[of].slice(from, from + count) });
        },
      });
      const samples = await stage.race(call, [
        { name: SMALL, ...run(small) },
        { name: BIG, ...run(big) },
      ]);
      figures.push(
        ...compare(samples, {
          case: call,
          metric: 'p50',
          unit: 'ms',
          against: SMALL,
          bars: { [BIG]: ratioAtMost(1.3, 1.1) },
        }),
      );
    }
    return figures;
  },
};

type Shop = Awaited<ReturnType<typeof shop>>;

async function shop(stage: Stage, serviceUrl: string, settledCount: number, heldCount: number) {
  const databaseUrl = await stage.migrated('calls');
  const settings: HoldfastSettings = {
    databaseUrl,
    serviceUrl,
    poolSize: 10,
    telemetry: true,
    options: { sweeps: false },
  };
  const { steps: host } = await stage.start<Holdfast>('contenders/holdfast', settings);
  const client = await stage.client(databaseUrl);
  const settled = await loadPayments(client, { count: settledCount, status: 'succeeded', withHistory: true });
  const held: readonly LoadedPayment[] = await loadPayments(client, {
    count: heldCount,
    status: 'waiting_for_capture',
    withHistory: true,
  });
  await client.query('VACUUM ANALYZE');
  return { host, settled, held };
}

function entries<Key extends string, Value>(record: Readonly<Record<Key, Value>>): [Key, Value][];
function entries(record: object): [string, unknown][] {
  return Object.entries(record);
}
