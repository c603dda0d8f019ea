import type { Payment, PaymentStatus } from '@holdfast/payments';
import { Client } from 'pg';
import { eventually } from '../support/eventually.js';
import { LOCK_WAITS } from '../support/lock-waits.js';
import {
  openBench,
  orderInput,
  sendNotification,
  type Bench,
  type PaymentsHost,
  paymentBecomes,
} from '../support/payments-host.js';

const notification = (event: string, payment: Payment, fields: object = {}) => ({
  type: 'notification',
  event,
  object: { id: payment.serviceId, status: event.split('.')[1], ...fields },
});

describe('a notification', () => {
  let bench: Bench;
  let host: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    host = await bench.startHost();
  });
  afterAll(() => bench.close());
  afterEach(() => bench.sandbox.faults.clear());

  const becomes = (id: string, status: PaymentStatus) => paymentBecomes(host, id, status);
  const stored = async (payment: Payment) => {
    const rows = await host.dataSource.query<{ event: string; count: number; handled_count: number }[]>(
      'SELECT event, count, handled_count FROM payments_notifications WHERE object_id = $1',
      [payment.serviceId],
    );
    return rows.map((row) => ({ event: row.event, count: row.count, handled: row.handled_count }));
  };
  const reads = (payment: Payment) =>
    bench.sandbox.ledger.requestCount({ endpoint: 'read', paymentId: payment.serviceId });
  /** Polls are off: whatever happens now, a notification caused it. */
  async function pendingWithoutPolls(): Promise<Payment> {
    const payment = await host.payments.create(orderInput());
    await host.dataSource.query(
      'UPDATE payments_due SET ready_at = ready_at + make_interval(years => 1) WHERE payment_id = $1',
      [payment.id],
    );
    return payment;
  }

  it('from a sender that is not listed is refused, and nothing is stored', async () => {
    const payment = await pendingWithoutPolls();
    const answer = await sendNotification(host, notification('payment.succeeded', payment), '203.0.113.7');
    expect(answer.status).toBe(403);
    expect(await stored(payment)).toEqual([]);
    expect(reads(payment)).toBe(0);
    expect((await host.payments.get(payment.id)).status).toBe('pending');
  });

  it('that comes too often makes its payment pause, out of the way of those that are ready', async () => {
    const payment = await host.payments.create(orderInput());
    const body = notification('payment.succeeded', payment);
    await sendNotification(host, body);
    await eventually(
      () => stored(payment),
      ([row]) => row?.handled === 1,
    );
    await bench.asOwner(
      'UPDATE payments_notifications SET count = 19, handled_count = 19 WHERE object_id = $1',
      [payment.serviceId],
    );
    await sendNotification(host, body);
    const [due] = await eventually(
      () =>
        host.dataSource.query<{ resting: boolean; waits: boolean }[]>(
          `SELECT rest_until > statement_timestamp() + interval '30 seconds' AS resting, ready_at >= rest_until AS waits
           FROM payments_due WHERE payment_id = $1`,
          [payment.id],
        ),
      ([row]) => row?.resting === true,
    );
    expect(due).toEqual({ resting: true, waits: true });
  });

  it('that is forged by a listed sender is answered 200, re-read, and changes no status', async () => {
    const payment = await pendingWithoutPolls();
    const forged = notification('payment.succeeded', payment, {
      paid: true,
      amount: { value: '100.00', currency: 'RUB' },
    });
    expect((await sendNotification(host, forged)).status).toBe(200);
    await eventually(
      () => stored(payment),
      ([row]) => row?.handled === 1,
    );
    expect(reads(payment)).toBe(1);
    expect((await host.payments.get(payment.id)).status).toBe('pending');

    // Nor does it hide the true one, which has the same event and id.
    await host.dataSource.query(
      'UPDATE payments_due SET ready_at = ready_at + make_interval(years => 1) WHERE payment_id = $1',
      [payment.id],
    );
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    await becomes(payment.id, 'succeeded');
    expect(await stored(payment)).toEqual([{ event: 'payment.succeeded', count: 2, handled: 2 }]);
    expect(
      await eventually(
        () => bench.effects(host, payment.id),
        (effects) => effects.length > 0,
      ),
    ).toEqual(['payment.succeeded']);
  });

  it('delivered five times at once has one effect', async () => {
    const payment = await pendingWithoutPolls();
    bench.sandbox.faults.order({ on: 'notification', fault: 'duplicate', copies: 4 });
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    await eventually(
      () => stored(payment),
      ([row]) => row?.count === 5 && row.handled === 5,
    );
    expect(
      await eventually(
        () => bench.effects(host, payment.id),
        (effects) => effects.length > 0,
      ),
    ).toEqual(['payment.succeeded']);
  });

  it('is in the database when 200 is answered, even while the service is down', async () => {
    const payment = await pendingWithoutPolls();
    bench.sandbox.faults.order({ on: 'notification', fault: 'drop' });
    bench.sandbox.faults.order({ on: 'read', fault: 'reset_before_commit', times: 1_000 });
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    const answer = await sendNotification(host, notification('payment.succeeded', payment));
    expect(answer.status).toBe(200);
    expect(await stored(payment)).toEqual([{ event: 'payment.succeeded', count: 1, handled: 0 }]);
    bench.sandbox.faults.clear();
    await becomes(payment.id, 'succeeded');
    expect(await stored(payment)).toEqual([{ event: 'payment.succeeded', count: 1, handled: 1 }]);
  });

  it('that arrives between a re-read and its commit is acted upon', async () => {
    const payment = await pendingWithoutPolls();
    // Something new, so that the re-read has a row to write.
    await host.dataSource.query('UPDATE payments_payments SET confirmation = NULL WHERE id = $1', [
      payment.id,
    ]);
    const other = new Client(bench.database.url);
    await other.connect();
    await other.query('BEGIN');
    await other.query('SELECT 1 FROM payments_orders WHERE reference = $1 FOR UPDATE', [
      payment.orderReference,
    ]);

    // The first notification causes a re-read, which sees `pending` and then waits for our lock to write that.
    await sendNotification(host, notification('payment.succeeded', payment));
    await eventually(() => waitingForLock(other), Boolean);
    expect(reads(payment)).toBe(1);
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    await eventually(
      () => stored(payment),
      ([row]) => row?.count === 2,
    );
    await other.query(
      'UPDATE payments_due SET ready_at = ready_at + make_interval(years => 1) WHERE payment_id = $1',
      [payment.id],
    );
    await other.query('COMMIT');
    await other.end();

    await becomes(payment.id, 'succeeded');
    expect(await stored(payment)).toEqual([{ event: 'payment.succeeded', count: 2, handled: 2 }]);
    const events = await host.payments.timeline(payment.id);
    expect(events.find(({ name }) => name === 'payment.succeeded')).toMatchObject({ cause: 'notification' });
  });

  it("that arrives before the create's answer waits, and is acted upon once the payment is known", async () => {
    bench.sandbox.faults.order({ on: 'create', fault: 'stall_after_commit' });
    const known = new Set(bench.sandbox.payments.list().map(({ id }) => id));
    const creating = host.payments.create(orderInput());
    const atService = await eventually(
      () => Promise.resolve(bench.sandbox.payments.list().find(({ id }) => !known.has(id))),
      (payment) => payment !== undefined,
    );
    bench.sandbox.payments.pay(atService?.id ?? '', { outcome: 'succeed' });
    const delivered = () =>
      Promise.resolve(bench.sandbox.notifications.list().find(({ objectId }) => objectId === atService?.id));
    await eventually(delivered, (report) => report?.attempts.at(-1)?.status === 200);

    bench.sandbox.faults.clear();
    const { id } = await creating;
    await becomes(id, 'succeeded');
    const events = await host.payments.timeline(id);
    expect(events.find(({ name }) => name === 'payment.succeeded')).toMatchObject({
      from: 'pending',
      cause: 'notification',
    });
  });

  it('that was lost is made up for by the sweep', async () => {
    const payment = await host.payments.create(orderInput());
    bench.sandbox.faults.order({ on: 'notification', fault: 'drop' });
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    await bench.sandbox.clock.advance(15_000);
    await becomes(payment.id, 'succeeded');
    const events = await host.payments.timeline(payment.id);
    expect(events.find(({ name }) => name === 'payment.succeeded')).toMatchObject({ cause: 'sweep' });
  });

  it('that is lost is made up for as soon, however often the buyer reloads the page', async () => {
    const payment = await host.payments.create(orderInput());
    for (let reload = 0; reload < 10; reload += 1) await host.payments.refresh(payment.id);
    bench.sandbox.faults.order({ on: 'notification', fault: 'drop' });
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    await bench.sandbox.clock.advance(15_000);
    expect(await becomes(payment.id, 'succeeded')).toMatchObject({ confirmationUrl: null });
  });

  it('of an abandoned payment ends it when its term is over', async () => {
    const payment = await pendingWithoutPolls();
    await bench.sandbox.clock.advance(61 * 60_000);
    expect(await becomes(payment.id, 'canceled')).toMatchObject({
      confirmationUrl: null,
      cancellation: { reason: 'expired_on_confirmation' },
    });
  });
});

async function waitingForLock(client: Client): Promise<boolean> {
  const { rows } = await client.query(LOCK_WAITS);
  return rows.length > 0;
}
