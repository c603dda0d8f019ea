import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { percentile } from '../../common/percentile.js';
import type { Bench } from '../bench.js';
import { atOnce, perSecond, timed } from '../contenders/at-once.js';
import type { Holdfast, HoldfastSettings } from '../contenders/holdfast.js';
import type { SandboxService } from '../contenders/sandbox.js';
import { CREATE_EFFECTS } from '../contenders/statements.js';
import { atMost, ratioAtMost, type Figure, type Unit } from '../figures.js';
import { loadPayments } from '../load/load.js';
import type { Child } from '../stage/child.js';
import { CommitProbe } from '../stage/commit-probe.js';
import { serverMemory, tableStates, type TableState } from '../stage/server-state.js';
import type { Stage } from '../stage/stage.js';
import { shortNumber } from '../table.js';

const BUYERS = 16;
const TENTHS = 10;
const SECOND = 'second tenth';
const LAST = 'last tenth';
const OURS = 'Holdfast';
const MIB = 1024 * 1024;
const LOOK_MS = 200;
/** What is still open then stays so. */
const GIVE_UP_MS = 60_000;

/** One in twenty is refunded by the shop's handler, one is declined, two are held and captured by the handler. */
const courses = ['refunded', 'declined', 'held', 'held', ...Array<'paid'>(16).fill('paid')] as const;
type Course = (typeof courses)[number];

const courseOf = (number: number): Course => courses[number % courses.length] ?? 'paid';

/** What was measured in one tenth of the run, or at its end. */
interface Tenth {
  /** For each payment, in ms. */
  readonly each: number;
  readonly commitP50: number;
  readonly commitP99: number;
  readonly shop: number;
  readonly sandbox: number;
  readonly server: number;
  readonly tables: readonly TableState[];
}

export const day: Bench = {
  name: 'day',
  what: 'a long run, from each create to the last handler, in tenths of its payments',
  notes: [
    `${BUYERS} buyers, each with one payment after the other: of twenty, sixteen are paid, two are held and captured by the shop's handler in its own transaction, one is refunded by it and one is declined. Each ends with the handler of its last event, which inserts a row as every handler here. One shop process; the rate limit of re-reads is raised to 1,000 a second. The service is the sandbox.`,
    'Commit: a transaction beside them that writes next to nothing, twenty a second. Memory of the shop: after a garbage collection. The sandbox keeps all payments in memory, so it grows. PostgreSQL: what its processes have for themselves.',
    'Sizes with indexes. Dead rows are those that no vacuum has removed yet; autovacuum as installed.',
    'Queue: payments due, unhandled notifications and unfinished deliveries. Books: differences that the module’s own audit of the run finds. Handlers’ rows: missing ones and those too many.',
  ],
  async run(stage) {
    const payments = stage.asked.payments ?? stage.size(10_000, 1_000, 60);
    const settled = stage.asked.settled ?? stage.size(100_000, 10_000, 200);
    const sandbox = await stage.start<SandboxService>('contenders/sandbox', {});
    const databaseUrl = await stage.migrated('day', CREATE_EFFECTS);
    const settings: HoldfastSettings = {
      databaseUrl,
      serviceUrl: await sandbox.steps.url(),
      poolSize: 10,
      handlers: 'a shop’s',
      options: { rereads: { perSecond: 1_000, burst: 100_000 } },
    };
    const shop = await stage.start<Holdfast>('contenders/holdfast', settings);
    await sandbox.steps.setNotifyUrl(await shop.steps.webhookUrl());
    const client = await stage.client(databaseUrl);
    stage.report(`${settled} settled payments are loaded`);
    await loadPayments(client, {
      count: settled,
      status: 'succeeded',
      withHistory: true,
      from: `now() - interval '3 days'`,
      over: '1 day',
    });
    await client.query('VACUUM (ANALYZE)');

    const from = new Date();
    const numbers = Array.from({ length: payments }, (_, index) => index);
    const probe = new CommitProbe(await stage.client(databaseUrl));
    const tenths: Tenth[] = [];
    for (let tenth = 0; tenth < TENTHS; tenth += 1) {
      const part = numbers.slice((tenth * payments) / TENTHS, ((tenth + 1) * payments) / TENTHS);
      probe.take();
      const ms = await timed(() => atOnce(BUYERS, part, (number) => buy(shop, sandbox, number)));
      const commits = probe.take();
      await shop.steps.flushStatistics();
      tenths.push({
        each: ms / part.length,
        commitP50: percentile(commits, 50),
        commitP99: percentile(commits, 99),
        shop: (await shop.residentMemory()) / MIB,
        sandbox: (await sandbox.steps.memory()) / MIB,
        server: (await serverMemory(client)) / MIB,
        tables: await tableStates(client),
      });
      const leftMs = (ms / part.length) * (payments - (tenth + 1) * (payments / TENTHS));
      stage.report(
        `tenth ${tenth + 1}: ${shortNumber(perSecond(part.length, ms))} payments a second, ${Math.ceil(leftMs / 60_000)} min left`,
      );
    }
    await probe.stop();
    const left = await untilEmpty(client);
    const { differences } = await shop.steps.audit({ from, to: new Date() });
    show(stage, tenths);
    return [
      ...compareTenths(tenths),
      ...atTheEnd({
        'left in the queue': left,
        'differences in the books': differences,
        'handlers’ rows amiss': await rowsAmiss(client, numbers),
        anomalies: await countOf(client, `payments_events WHERE name = 'payment.anomaly'`),
      }),
    ];
  },
};

