import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { compare, type Bench } from '../bench.js';
import type { HandlerSet } from '../contenders/handlers.js';
import type { Holdfast, HoldfastSettings } from '../contenders/holdfast.js';
import { account } from '../contenders/payment-object.js';
import type { Sender } from '../contenders/sender.js';
import type { Service } from '../contenders/service.js';
import { CREATE_EFFECTS } from '../contenders/statements.js';
import { ratioAtMost, type Figure } from '../figures.js';
import { loadDeliveries, loadPayments } from '../load/load.js';
import { loadStores } from '../load/stores.js';
import type { Samples } from '../rounds.js';
import { epochMs } from '../stage/call.js';
import type { Child } from '../stage/child.js';
import type { Stage } from '../stage/stage.js';

const POOL = 10;
const WITHOUT = 'nothing hangs';
const WITH = 'some hang';
/** Shorter than by default, so that a round also ends when the hanging one delays all others. */
const REQUEST_TIMEOUT_MS = 3_000;
const HANDLER_TIMEOUT_MS = 2_000;
/** The longest time anyone is observed; who is not known by then counts as this late. */
const GIVE_UP_MS = 30_000;
const LOOK_MS = 5;
const HOUR_MS = 3_600_000;
/** Each round has a process and a database of its own, so none warms up another. */
const FRESH = { warmUps: 0 };
const limits = { requestTimeoutMs: REQUEST_TIMEOUT_MS, callDeadlineMs: REQUEST_TIMEOUT_MS + 1_000 };

export const hang: Bench = {
  name: 'hang',
  what: 'how late others are where some hang',
  notes: [
    `Shorter deadlines than by default, so that a round ends: ${REQUEST_TIMEOUT_MS / 1_000} s for a request, ${HANDLER_TIMEOUT_MS / 1_000} s for a handler. A round is given up after ${GIVE_UP_MS / 1_000} s.`,
    'Payments: 30 re-reads that the service never answers are in progress or due when 5 other payments of the store are paid and their notifications arrive; “how late” is the median of the five.',
    'Handler: 60 payments, two handlers each, one of which hangs; “how late” is the last run of the other.',
    'Stores: one of many has 50 payments due and never answers; “how late” is the last payment of all others.',
  ],
  async run(stage) {
    return [...(await payments(stage)), ...(await handler(stage)), ...(await stores(stage))];
  },
};

function figures(samples: Samples, what: string): Figure[] {
  return compare(samples, {
    case: what,
    metric: 'ms',
    unit: 'ms',
    against: WITHOUT,
    bars: { [WITH]: ratioAtMost(2, 1.2) },
  });
}

async function payments(stage: Stage): Promise<Figure[]> {
  const service = await stage.start<Service>('contenders/service', account);
  const sender = await stage.start<Sender>('contenders/sender', {});
  const round = async (hanging: boolean) => {
    // What hung in the last round must not hang in this one, so each has a process and a database of its own.
    const { host, client, end } = await sweeper(stage, { serviceUrl: await service.steps.url() });
    const url = await host.steps.webhookUrl();
    const due = {
      count: 30,
      status: 'pending',
      dueAt: `now() + interval '1 hour'`,
      withHistory: true,
    } as const;
    const stuck = await loadPayments(client, due);
    const others = await loadPayments(client, { ...due, count: 5, dueAt: `now() + interval '1 day'` });
    await service.steps.hang(hanging ? { payments: stuck.map(({ serviceId }) => serviceId) } : {});
    await service.steps.forget();
    await host.steps.setOffset(HOUR_MS);
    while ((await service.steps.counts()).requests === 0) await delay(LOOK_MS);
    // Until everything that will hang does, and everything else is over.
    await delay(500);
    const startedAt = epochMs();
    const ids = others.map(({ serviceId }) => serviceId);
    await sender.steps.storm({ url, ids, count: ids.length, connections: ids.length });
    const late = await lateness(startedAt, ids.length / 2, async () => {
      const { rows } = await client.query<{ known: number }>(
        `SELECT count(*)::int AS known FROM payments_payments WHERE status = 'succeeded' AND service_id = ANY($1)`,
        [ids],
      );
      return rows[0]?.known ?? 0;
    });
    await service.steps.hang({});
    await end();
    return { ms: late };
  };
  const samples = await stage.race(
    '30 hanging payments',
    [
      { name: WITHOUT, run: () => round(false) },
      { name: WITH, run: () => round(true) },
    ],
    FRESH,
  );
  return figures(samples, '30 hanging payments, 5 new paid ones');
}

