import { connectMany } from '../partner/connected-many.js';
import {
  app,
  openPartnerBench,
  orderIn,
  type PartnerBench,
  type PartnerHost,
} from '../partner/partner-bench.js';
import { eventually } from '../support/eventually.js';

/** With more due payments than the other stores have together. */
const GREEDY_PAYMENTS = 40;
const STORES = 20;

describe('the sweep’s time', () => {
  let bench: PartnerBench;
  let host: PartnerHost;
  let stores: { id: string; accountId: string }[];
  beforeEach(async () => {
    bench = await openPartnerBench();
    // Nothing is swept until all is prepared.
    host = await bench.startHost({ sweeps: false });
    stores = await connectMany(
      host,
      bench.sandbox.tokens.connectMany({ clientId: app.clientId, count: STORES }),
    );
  });
  afterEach(() => bench.close());

  /** Paid, and nobody was notified: only the sweep finds out. */
  async function payUnnoticed(store: string, count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let made = 0; made < count; made += 1) {
      const { id, serviceId } = await host.payments.create(orderIn(store));
      bench.sandbox.faults.order({ on: 'notification', fault: 'drop' });
      bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
      ids.push(id);
    }
    return ids;
  }
  const succeeded = (id: string, store: string) =>
    eventually(
      () => host.payments.get(id, { store }),
      ({ status }) => status === 'succeeded',
    );

  it('goes round: no store has its third turn before every one has had its first, however many payments wait in one', async () => {
    const [greedy, ...others] = stores;
    if (!greedy) throw new Error('There is no store.');
    await payUnnoticed(greedy.id, GREEDY_PAYMENTS);
    const each = await Promise.all(
      others.map(async ({ id }) => ({ id, payments: await payUnnoticed(id, 3) })),
    );
    // On a busy machine the first ones are due by now; from here on all are, before anything is swept.
    await bench.sandbox.clock.advance(60_000);
    const turns: string[] = [];
    const sweeper = await bench.startHost({
      hooks: {
        onRequest: ({ operation, store }) => {
          if (operation === 'fetchPayment' && store !== null) turns.push(store);
        },
      },
    });
    await Promise.all(each.flatMap(({ id, payments }) => payments.map((payment) => succeeded(payment, id))));
    const lastFirst = Math.max(...stores.map(({ id }) => turns.indexOf(id)));
    const firstRound = turns.slice(0, lastFirst);
    const most = Math.max(...stores.map(({ id }) => firstRound.filter((store) => store === id).length));
    expect(most).toBeLessThanOrEqual(2);
    await sweeper.close();
  });

  it('is not used up by a store that does not answer', async () => {
    const [dead, ...others] = stores;
    if (!dead) throw new Error('There is no store.');
    await payUnnoticed(dead.id, 20);
    const each = await Promise.all(
      others.map(async ({ id }) => ({ id, payments: await payUnnoticed(id, 2) })),
    );
    bench.sandbox.faults.order({ on: 'read', fault: 'stall', store: dead.accountId, times: 1_000 });
    const sweeper = await bench.startHost({ requestTimeoutMs: 60_000, callDeadlineMs: 60_000 });
    await bench.sandbox.clock.advance(60_000);
    // All of them, while not one request of the dead store has ended.
    await Promise.all(each.flatMap(({ id, payments }) => payments.map((payment) => succeeded(payment, id))));
    expect(
      bench.sandbox.ledger.requestCount({ endpoint: 'read', accountId: dead.accountId }),
      // Half of the slots.
    ).toBeLessThanOrEqual(16);
    bench.sandbox.faults.clear();
    await sweeper.close();
  });

  /**
   * Dead stores have more to do than any loop has slots, and are the first in the queue, until all others have had their turn.
   */
  it.each([
    [
      're-reads',
      'read',
      9,
      'payments_due',
      'ready_at',
      `store_id AS store FROM payments_payments WHERE status = 'succeeded'`,
    ],
    [
      'looks for refunds',
      'list_refunds',
      3,
      'payments_stores',
      'refund_watch_at',
      'id AS store FROM payments_stores WHERE refunds_seen_to IS NOT NULL',
    ],
    [
      'looks after them',
      'me',
      5,
      'payments_stores',
      'maintenance_at',
      `id AS store FROM payments_stores WHERE maintenance_at > now() + interval '1 hour'`,
    ],
  ] as const)(
    'is not used up by several stores that do not answer: the sweep %s',
    async (_what, endpoint, deadCount, table, dueColumn, done) => {
      const dead = stores.slice(0, deadCount);
      // 36 payments of the dead stores, at the front of 32 slots.
      if (endpoint === 'read')
        for (const store of stores) await payUnnoticed(store.id, dead.includes(store) ? 4 : 1);
      for (const { accountId } of dead)
        bench.sandbox.faults.order({ on: endpoint, fault: 'stall', store: accountId, times: 1_000 });
      const of = table === 'payments_stores' ? 'id' : 'store_id';
      await host.dataSource.query(
        `UPDATE ${table} SET ${dueColumn} = now() - CASE WHEN ${of} = ANY($1) THEN interval '1 day' ELSE interval '1 minute' END`,
        [dead.map(({ id }) => id)],
      );
      const sweeper = await bench.startHost({ requestTimeoutMs: 120_000, callDeadlineMs: 120_000 });
      const found = await eventually(
        () =>
          host.dataSource.query<{ store: string }[]>(
            `SELECT store FROM (SELECT ${done}) done WHERE store = ANY($1)`,
            [stores.map(({ id }) => id)],
          ),
        ({ length }) => length >= STORES - deadCount,
      );
      const seenTo = found.map(({ store }) => store);
      expect(dead.filter(({ id }) => seenTo.includes(id))).toEqual([]);
      bench.sandbox.faults.clear();
      await sweeper.close();
    },
  );
});
