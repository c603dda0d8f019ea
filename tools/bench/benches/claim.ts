import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { nextCheckDelayMs } from '../../../libs/payments/src/apply/poll-plan.js';
import { compare, type Bench } from '../bench.js';
import { timed } from '../contenders/at-once.js';
import type { Holdfast, HoldfastSettings } from '../contenders/holdfast.js';
import { account } from '../contenders/payment-object.js';
import type { Service } from '../contenders/service.js';
import type { SentStatement } from '../contenders/statement-log.js';
import { atMost, ratioAtMost, type Figure } from '../figures.js';
import { loadPayments } from '../load/load.js';
import { interleave } from '../rounds.js';
import type { Stage } from '../stage/stage.js';

interface Shop {
  readonly name: string;
  readonly payments: number;
  readonly due: number;
  readonly notified?: number;
  /** A share of the due payments. */
  readonly failing?: number;
}

const k = 1_000;
const shops: Readonly<Record<Stage['effort'], readonly [Shop, ...Shop[]]>> = {
  full: [
    { name: '10 k payments, 100 due', payments: 10 * k, due: 100 },
    { name: '10 k payments, 10 k due', payments: 10 * k, due: 10 * k },
    { name: '500 k payments, 10 k due', payments: 500 * k, due: 10 * k },
    { name: '10 k payments, 5 k notified', payments: 10 * k, due: 0, notified: 5 * k },
    { name: '500 k payments, 250 k notified', payments: 500 * k, due: 0, notified: 250 * k },
    { name: '2 M payments, 1 M due', payments: 2_000 * k, due: 1_000 * k },
    {
      name: '2 M payments, 1 M due, 100 k of them failing',
      payments: 2_000 * k,
      due: 1_000 * k,
      failing: 100 * k,
    },
  ],
  quick: [
    { name: '10 k payments, 100 due', payments: 10 * k, due: 100 },
    { name: '100 k payments, 50 k due', payments: 100 * k, due: 50 * k },
    {
      name: '100 k payments, 50 k due, 10 k of them failing',
      payments: 100 * k,
      due: 50 * k,
      failing: 10 * k,
    },
    { name: '10 k payments, 5 k notified', payments: 10 * k, due: 0, notified: 5 * k },
    { name: '50 k payments, 20 k notified', payments: 50 * k, due: 0, notified: 20 * k },
  ],
  tiny: [
    { name: '200 payments, 100 due', payments: 200, due: 100 },
    { name: '500 payments, 200 due', payments: 500, due: 200 },
  ],
};

const HOUR_MS = 3_600_000;
/** In business time, which is moved on once the shop is filled: nothing is due before. */
const STOPPED_IN_MS = 2 * HOUR_MS;
const OFFSET_MS = 3 * HOUR_MS;

