import type { Payment } from '@holdfast/payments';
import { HandOver } from '../../libs/payments/src/notifications/hand-over.js';
import type { Claim } from '../../libs/payments/src/reconcile/claim.js';
import { Claims } from '../../libs/payments/src/reconcile/claims.js';
import { Reconciler } from '../../libs/payments/src/reconcile/reconciler.js';
import { Rereads } from '../../libs/payments/src/reconcile/rereads.js';
import { StoreTurns } from '../../libs/payments/src/stores/store-turns.js';
import { StoreRegistry } from '../../libs/payments/src/stores/store.registry.js';
import { WorkSignal } from '../../libs/payments/src/work/work-signal.js';
import { WorkerPool } from '../../libs/payments/src/work/worker-pool.js';
import { eventually } from '../support/eventually.js';
import {
  openBench,
  orderInput,
  sendNotification,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';

/** Of which none is earned back while a test runs, but for what a test gives back itself. */
const SLOW = { perSecond: 0.1 };
const EVERY_MS = 10_000;

describe('a store whose polls are overdue', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await openBench();
  });
  afterEach(() => bench.close());

  const start = (burst: number) => bench.startHost({ sweeps: false, rereads: { ...SLOW, burst } });

  async function unpaid(host: PaymentsHost, count: number): Promise<Payment[]> {
    const payments: Payment[] = [];
    while (payments.length < count)
      payments.push(
        ...(await Promise.all(
          Array.from({ length: Math.min(10, count - payments.length) }, () =>
            host.payments.create(orderInput()),
          ),
        )),
      );
    return payments;
  }

  /** The buyer pays; what the service sends is stored and handed over. */
  async function pays(host: PaymentsHost, payment: Payment): Promise<void> {
    bench.sandbox.faults.order({ on: 'notification', fault: 'drop' });
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    await told(host, payment);
  }

  async function told(host: PaymentsHost, { serviceId }: Pick<Payment, 'serviceId'>): Promise<void> {
    const body = { type: 'notification', event: 'payment.succeeded', object: { id: serviceId } };
    expect((await sendNotification(host, body)).status).toBe(200);
    while (await host.app.get(HandOver, { strict: false }).runNext());
  }

  function claimed(host: PaymentsHost, most = 32): Promise<Claim[]> {
    const { shop } = host.app.get(StoreRegistry, { strict: false });
    return host.app
      .get(Claims, { strict: false })
      .take({ stores: [{ id: shop?.id ?? '', most }], most, failing: 16 });
  }

  /** As a sweep does: claims what it may and re-reads it. Returns their ids. */
  async function swept(host: PaymentsHost, most = 32): Promise<string[]> {
    const claims = await claimed(host, most);
    for (const claim of claims)
      await host.app
        .get(Reconciler, { strict: false })
        .run(claim, 'sweep')
        .catch(() => null);
    return claims.map(({ paymentId }) => paymentId);
  }

  async function sweptAll(host: PaymentsHost): Promise<string[]> {
    const all: string[] = [];
    for (let ids = await swept(host); ids.length > 0; ids = await swept(host)) all.push(...ids);
    return all;
  }

  const passes = (requests: number) =>
    bench.asOwner(
      `UPDATE payments_rate_limits SET spent_to = spent_to - interval '${requests * EVERY_MS} milliseconds'`,
    );

  it('knows at once of a buyer who paid, though 200 polls have spent all that they may', async () => {
    const host = await start(10);
    const [buyer, ...others] = await unpaid(host, 201);
    if (!buyer) throw new Error('There is no buyer.');
    await bench.sandbox.clock.advance(60_000);
    const polled = await sweptAll(host);
    expect(polled).toHaveLength(5);
    expect(await swept(host)).toEqual([]);
    await pays(host, buyer);
    expect(await swept(host)).toEqual([buyer.id]);
    expect((await host.payments.get(buyer.id)).status).toBe('succeeded');
    expect(others).toHaveLength(200);
  });

  it('knows of buyers who paid before it polls 900 orders of one visitor', async () => {
    const host = await start(100);
    const [sample] = await unpaid(host, 1);
    // Only the queue matters: their rows are never read.
    await bench.asOwner(
      `WITH shop AS (SELECT store_id, order_id FROM payments_payments WHERE id = $1), made AS (
         INSERT INTO payments_orders (id, store_id, reference, currency, total_due_minor, paid_minor, state, created_at, updated_at)
         SELECT gen_random_uuid(), store_id, 'visitor-' || n, 'RUB', 10000, 0, 'unpaid', now(), now() FROM shop, generate_series(1, 900) n
         RETURNING id, store_id
       ), payments AS (
         INSERT INTO payments_payments (id, store_id, order_id, intent_key, service_id, status, currency, amount_minor, capture, created_at, updated_at)
         SELECT gen_random_uuid(), store_id, id, id, gen_random_uuid()::text, 'pending', 'RUB', 10000, true, now(), now() FROM made
         RETURNING id, store_id
       ) INSERT INTO payments_due (payment_id, store_id, ready_at) SELECT id, store_id, now() FROM payments`,
      [sample?.id],
    );
    const buyers = await unpaid(host, 20);
    await bench.sandbox.clock.advance(60_000);
    expect(await claimed(host)).toHaveLength(32);
    expect(await claimed(host)).toHaveLength(18);
    expect(await claimed(host)).toHaveLength(0);
    for (const buyer of buyers) await pays(host, buyer);
    expect((await swept(host)).toSorted()).toEqual(buyers.map(({ id }) => id).toSorted());
    for (const { id } of buyers) expect((await host.payments.get(id)).status).toBe('succeeded');
  });

  it('knows at once of each buyer who pays while more orders come than it can poll', async () => {
    const host = await start(4);
    const waited: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      const [buyer] = await unpaid(host, 4);
      if (!buyer) throw new Error('There is no buyer.');
      await bench.sandbox.clock.advance(12_000);
      // Time for one request: fewer than there are polls.
      await passes(1);
      await sweptAll(host);
      await pays(host, buyer);
      await passes(1);
      let requests = 0;
      while ((await host.payments.get(buyer.id)).status !== 'succeeded' && requests < 20) {
        const ids = await swept(host);
        requests += ids.length;
        if (ids.length === 0) await passes(1);
        if (ids.length === 0) requests += 1;
      }
      waited.push(requests);
    }
    expect(Math.max(...waited)).toBeLessThanOrEqual(2);
  });

  it('still polls while notifications use up all that is allowed', async () => {
    const host = await start(4);
    const [unheard, ...noisy] = await unpaid(host, 4);
    if (!unheard) throw new Error('There is no payment.');
    await bench.sandbox.clock.advance(12_000);
    const pool = new WorkerPool(host.app.get(Rereads, { strict: false }).work, () => undefined);
    const readsOf = ({ serviceId }: Payment) =>
      bench.sandbox.ledger.requestCount({ endpoint: 'read', paymentId: serviceId });
    const reads = () => bench.sandbox.ledger.requestCount({ endpoint: 'read' });
    for (let round = 0; round < 12; round += 1) {
      await bench.asOwner(
        `UPDATE payments_due SET lane = 'notified', ready_at = '-infinity', rest_until = NULL WHERE payment_id = ANY($1)`,
        [noisy.map(({ id }) => id)],
      );
      // All is spent but for one.
      await bench.asOwner(
        `INSERT INTO payments_rate_limits (store_id, spent_to) SELECT id, statement_timestamp() + interval '${3 * EVERY_MS - 1_000} milliseconds' FROM payments_stores
         ON CONFLICT (store_id) DO UPDATE SET spent_to = excluded.spent_to`,
      );
      const before = reads();
      pool.wake();
      await eventually(
        () => bench.asOwner<{ held: number }>('SELECT count(fence)::int AS held FROM payments_due'),
        ([row]) => reads() > before && row?.held === 0,
      );
    }
    await pool.stop();
    expect(reads()).toBe(12);
    expect(readsOf(unheard)).toBe(1);
  });

  it('goes on as soon as the rate allows it, and not only at the next tick', async () => {
    const host = await bench.startHost({
      sweeps: { intervalMs: 3_600_000 },
      rereads: { perSecond: 100, burst: 8 },
    });
    const payments = await unpaid(host, 20);
    bench.sandbox.setNotifyUrl(null);
    for (const { serviceId } of payments) bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    await bench.sandbox.clock.advance(12_000);
    host.app.get(WorkSignal, { strict: false }).wake('payments');
    const known = await eventually(
      () => Promise.all(payments.map(({ id }) => host.payments.get(id))),
      (now) => now.every(({ status }) => status === 'succeeded'),
    );
    expect(known).toHaveLength(20);
  });

  it('leaves half of the slots to others, however many of those that failed are re-read again and again', async () => {
    const host = await bench.startHost({ sweeps: false });
    await unpaid(host, 40);
    await bench.asOwner(
      `UPDATE payments_due SET lane = 'failing', ready_at = created_at FROM payments_payments WHERE id = payment_id`,
    );
    const { take } = host.app.get(Rereads, { strict: false }).work;
    // Two claims, while nothing of the first is answered.
    expect(await take(32)).toHaveLength(16);
    expect(await take(16)).toEqual([]);
    const [buyer] = await unpaid(host, 1);
    if (!buyer) throw new Error('There is no buyer.');
    await pays(host, buyer);
    expect((await take(16)).map(({ paymentId }) => paymentId)).toEqual([buyer.id]);
  });

  it('keeps a payment whose re-read failed behind its rest, though it is notified meanwhile', async () => {
    const host = await start(10);
    const [buyer] = await unpaid(host, 1);
    if (!buyer) throw new Error('There is no buyer.');
    await bench.sandbox.clock.advance(12_000);
    bench.sandbox.faults.order({ on: 'read', fault: 'reset_before_commit' });
    await swept(host);
    await pays(host, buyer);
    expect(await swept(host)).toEqual([]);
    await bench.asOwner(
      `UPDATE payments_due SET rest_until = statement_timestamp(), ready_at = ready_at - interval '2 seconds'`,
    );
    expect(await swept(host)).toEqual([buyer.id]);
    expect((await host.payments.get(buyer.id)).status).toBe('succeeded');
  });

  it('tries what was notified again after seconds where the service asks to be left alone for a day, and polls after minutes', async () => {
    const host = await bench.startHost({ sweeps: false, rereads: { perSecond: 1, burst: 10 } });
    // One after the other: the one that was created first is due first.
    const [[buyer], [other], [unheard]] = [
      await unpaid(host, 1),
      await unpaid(host, 1),
      await unpaid(host, 1),
    ];
    if (!buyer || !other || !unheard) throw new Error('There is no buyer.');
    await bench.sandbox.clock.advance(12_000);
    await pays(host, buyer);
    await pays(host, other);
    const secondsPass = (seconds: number) =>
      bench.asOwner(
        `UPDATE payments_rate_limits SET spent_to = spent_to - interval '${seconds} s', polls_rest_until = polls_rest_until - interval '${seconds} s',
           rests_since = rests_since - interval '${seconds} s'`,
      );
    bench.sandbox.faults.order({ on: 'read', fault: 'too_many_requests', times: 2, retry_after: 86_400_000 });
    const turns = host.app.get(StoreTurns, { strict: false });
    const sweptOne = async () => {
      const [claim] = await claimed(host, 1);
      if (!claim) return null;
      const { storeId } = claim.payment;
      await host.app
        .get(Reconciler, { strict: false })
        .run(claim, 'sweep')
        .catch((error: unknown) => turns.failed(storeId, error));
      return claim.paymentId;
    };
    expect(await sweptOne()).toBe(buyer.id);
    expect(await sweptOne()).toBeNull();
    await secondsPass(6);
    // It went behind the other one, and is not a poll now.
    expect(await sweptOne()).toBe(other.id);
    expect(await sweptOne()).toBeNull();
    await secondsPass(12);
    // The service answers again: one request, then as many as the rate allows.
    expect(await sweptOne()).toBe(buyer.id);
    await secondsPass(2);
    expect(await sweptOne()).toBe(other.id);
    for (const { id } of [buyer, other]) expect((await host.payments.get(id)).status).toBe('succeeded');
    await secondsPass(60);
    expect(await sweptOne()).toBeNull();
    await secondsPass(300);
    expect(await sweptOne()).toBe(unheard.id);
  });

  it('has each payment in the lane of what is next for it', async () => {
    const host = await start(100);
    const { app } = host;
    const run = async (claim: Claim | undefined) => {
      if (!claim) throw new Error('Nothing was claimed.');
      await app
        .get(Reconciler, { strict: false })
        .run(claim, 'sweep')
        .catch(() => null);
    };
    const [payment] = await unpaid(host, 1);
    if (!payment) throw new Error('There is no payment.');
    const lane = async () => {
      const [row] = await bench.asOwner<{ lane: string }>(
        'SELECT lane FROM payments_due WHERE payment_id = $1',
        [payment.id],
      );
      return row?.lane;
    };
    const fails = () => bench.sandbox.faults.order({ on: 'read', fault: 'reset_before_commit' });
    const restEnds = () =>
      bench.asOwner(`UPDATE payments_due SET rest_until = NULL, ready_at = ready_at - interval '1 minute'`);
    expect(await lane()).toBe('polls');
    await told(host, payment);
    expect(await lane()).toBe('notified');
    const [first] = await claimed(host);
    await run(first);
    expect(await lane()).toBe('polls');

    await told(host, payment);
    const [second] = await claimed(host);
    await told(host, payment);
    await run(second);
    expect(await lane()).toBe('notified');

    const [third] = await claimed(host);
    fails();
    await run(third);
    expect(await lane()).toBe('failing');
    await restEnds();
    const [fourth] = await claimed(host);
    await told(host, payment);
    fails();
    await run(fourth);
    expect(await lane()).toBe('notified');
    await restEnds();
    expect(await swept(host)).toEqual([payment.id]);
    expect(await lane()).toBe('polls');
    bench.sandbox.faults.order({ on: 'read', fault: 'reset_before_commit' });
    await told(host, payment);
    await swept(host);
    expect(await lane()).toBe('failing');
    await restEnds();
    expect(await swept(host)).toEqual([payment.id]);
    expect(await lane()).toBe('polls');
  });

  it('re-reads at once what was notified before its id was known', async () => {
    const host = await start(100);
    bench.sandbox.faults.order({ on: 'create', fault: 'stall_after_commit' });
    const creating = host.payments.create(orderInput());
    const [made] = await eventually(
      () => Promise.resolve(bench.sandbox.payments.list()),
      ({ length }) => length === 1,
    );
    await told(host, { serviceId: made?.id ?? '' });
    bench.sandbox.faults.clear();
    const { id } = await creating;
    const [claim] = await claimed(host);
    expect(claim).toMatchObject({ paymentId: id, due: { lane: 'notified' } });
  });

  it('spends what is sent during a re-read too, not only the re-read', async () => {
    const host = await start(10);
    const held = await host.payments.create({ ...orderInput(), capture: false });
    await pays(host, held);
    expect(await swept(host)).toEqual([held.id]);
    await host.dataSource.transaction((manager) => host.payments.capture(held.id, { manager }));
    const buyers = await unpaid(host, 10);
    const made = () => bench.sandbox.ledger.requestCount();
    const before = made();
    expect(await swept(host)).toEqual([held.id]);
    const spent = 1 + made() - before;
    expect(spent).toBeGreaterThan(2);
    for (const buyer of buyers) await pays(host, buyer);
    expect(await claimed(host)).toHaveLength(10 - spent);
  });

  it('sends at once what a handler recorded', async () => {
    const host = await start(10);
    const held = await host.payments.create({ ...orderInput(), capture: false });
    await pays(host, held);
    await swept(host);
    await unpaid(host, 20);
    await bench.sandbox.clock.advance(12_000);
    await sweptAll(host);
    await host.dataSource.transaction((manager) => host.payments.capture(held.id, { manager }));
    expect(await swept(host)).toEqual([held.id]);
    expect((await host.payments.get(held.id)).status).toBe('succeeded');
  });
});
