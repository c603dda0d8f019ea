import { compare, type Bench } from '../bench.js';
import { timed } from '../contenders/at-once.js';
import type { Board } from '../contenders/board.js';
import { account } from '../contenders/payment-object.js';
import type { Service } from '../contenders/service.js';
import { ratioAtMost, type Bar, type Figure } from '../figures.js';
import { loadPayments, type LoadedPayment } from '../load/load.js';
import { withoutIndexes } from '../load/without-indexes.js';
import type { Stage } from '../stage/stage.js';

const ROW = 'SELECT by primary key';
const SMALL = 'page, small shop';
const BIG = 'page, big shop';
/** Of which a fortnight of the big shop has seventy thousand. */
const AGE = '400 days';

interface Page {
  /** Its address below the board's, for one of the payments that are there. */
  readonly path: (payment: LoadedPayment) => string;
  /** Of the big shop beside the row. */
  readonly bar: Bar;
}

/** The bars are half as much again as the first run had: on 26 November 2026, while a dozen other processes wanted both cores. */
const pages: Readonly<Record<string, Page>> = {
  overview: { path: () => 'overview', bar: ratioAtMost(140) },
  'payments, the newest': { path: () => 'payments', bar: ratioAtMost(160) },
  'payments, a page in the middle': {
    path: () => `payments?${new URLSearchParams({ cursor: middle() }).toString()}`,
    bar: ratioAtMost(160),
  },
  'payments, of one status': { path: () => 'payments?status=succeeded', bar: ratioAtMost(125) },
  'search, an order': { path: ({ reference }) => `payments?q=${reference}`, bar: ratioAtMost(60) },
  'search, last four digits': { path: () => 'payments?q=*1234', bar: ratioAtMost(180) },
  'search, an amount': { path: () => 'payments?q=100,00', bar: ratioAtMost(120) },
  'a payment': { path: ({ id }) => `payments/${id}`, bar: ratioAtMost(140) },
};

export const board: Bench = {
  name: 'board',
  what: 'pages of the board in a shop with two million settled payments, beside one row read by its primary key',
  notes: [
    'The mean of pages that are asked for over HTTP one after the other, beside that of rows which the process of the pages reads through the same pool. The tables are analyzed.',
    `The payments are of ${AGE}, so that the big shop has 5,000 a day. All are of one amount, which the search by amount looks for.`,
    'Each page counts what waits, and the overview sums fourteen days. Its first look in a process reads each event of these days; the others read what came since.',
    'The small shop has five thousand payments. With --quick the big one has 100,000.',
  ],
  async run(stage) {
    const service = await stage.start<Service>('contenders/service', account);
    const serviceUrl = await service.steps.url();
    const big = await shop(stage, serviceUrl, stage.size(2_000_000, 100_000, 1_000));
    const small = await shop(stage, serviceUrl, stage.size(5_000, 5_000, 200));
    const count = stage.size(40, 10, 2);
    const figures: Figure[] = [];
    for (const [name, { path, bar }] of Object.entries(pages)) {
      const samples = await stage.race(name, [
        { name: ROW, run: (round) => big.rows(round, 10 * count) },
        { name: SMALL, run: (round) => small.pages(round, count, path) },
        { name: BIG, run: (round) => big.pages(round, count, path) },
      ]);
      const comparison = { case: name, metric: 'mean', unit: 'ms', against: ROW } as const;
      figures.push(...compare(samples, { ...comparison, bars: { [BIG]: bar } }));
    }
    const firsts = await stage.race(
      'first overview',
      [
        { name: SMALL, run: () => small.firstOverview() },
        { name: BIG, run: () => big.firstOverview() },
      ],
      { warmUps: 0 },
    );
    figures.push(...compare(firsts, { case: 'overview, the first of a process', metric: 'ms', unit: 'ms' }));
    return figures;
  },
};

async function shop(stage: Stage, serviceUrl: string, payments: number) {
  const settings = { databaseUrl: await stage.migrated('board'), serviceUrl };
  const { steps: host } = await stage.start<Board>('contenders/board', settings);
  const client = await stage.client(settings.databaseUrl);
  stage.report(`${payments} payments are loaded`);
  const loaded = await withoutIndexes(client, () =>
    loadPayments(client, {
      count: payments,
      status: 'succeeded',
      withHistory: true,
      from: `now() - interval '${AGE}'`,
      over: AGE,
    }),
  );
  await client.query('VACUUM ANALYZE');
  const url = await host.url();
  const subjects = (round: number, count: number) =>
    Array.from({ length: count }, (_, index) => {
      const subject = loaded[((round + 1) * count + index) % loaded.length];
      if (!subject) throw new Error('No payment was loaded.');
      return subject;
    });
  return {
    rows: (round: number, count: number) => host.rows({ ids: subjects(round, count).map(({ id }) => id) }),

    async pages(round: number, count: number, path: Page['path']) {
      const ms = await timed(async () => {
        for (const subject of subjects(round, count)) await page(`${url}/${path(subject)}`);
      });
      return { mean: ms / count };
    },

    /** In a process that has shown other pages before. */
    async firstOverview() {
      const other = await stage.start<Board>('contenders/board', settings);
      const otherUrl = await other.steps.url();
      for (let shown = 0; shown < 3; shown += 1) await page(`${otherUrl}/payments`);
      const ms = await timed(() => page(`${otherUrl}/overview`));
      await other.close();
      return { ms };
    },
  };
}

/** A place as a page's cursor has it. */
function middle(): string {
  const at = new Date(Date.now() - 200 * 86_400_000);
  return `${at.toISOString()} 00000000-0000-0000-0000-000000000000`;
}

async function page(address: string): Promise<void> {
  const response = await fetch(address);
  const text = await response.text();
  if (!response.ok || !text.includes('</html>')) throw new Error(`${address} answered ${response.status}.`);
}