async function buy(shop: Child<Holdfast>, sandbox: Child<SandboxService>, number: number): Promise<void> {
  const course = courseOf(number);
  const { id, serviceId } = await shop.steps.create({
    reference: `${course}-${number}`,
    capture: course !== 'held',
  });
  await sandbox.steps.pay({ id: serviceId, outcome: course === 'declined' ? 'decline' : 'succeed' });
  await shop.steps.handled(id);
}

function compareTenths(tenths: readonly Tenth[]): Figure[] {
  const [second, last] = [tenths[1], tenths.at(-1)];
  if (!second || !last) return [];
  const pair = (what: string, unit: Unit, value: (tenth: Tenth) => number, judged: boolean): Figure[] => [
    { case: what, contender: SECOND, unit, rounds: [value(second)], against: SECOND },
    {
      case: what,
      contender: LAST,
      unit,
      rounds: [value(last)],
      against: SECOND,
      ...(judged && { bar: ratioAtMost(1.1) }),
    },
  ];
  return [
    ...pair('payments', '/s', ({ each }) => 1_000 / each, false),
    ...pair('time for each payment', 'ms', ({ each }) => each, true),
    ...pair('commit, p50', 'ms', ({ commitP50 }) => commitP50, true),
    ...pair('commit, p99', 'ms', ({ commitP99 }) => commitP99, false),
    ...pair('memory of the shop', 'MiB', ({ shop }) => shop, true),
  ];
}

function atTheEnd(counts: Readonly<Record<string, number>>): Figure[] {
  return Object.entries(counts).map(([what, count]) => ({
    case: `at the end: ${what}`,
    contender: OURS,
    unit: '',
    rounds: [count],
    bar: atMost(0),
  }));
}

function show(stage: Stage, tenths: readonly Tenth[]): void {
  const numbers = tenths.map((_, index) => String(index + 1));
  const row = (
    what: string,
    value: (tenth: Tenth) => number | undefined,
    text: (value: number) => string = shortNumber,
  ): string[] => [what, ...tenths.map((tenth) => text(value(tenth) ?? Number.NaN))];
  stage.show({
    what: 'in tenths of the run',
    headings: ['tenth', ...numbers],
    rows: [
      row('payments a second', ({ each }) => 1_000 / each),
      row('commit, p50, ms', ({ commitP50 }) => commitP50),
      row('commit, p99, ms', ({ commitP99 }) => commitP99),
      row('shop, MiB', ({ shop }) => shop),
      row('sandbox, MiB', ({ sandbox }) => sandbox),
      row('PostgreSQL, MiB', ({ server }) => server),
    ],
  });
  const ofTable = (name: string) => (tenth: Tenth) => tenth.tables.find((table) => table.name === name);
  const names = tenths[0]?.tables.map(({ name }) => name) ?? [];
  stage.show({
    what: 'size of each table at the end of each tenth, MiB',
    headings: ['table', ...numbers],
    rows: names.map((name) => row(name, (tenth) => (ofTable(name)(tenth)?.size ?? Number.NaN) / MIB)),
  });
  stage.show({
    what: 'dead rows of each table at the end of each tenth',
    headings: ['table', ...numbers],
    rows: names.map((name) => row(name, (tenth) => ofTable(name)(tenth)?.dead, String)),
  });
}

/** Waits until nothing is left to do; returns how much is left if that does not come. */
async function untilEmpty(client: Client): Promise<number> {
  const until = performance.now() + GIVE_UP_MS;
  for (;;) {
    const left =
      (await countOf(client, 'payments_due')) +
      (await countOf(client, 'payments_notifications WHERE count > handled_count')) +
      (await countOf(client, 'payments_deliveries WHERE done_at IS NULL'));
    if (left === 0 || performance.now() > until) return left;
    await delay(LOOK_MS);
  }
}

/** A handler's row for every end of a payment, and one more for each refund. */
async function rowsAmiss(client: Client, numbers: readonly number[]): Promise<number> {
  const expected = numbers.length + numbers.filter((number) => courseOf(number) === 'refunded').length;
  const made = await countOf(client, '(SELECT DISTINCT handler, payment_id FROM bench_effects) made');
  return expected - made + ((await countOf(client, 'bench_effects')) - made);
}

async function countOf(client: Client, rows: string): Promise<number> {
  const { rows: counted } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${rows}`,
  );
  return counted[0]?.count ?? 0;
}
