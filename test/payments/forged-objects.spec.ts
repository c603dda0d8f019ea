import { PaymentsOperator } from '@holdfast/payments';
import { eventually } from '../support/eventually.js';
import { openBench, orderInput, sendNotification, type Bench } from '../support/payments-host.js';

/** A read may lag behind its notification by this much. */
const LAG_MS = 15 * 60_000;
const HOUR_MS = 3_600_000;
/** Nothing waits for the rate limit. */
const unlimited = { rereads: { perSecond: 1_000, burst: 10_000 } };

const about = (event: string, id: string) => ({ type: 'notification', event, object: { id } });

describe('forged notifications of objects that the service does not know', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await openBench();
  });
  afterEach(() => bench.close());

  const rows = (condition: string) =>
    bench.asOwner<{ object_id: string; attempts: number }>(
      `SELECT object_id, attempts FROM payments_notifications WHERE ${condition}`,
    );

  it('are tried once each before any is tried again, and a true one among them as well', async () => {
    const sweeping = { solution: 'secure_deal', ...unlimited } as const;
    const first = await bench.startHost(sweeping, []);
    for (let n = 0; n < 10; n += 1) await sendNotification(first, about('deal.closed', `forged-${n}`));
    await eventually(
      () => rows('attempts > 0'),
      ({ length }) => length === 10,
    );
    await first.close();
    // All of them are to be tried again, for as long as they were pending, when a true one comes.
    await bench.sandbox.clock.advance(5 * 60_000);
    const web = await bench.startHost({ ...sweeping, sweeps: false }, []);
    const { id } = bench.sandbox.payouts.create({ amount: '1500.00', outcome: 'succeeded' });
    await eventually(
      () => rows(`object_id = '${id}'`),
      ({ length }) => length === 1,
    );
    await web.close();
    const asked: string[] = [];
    const hooks = { onRequest: ({ path }: { path: string }) => void asked.push(path) };
    await bench.startHost({ ...sweeping, hooks }, []);
    await eventually(
      () => Promise.resolve(asked.filter((path) => path.includes('forged'))),
      ({ length }) => length >= 10,
    );
    expect(asked[0]).toContain(id);
  });

  it('of refunds are looked for once: listing finds a refund that is true after all', async () => {
    const host = await bench.startHost(unlimited, []);
    const ids = Array.from({ length: 20 }, (_, n) => `forged-${n}`);
    await Promise.all(ids.map((id) => sendNotification(host, about('refund.succeeded', id))));
    await eventually(
      () => rows('foreign_at IS NOT NULL'),
      ({ length }) => length === ids.length,
    );
    expect(bench.sandbox.ledger.requestCount({ endpoint: 'read_refund' })).toBe(ids.length);
  });

  it("cannot push what the service knows out of the operator's list", async () => {
    const host = await bench.startHost(unlimited, []);
    const setAside = (count: number) =>
      eventually(
        () => rows('foreign_at IS NOT NULL'),
        ({ length }) => length === count,
      );
    // Another system's payment in the same store.
    const payment = await host.payments.create(orderInput());
    await bench.asOwner('DELETE FROM payments_due');
    await bench.asOwner(`UPDATE payments_payments SET service_id = 'another' WHERE id = $1`, [payment.id]);
    const elsewhere = payment.serviceId ?? '';
    // Its own end, within the hour, would be told as well.
    bench.sandbox.faults.order({ on: 'notification', fault: 'drop', times: 10 });
    await sendNotification(host, about('payment.succeeded', elsewhere));
    await bench.sandbox.clock.advance(HOUR_MS);
    await setAside(1);
    for (let n = 0; n < 101; n += 1) await sendNotification(host, about('refund.succeeded', `forged-${n}`));
    await bench.sandbox.clock.advance(LAG_MS);
    await setAside(102);
    const list = await host.app.get(PaymentsOperator).foreignNotifications();
    expect(list).toHaveLength(100);
    expect(list[0]).toMatchObject({ objectId: elsewhere, isKnown: true });
    expect(list[1]).toMatchObject({ objectId: expect.stringContaining('forged'), isKnown: false });
  });
});