async function handler(stage: Stage): Promise<Figure[]> {
  const service = await stage.start<Service>('contenders/service', account);
  const serviceUrl = await service.steps.url();
  const count = stage.size(60, 60, 6);
  const round = async (handlers: HandlerSet) => {
    const { host, client, end } = await sweeper(stage, { serviceUrl, handlers });
    const dueAt = `now() + interval '1 hour'`;
    await loadDeliveries(client, { count, handlerIds: ['bench.first', 'bench.second'], dueAt });
    await host.steps.setOffset(HOUR_MS);
    const startedAt = epochMs();
    const ms = await lateness(startedAt, count, async () => {
      const { rows } = await client.query<{ done: number }>(
        `SELECT count(*)::int AS done FROM bench_effects WHERE handler = 'first'`,
      );
      return rows[0]?.done ?? 0;
    });
    await end();
    return { ms };
  };
  const samples = await stage.race(
    'one hanging handler',
    [
      { name: WITHOUT, run: () => round('two') },
      { name: WITH, run: () => round('one of two hangs') },
    ],
    FRESH,
  );
  return figures(samples, `one hanging handler of two, ${count} payments`);
}

async function stores(stage: Stage): Promise<Figure[]> {
  const service = await stage.start<Service>('contenders/service', account);
  const serviceUrl = await service.steps.url();
  const count = stage.size(1_000, 200, 10);
  const tokenKey = randomBytes(32).toString('base64');
  const round = async (dead: boolean) => {
    const { host, client, end } = await sweeper(stage, { serviceUrl, tokenKey });
    const loaded = await loadStores(client, count, tokenKey);
    const [first, ...others] = loaded;
    const due = { status: 'pending', dueAt: `now() + interval '1 hour'` } as const;
    await loadPayments(client, { ...due, count: 50, storeIds: first ? [first.id] : [] });
    await loadPayments(client, { ...due, count: others.length, storeIds: others.map(({ id }) => id) });
    await service.steps.hang(dead && first ? { shops: [first.accountId] } : {});
    await host.steps.setOffset(HOUR_MS);
    const startedAt = epochMs();
    const ms = await lateness(startedAt, count - 1, async () => {
      const { rows } = await client.query<{ known: number }>(
        `SELECT count(*)::int AS known FROM payments_payments WHERE status = 'succeeded' AND store_id <> $1`,
        [first?.id],
      );
      return rows[0]?.known ?? 0;
    });
    await service.steps.hang({});
    await end();
    return { ms };
  };
  const samples = await stage.race(
    `one dead store of ${count}`,
    [
      { name: WITHOUT, run: () => round(false) },
      { name: WITH, run: () => round(true) },
    ],
    FRESH,
  );
  return figures(samples, `one dead store of ${count}`);
}

/** How long it takes, from then on, until this many are counted. */
async function lateness(startedAt: number, enough: number, counted: () => Promise<number>): Promise<number> {
  while ((await counted()) < enough && epochMs() - startedAt < GIVE_UP_MS) await delay(LOOK_MS);
  return epochMs() - startedAt;
}

async function sweeper(
  stage: Stage,
  settings: Omit<HoldfastSettings, 'databaseUrl' | 'poolSize' | 'options'>,
) {
  const databaseUrl = await stage.migrated('hang', CREATE_EFFECTS);
  const all: HoldfastSettings = {
    ...settings,
    databaseUrl,
    poolSize: POOL,
    options: {
      ...limits,
      handlerTimeoutMs: HANDLER_TIMEOUT_MS,
      sweeps: { intervalMs: 100 },
      rereads: { perSecond: 1_000, burst: 100_000 },
    },
  };
  const host: Child<Holdfast> = await stage.start<Holdfast>('contenders/holdfast', all);
  const client = await stage.client(databaseUrl);
  return { host, client, end: () => host.close() };
}
