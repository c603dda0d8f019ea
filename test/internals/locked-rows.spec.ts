import type { Payment } from '@holdfast/payments';
import { Client } from 'pg';
import { Database } from '../../libs/payments/src/database/database.js';
import { HandOver } from '../../libs/payments/src/notifications/hand-over.js';
import { catchUpAfter } from '../../libs/payments/src/reconcile/catch-up.js';
import { RefundWatch } from '../../libs/payments/src/reconcile/refunds/refund-watch.js';
import { eventually } from '../support/eventually.js';
import { gather } from '../support/gather.js';
import { oneByOne } from '../support/one-by-one.js';
import {
  openBench,
  orderInput,
  sendNotification,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';
import { rereadNext } from '../support/sweep.js';

/** A handler may take as long as it likes, and holds the locks of what it refunds in its transaction. */
describe('a payment whose rows somebody else has locked', () => {
  let bench: Bench;
  let web: PaymentsHost;
  let handlers: PaymentsHost;
  let locker: Client;
  beforeAll(async () => {
    bench = await openBench();
    handlers = await bench.startHost({ sweeps: false });
    web = await bench.startHost({ sweeps: false, poolSize: 3 });
    bench.sandbox.setNotifyUrl(null);
    locker = new Client(bench.database.url);
    await locker.connect();
  });
  afterAll(async () => {
    await locker.end();
    await bench.close();
  });
  afterEach(() => locker.query('ROLLBACK'));

  /** Until `locker` ends its transaction. */
  async function lock({ orderId }: { readonly orderId: string }): Promise<void> {
    await locker.query('BEGIN');
    await locker.query('UPDATE payments_orders SET version = version + 1 WHERE id = $1', [orderId]);
    for (const rows of [
      'payments_payments WHERE order_id = $1',
      'payments_due WHERE payment_id IN (SELECT id FROM payments_payments WHERE order_id = $1)',
    ])
      await locker.query(`SELECT FROM ${rows} FOR NO KEY UPDATE`, [orderId]);
  }

  async function orderOf({ id }: Pick<Payment, 'id'>): Promise<{ orderId: string }> {
    const [row] = await bench.asOwner<{ orderId: string }>(
      'SELECT order_id AS "orderId" FROM payments_payments WHERE id = $1',
      [id],
    );
    if (!row) throw new Error('There is no such payment.');
    return row;
  }

  const pay = ({ serviceId }: Payment) => bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
  const created = (count: number, input = {}) =>
    Promise.all(Array.from({ length: count }, () => web.payments.create({ ...orderInput(), ...input })));
  async function paid(): Promise<Payment> {
    const payment = await web.payments.create(orderInput());
    pay(payment);
    return web.payments.refresh(payment.id);
  }

  const dueIds = async (condition: string): Promise<string[]> => {
    const rows = await bench.asOwner<{ id: string }>(
      `SELECT payment_id AS id FROM payments_due WHERE ${condition}`,
    );
    return rows.map(({ id }) => id);
  };

  /** A transaction of a handler that has refunded this payment, open until `end`. */
  async function refunding(id: string): Promise<{ end: () => Promise<void> }> {
    const runner = handlers.dataSource.createQueryRunner();
    await runner.startTransaction();
    const amount = { value: '10.00', currency: 'RUB' as const };
    await handlers.payments.refund(id, { refundKey: 'handler', amount, manager: runner.manager });
    return {
      async end() {
        await runner.commitTransaction();
        await runner.release();
      },
    };
  }

  it('delays the result of no other re-read', async () => {
    const [locked, ...others] = await created(4);
    if (!locked) throw new Error('Nothing was created.');
    for (const payment of [locked, ...others]) pay(payment);
    const reads = gather(web.app, 'fetchPayment');
    const refreshed = [locked, ...others].map(({ id }) => web.payments.refresh(id));
    await eventually(
      () => Promise.resolve(reads.arrived()),
      (count) => count === 4,
    );
    await lock(await orderOf(locked));
    reads.letGo();
    expect(await Promise.all(refreshed.slice(1))).toMatchObject(others.map(() => ({ status: 'succeeded' })));
    await locker.query('COMMIT');
    expect(await refreshed[0]).toMatchObject({ status: 'succeeded' });
  });

  it('delays the answer to no other create', async () => {
    const input = orderInput();
    const answers = gather(web.app, 'sendRecorded');
    const held = web.payments.create(input);
    const others = created(3);
    await eventually(
      () => Promise.resolve(answers.arrived()),
      (count) => count === 4,
    );
    const [payment] = await bench.asOwner<{ id: string }>(
      `SELECT payment.id FROM payments_payments payment JOIN payments_orders place ON place.id = order_id WHERE reference = $1`,
      [input.order.reference],
    );
    await lock(await orderOf(payment ?? { id: '' }));
    answers.letGo();
    expect(await others).toMatchObject([{ status: 'pending' }, { status: 'pending' }, { status: 'pending' }]);
    await locker.query('COMMIT');
    expect(await held).toMatchObject({ status: 'pending' });
  });

  it.each<[string, object, (payment: Payment, input: ReturnType<typeof orderInput>) => Promise<unknown>]>([
    ['reload its return page', {}, ({ id }) => web.payments.refresh(id)],
    ['ask for it again', {}, (_, input) => web.payments.create(input)],
    ['capture it', { capture: false }, ({ id }) => web.payments.capture(id)],
  ])('takes no connection from the notifications, though twelve callers %s', async (_, how, call) => {
    const input = { ...orderInput(), ...how };
    const payment = await web.payments.create(input);
    if ('capture' in how) {
      pay(payment);
      await web.payments.refresh(payment.id);
    }
    await lock(await orderOf(payment));
    const calls = Promise.allSettled(Array.from({ length: 12 }, () => call(payment, input)));
    for (let sent = 0; sent < 20; sent += 1) {
      const object = { id: crypto.randomUUID() };
      const { status } = await sendNotification(web, {
        type: 'notification',
        event: 'payment.succeeded',
        object,
      });
      expect(status).toBe(200);
    }
    await locker.query('COMMIT');
    const ends = await calls;
    expect(ends.map(({ status }) => status)).toEqual(ends.map(() => 'fulfilled'));
  });

  it('delays no notification of another', async () => {
    const refunded = await paid();
    const others = await created(5);
    for (const payment of others) pay(payment);
    const handler = await refunding(refunded.id);
    for (const { serviceId } of [refunded, ...others])
      await sendNotification(web, {
        type: 'notification',
        event: 'payment.succeeded',
        object: { id: serviceId },
      });
    while (await web.app.get(HandOver).runNext());
    while (await rereadNext(web.app));
    expect(await Promise.all(others.map(({ id }) => web.payments.get(id)))).toMatchObject(
      others.map(() => ({ status: 'succeeded' })),
    );
    await handler.end();
    while (await rereadNext(web.app));
    expect(bench.sandbox.ledger.totals(refunded.serviceId ?? '')).toMatchObject({ refunds: 1 });
    const left = await bench.asOwner(
      'SELECT FROM payments_notifications WHERE handled_count < count AND object_id = $1',
      [refunded.serviceId],
    );
    expect(left).toEqual([]);
  });

  it('keeps a catch-up from no other payment of the store', async () => {
    const [locked, failing] = await created(2);
    await bench.asOwner(
      `UPDATE payments_due SET lane = CASE payment_id WHEN $1 THEN 'failing' ELSE 'polls' END, ready_at = now() + interval '1 day' WHERE payment_id = ANY($2)`,
      [failing?.id, [locked?.id, failing?.id]],
    );
    const [store] = await bench.asOwner<{ id: string }>('SELECT id FROM payments_stores');
    await lock(await orderOf(locked ?? { id: '' }));
    const caughtUp = catchUpAfter(web.app.get(Database), store?.id ?? '', 60_000);
    const isLate = `ready_at > now() + interval '2 minutes'`;
    await Promise.race([
      caughtUp,
      eventually(
        () => dueIds(isLate),
        (late) => !late.includes(failing?.id ?? ''),
      ),
    ]);
    expect(await dueIds(isLate)).toEqual([locked?.id]);
    await locker.query('COMMIT');
    await caughtUp;
    expect(await dueIds(isLate)).toEqual([]);
  });

  it('keeps the watch for refunds made elsewhere from no other payment', async () => {
    const payments = [await paid(), await paid()];
    const ids = payments.map(({ id }) => id).toSorted();
    for (const { serviceId } of payments) bench.sandbox.refunds.make(serviceId ?? '', '40.00');
    await bench.sandbox.clock.advance(11 * 60_000);
    const [locked = '', other = ''] = ids;
    const handler = await refunding(locked);
    const asked = () => dueIds('refund_signals > 0');
    const watched = oneByOne(web.app.get(RefundWatch, { strict: false }).work)();
    await Promise.race([watched, eventually(asked, (found) => found.includes(other))]);
    expect(await asked()).toEqual([other]);
    await handler.end();
    await watched;
    expect((await asked()).toSorted()).toEqual(ids);
  });
});
