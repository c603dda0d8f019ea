/**
 * How the sweep shares its time between many stores, one of which does not answer. Not part of the suite:
 * `STORES=1000 npm test -- --testMatch '**\/*.bench.ts' test/bench/stores`.
 */
import { performance } from 'node:perf_hooks';
import { connectMany } from '../partner/connected-many.js';
import { app, openPartnerBench, orderIn } from '../partner/partner-bench.js';

const STORES = Number(process.env['STORES'] ?? 100);
const PAYMENTS = Number(process.env['PAYMENTS'] ?? 2);
const OF_THE_DEAD = 50;
const TOO_LONG_MS = 20 * 60_000;

it(
  `${STORES} stores with ${PAYMENTS} due payments each, one of them dead`,
  async () => {
    const bench = await openPartnerBench();
    const host = await bench.startHost({ sweeps: false });
    const stores = await connectMany(
      host,
      bench.sandbox.tokens.connectMany({ clientId: app.clientId, count: STORES }),
    );
    const [dead] = stores;
    if (!dead) throw new Error('There is no store.');
    const wanted = stores.flatMap(({ id }) =>
      Array.from({ length: id === dead.id ? OF_THE_DEAD : PAYMENTS }, () => id),
    );
    const preparedAt = performance.now();
    await inParallel(wanted, async (store) => {
      const { serviceId } = await host.payments.create(orderIn(store));
      bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    });
    report(`prepared ${wanted.length} payments in ${seconds(preparedAt)}`);
    bench.sandbox.faults.order({ on: 'read', fault: 'stall', store: dead.accountId, times: 1_000_000 });

    const reads = new Map<string, number[]>();
    let startedAt = performance.now();
    await bench.sandbox.clock.advance(60_000);
    const sweeper = await bench.startHost({
      requestTimeoutMs: 5_000,
      callDeadlineMs: 10_000,
      hooks: {
        onRequest: ({ operation, store }) => {
          if (operation !== 'fetchPayment' || store === null) return;
          if (reads.size === 0) startedAt = performance.now();
          reads.set(store, [...(reads.get(store) ?? []), performance.now() - startedAt]);
        },
      },
    });
    const left = async () => {
      const rows = await host.dataSource.query<{ left: number }[]>(
        `SELECT count(*)::int AS left FROM payments_payments WHERE status = 'pending' AND store_id <> $1`,
        [dead.id],
      );
      return rows[0]?.left ?? 0;
    };
    while ((await left()) > 0) await new Promise((resolve) => setTimeout(resolve, 250));
    report(`every payment of the living is known after ${seconds(startedAt)}`);
    const nth = (n: number) =>
      stores
        .filter(({ id }) => id !== dead.id)
        .map(({ id }) => reads.get(id)?.[n] ?? Infinity)
        .toSorted((a, b) => a - b);
    for (let n = 0; n < PAYMENTS; n += 1) {
      const at = nth(n).map((ms) => `${(ms / 1_000).toFixed(2)} s`);
      report(
        `re-read ${n + 1} of a store: first ${at[0]}, median ${at[Math.floor(at.length / 2)]}, last ${at.at(-1)}`,
      );
    }
    report(`re-reads of the dead store meanwhile: ${reads.get(dead.id)?.length ?? 0}`);
    bench.sandbox.faults.clear();
    await sweeper.close();
    await bench.close();
  },
  TOO_LONG_MS,
);

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items];
  const worker = async (): Promise<void> => {
    for (let item = rest.pop(); item !== undefined; item = rest.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1_000).toFixed(1)} s`;
}

function report(line: string): void {
  process.stdout.write(`${line}\n`);
}