/** Makes notified payments due, if that is a step of its own. */
function isHandOver({ sql }: SentStatement): boolean {
  return (
    sql.includes('SKIP LOCKED') &&
    sql.includes('payments_due') &&
    /UPDATE [\w".]*payments_notifications"?\s/.test(sql)
  );
}

/** Claims payments to be re-read: it writes to them, or to their queue, and skips what others have locked. */
function isClaim(statement: SentStatement): boolean {
  const { sql } = statement;
  return (
    sql.includes('SKIP LOCKED') &&
    /UPDATE [\w".]*payments_(due|payments)"?\s/.test(sql) &&
    !isHandOver(statement)
  );
}

export const claim: Bench = {
  name: 'claim',
  what: 'the statement that claims payments to be re-read, in shops of all sizes',
  notes: [
    'The statement is the one the module sends, with its parameters, recorded by the data source’s logger while a process sweeps that shop. It is run again and rolled back; buffers by EXPLAIN (ANALYZE, BUFFERS), hit and read together, for each row taken.',
    'Stale: the tables were analyzed with a hundredth of their rows. Fresh: analyzed with all. Autovacuum is off. The bar of the time is 10 ms; its ratio to the smallest shop’s must stay below 3.',
    'Of the claims that a process sends in its first moments, the one that takes the most payments is measured. A hand-over makes notified payments due; without a hand-over, claims find them by themselves.',
    'The due payments were created evenly over an hour and polled by the plan until the processes stopped: some fourteen streams, each in the order of creation. The notified ones were paid at any time within ten minutes of their create. Ids are those that the module and the service make, in the order of creation; a hundredth of the payments is from a day before.',
    'Nothing is leased when the claim is measured. In a shop at work it also reads past what all processes have claimed at that moment, a buffer for each row: up to 64 per process, and 128 if the service is slow.',
    'Every other failing payment rests until tomorrow, and all others may be tried again.',
  ],
  async run(stage) {
    const service = await stage.start<Service>('contenders/service', account);
    // Nothing is re-read while statements are recorded.
    await service.steps.setLatency(20_000);
    const serviceUrl = await service.steps.url();
    const figures: Figure[] = [];
    for (const shop of shops[stage.effort]) figures.push(...(await measure(stage, serviceUrl, shop)));
    return figures.map((figure): Figure => {
      if (figure.unit === '') return figure;
      const against = figures.find((one) => one.case === figure.case && one.unit === figure.unit)?.contender;
      if (against === undefined || against === figure.contender) return figure;
      return { ...figure, against, bar: figure.unit === 'buffers' ? ratioAtMost(1.3) : atMost(10, 5) };
    });
  },
};

/** One shop, with stale statistics and with fresh ones. */
async function measure(stage: Stage, serviceUrl: string, shop: Shop): Promise<Figure[]> {
  const databaseUrl = await stage.migrated('claim');
  const settings: HoldfastSettings = {
    databaseUrl,
    serviceUrl,
    poolSize: 10,
    recordStatements: true,
    options: { sweeps: { intervalMs: 100 }, rereads: { perSecond: 1_000, burst: 100_000 } },
  };
  const host = await stage.start<Holdfast>('contenders/holdfast', settings);
  const client = await stage.client(databaseUrl);
  await fill(client, shop);
  await host.steps.statements();
  await host.steps.setOffset(OFFSET_MS);
  const sent = await recorded(() => host.steps.statements());
  await host.close();
  // The space of the old rows is free again.
  await client.query('UPDATE payments_due SET lease_until = NULL, fence = NULL WHERE fence IS NOT NULL');
  const kinds: readonly (readonly [what: string, statement: SentStatement | null])[] = [
    ['claim', await largest(client, sent.filter(isClaim))],
    ['hand-over', await largest(client, sent.filter(isHandOver))],
  ];
  const figures: Figure[] = [];
  for (const statistics of ['stale', 'fresh']) {
    if (statistics === 'fresh') await client.query('ANALYZE');
    for (const [what, statement] of kinds) {
      if (statement === null) continue;
      const samples = await interleave([{ name: shop.name, run: () => once(client, statement) }], {
        rounds: stage.rounds,
        warmUps: 2,
      });
      const kind = `${what}, ${statistics} statistics`;
      figures.push(
        ...compare(samples, { case: `${kind}, for each row`, metric: 'buffers', unit: 'buffers' }),
        ...compare(samples, { case: kind, metric: 'ms', unit: 'ms' }),
        ...compare(samples, { case: `${kind}, rows`, metric: 'claimed', unit: '' }),
      );
    }
  }
  await client.end();
  await stage.server.drop(databaseUrl);
  return figures;
}

/**
 * Settled payments of a day, and waiting payments of the hour after it, in a shop whose tables were last analyzed some hours
 * before, with a hundredth of the rows. The hour ends when the processes stop; nothing is due before they start again.
 */
async function fill(client: Client, { payments, due, notified = 0, failing = 0 }: Shop): Promise<void> {
  for (const table of ['payments_payments', 'payments_orders', 'payments_notifications', 'payments_due'])
    await client.query(`ALTER TABLE IF EXISTS ${table} SET (autovacuum_enabled = false)`);
  const stoppedAt = Date.now() + STOPPED_IN_MS;
  const hoursBefore = (hours: number) => sqlTime(stoppedAt - hours * HOUR_MS);
  const all = async (share: number, settledOver: number, hoursAgo: number) => {
    const part = (count: number): number => Math.floor(count * share);
    await loadPayments(client, {
      count: part(payments - due - notified),
      status: 'succeeded',
      from: hoursBefore(hoursAgo + 1 + settledOver),
      over: `${settledOver} hours`,
    });
    const waiting = { status: 'pending', from: hoursBefore(hoursAgo + 1), over: '1 hour' } as const;
    await loadPayments(client, {
      ...waiting,
      count: part(due),
      dueAt: pollAt(sqlTime(stoppedAt)),
      failing: failing === 0 ? null : due / failing,
    });
    await loadPayments(client, {
      ...waiting,
      count: part(notified),
      // Buyers take their time.
      notifiedAt: `GREATEST(at, ${hoursBefore(1)}) + random() * interval '10 minutes'`,
    });
  };
  await all(0.01, 1, 25);
  await client.query('ANALYZE');
  await all(0.99, 24, 0);
}

function sqlTime(ms: number): string {
  return `timestamptz '${new Date(ms).toISOString()}'`;
}

/** SQL of when a payment without a notification is polled next, in a shop whose processes stop at such a time. */
function pollAt(stoppedAt: string): string {
  const polls: number[] = [];
  for (let ageMs = 0; ageMs < 30 * HOUR_MS; polls.push(ageMs))
    ageMs += nextCheckDelayMs({ status: 'pending', checks: polls.length, ageMs }) ?? Infinity;
  const plan = `'{${polls.join(',')}}'::float8[]`;
  return `at + (${plan})[width_bucket(extract(epoch FROM ${stoppedAt} - at)::float8 * 1000, ${plan}) + 1] * interval '1 ms'`;
}

/** The statements of these kinds that a process sends in its first moments. */
async function recorded(take: () => Promise<readonly SentStatement[]>): Promise<readonly SentStatement[]> {
  const seen: SentStatement[] = [];
  for (let looks = 0; looks < 15 || (seen.length === 0 && looks < 300); looks += 1) {
    seen.push(...(await take()).filter((sent) => isClaim(sent) || isHandOver(sent)));
    await delay(100);
  }
  return seen;
}

/** The statement of a kind that takes the most rows when it is run now; null if none takes any. */
async function largest(client: Client, statements: readonly SentStatement[]): Promise<SentStatement | null> {
  const kinds = [...new Map(statements.map((sent) => [JSON.stringify(sent), sent])).values()].slice(-60);
  let best: { sent: SentStatement; claimed: number } | null = null;
  for (const sent of kinds) {
    const { claimed } = await once(client, sent);
    if (claimed > (best?.claimed ?? 0)) best = { sent, claimed };
  }
  return best?.sent ?? null;
}

/** Its time as it runs, its buffers as explained; nothing stays claimed. */
async function once(client: Client, { sql, parameters }: SentStatement) {
  const rolledBack = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await client.query('BEGIN');
    try {
      return await work();
    } finally {
      await client.query('ROLLBACK');
    }
  };
  let claimed = 0;
  const ms = await rolledBack(() =>
    timed(async () => {
      claimed = (await client.query(sql, [...parameters])).rowCount ?? 0;
    }),
  );
  const { rows } = await rolledBack(() =>
    client.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`,
      [...parameters],
    ),
  );
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  const buffers = (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
  return { ms, claimed, ...(claimed > 0 && { buffers: buffers / claimed }) };
}
