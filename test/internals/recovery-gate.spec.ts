import {
  formatAmount,
  OnPaymentEvent,
  PaymentsOperator,
  type HandlerContext,
  type Payment,
  type PaymentEvent,
  type PaymentsService,
} from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import { Recoveries } from '../../libs/payments/src/recovery/recoveries.js';
import { RollbackWatch } from '../../libs/payments/src/rollback/rollback-watch.js';
import { eventually } from '../support/eventually.js';
import { backUp, forgetRefund } from '../support/forget.js';
import { doAll } from '../support/one-by-one.js';
import { reread, openBench, orderInput, type Bench, type PaymentsHost } from '../support/payments-host.js';

/** No tick comes in between, so that a window stays open. */
const byHand = { sweeps: false, requestTimeoutMs: 2_000, callDeadlineMs: 2_500 } as const;
const HOUR_MS = 3_600_000;

@Injectable()
class RefundingHandler {
  static runs = 0;
  static service: PaymentsService;
  @OnPaymentEvent('payment.succeeded', { id: 'test.refunding' })
  async run({ payment }: PaymentEvent, { manager }: HandlerContext): Promise<void> {
    RefundingHandler.runs += 1;
    await RefundingHandler.service.refund(payment.id, { refundKey: 'at once', manager });
  }
}

describe('while the database may have forgotten what was paid or refunded', () => {
  let bench: Bench;
  let host: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    host = await bench.startHost(byHand);
  });
  afterEach(() => bench.asOwner('UPDATE payments_recoveries SET done_at = now()'));
  afterAll(() => bench.close());

  const requests = () => bench.sandbox.ledger.requestCount({ endpoint: 'create' });
  const recoveries = () => host.app.get(PaymentsOperator).recoveries();
  const recovering = { code: 'recovery_in_progress' };
  const openWindow = () =>
    bench.asOwner(
      `INSERT INTO payments_recoveries (id, store_id, from_at, to_at, reason, started_at)
       SELECT gen_random_uuid(), id, now(), now(), 'timeline_changed', now() FROM payments_stores`,
    );

  it('no payment is opened: nothing is recorded or sent, and the caller is told to try again', async () => {
    await openWindow();
    const input = orderInput();
    const before = requests();
    await expect(host.payments.create(input)).rejects.toMatchObject({ code: 'recovery_in_progress' });
    expect(requests()).toBe(before);
    expect(
      await bench.asOwner('SELECT FROM payments_orders WHERE reference = $1', [input.order.reference]),
    ).toEqual([]);
  });

  it('a create waits for the window to be read', async () => {
    const patient = await bench.startHost({ sweeps: false });
    await openWindow();
    const creating = patient.payments.create(orderInput());
    await eventually(
      () => patient.app.get(PaymentsOperator).recoveries(),
      (found) => found.some(({ doneAt }) => doneAt === null),
    );
    await bench.asOwner('UPDATE payments_recoveries SET done_at = now()');
    expect(await creating).toMatchObject({ status: 'pending' });
    await patient.close();
  });

  it('what is open already is returned, and what is repeated is the same', async () => {
    const input = orderInput();
    const first = await host.payments.create(input);
    await openWindow();
    expect(await host.payments.create(input)).toMatchObject({ id: first.id });
    await expect(host.payments.create({ ...input, method: 'wallet', replace: true })).rejects.toMatchObject({
      code: 'recovery_in_progress',
    });
    expect(await host.payments.get(first.id)).toMatchObject({ superseded: false });
  });

  it.each([
    ['another sum', '150.00'],
    // A try that is found brings a total that differs from this one.
    ['the sum that it has', '100.00'],
  ])(
    'no call says that %s is due for an order: a try that is found again has a total of its own',
    async (_name, value) => {
      const input = orderInput();
      const { reference } = input.order;
      await host.payments.create(input);
      await openWindow();
      const due = { value, currency: 'RUB' as const };
      const changed = host.payments.changeTotalDue(reference, due);
      await expect(changed).rejects.toMatchObject({ ...recovering, orderReference: reference });
      expect(await host.payments.getOrder(reference)).toMatchObject({ totalDue: input.amount });
      await bench.asOwner('UPDATE payments_recoveries SET done_at = now()');
      expect(await host.payments.changeTotalDue(reference, due)).toMatchObject({ totalDue: due });
    },
  );

  it('no order is unknown to who says what is due for it, since it may be forgotten', async () => {
    await openWindow();
    const changed = () => host.payments.changeTotalDue('forgotten', formatAmount(150_00));
    await expect(changed()).rejects.toMatchObject(recovering);
    await bench.asOwner('UPDATE payments_recoveries SET done_at = now()');
    await expect(changed()).rejects.toMatchObject({ code: 'order_not_found' });
  });

  it.each([
    ['open', 'pending'],
    ['held', 'waiting_for_capture'],
  ])('no create that finds its payment %s changes what is due', async (_name, status) => {
    const input = { ...orderInput(), capture: false };
    const first = await host.payments.create(input);
    if (status !== 'pending') {
      bench.sandbox.payments.pay(first.serviceId ?? '', { outcome: 'succeed' });
      await reread(host, first.id);
    }
    await openWindow();
    const { reference } = input.order;
    const other = { ...input, order: { reference, totalDue: formatAmount(150_00) } };
    await expect(host.payments.create(other)).rejects.toMatchObject({
      ...recovering,
      orderReference: reference,
    });
    expect(await host.payments.getOrder(reference)).toMatchObject({ totalDue: input.amount });
    await bench.asOwner('UPDATE payments_recoveries SET done_at = now()');
    await host.payments.create(other).catch(() => null);
    expect(await host.payments.getOrder(reference)).toMatchObject({ totalDue: formatAmount(150_00) });
  });

  it.each([
    ['its mark is behind what this process knows', 'counter = counter - 1'],
    ['its timeline is another one', `timeline = 'FFFFFFFF'`],
  ])('a total is what notices that %s, before it is written', async (_name, change) => {
    const input = orderInput();
    const { reference } = input.order;
    await host.payments.create(input);
    await bench.asOwner('UPDATE payments_recoveries SET done_at = now()');
    await bench.asOwner(`UPDATE payments_commit_mark SET ${change}`);
    await expect(host.payments.changeTotalDue(reference, formatAmount(150_00))).rejects.toMatchObject(
      recovering,
    );
    expect(await host.payments.getOrder(reference)).toMatchObject({ totalDue: input.amount });
    expect((await recoveries())[0]).toMatchObject({ doneAt: null });
  });

  it.each([
    ['its mark is behind what this process knows', 'counter = counter - 1'],
    ['its timeline is another one', `timeline = 'FFFFFFFF'`],
  ])('a create is what notices that %s, before anything is recorded', async (_name, change) => {
    await host.payments.create(orderInput());
    await bench.asOwner('UPDATE payments_recoveries SET done_at = now()');
    await bench.asOwner(`UPDATE payments_commit_mark SET ${change}`);
    const before = requests();
    await expect(host.payments.create(orderInput())).rejects.toMatchObject({ code: 'recovery_in_progress' });
    expect(requests()).toBe(before);
    const [found] = await host.app.get(PaymentsOperator).recoveries();
    expect(found).toMatchObject({ doneAt: null });
  });

  describe('of a payment', () => {
    const back = { refundKey: 'return', amount: formatAmount(30_00) };
    const refunds = ({ serviceId }: Payment) => bench.sandbox.ledger.totals(serviceId ?? '').refunds;
    const change = (assignment: string) => bench.asOwner(`UPDATE payments_commit_mark SET ${assignment}`);
    let payment: Payment;
    beforeEach(async () => {
      payment = await host.payments.create(orderInput());
      bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
      await reread(host, payment.id);
    });

    it('nothing is refunded anew: nothing is recorded or sent, and the caller is told to try again', async () => {
      await openWindow();
      await expect(host.payments.refund(payment.id, back)).rejects.toMatchObject({
        ...recovering,
        orderReference: payment.orderReference,
      });
      expect(refunds(payment)).toBe(0);
      expect(await host.payments.refunds(payment.id)).toEqual([]);
    });

    it('a refund waits for the window to be read', async () => {
      const patient = await bench.startHost({ sweeps: false });
      await openWindow();
      const refunding = patient.payments.refund(payment.id, back);
      await eventually(recoveries, (found) => found.some(({ doneAt }) => doneAt === null));
      await bench.asOwner('UPDATE payments_recoveries SET done_at = now()');
      expect(await refunding).toMatchObject({ status: 'succeeded' });
      await patient.close();
    });

    it('a refund that is known is the same, and goes on', async () => {
      const first = await host.payments.refund(payment.id, back);
      await openWindow();
      expect(await host.payments.refund(payment.id, back)).toEqual(first);
    });

    it.each([
      ['its mark is behind what this process knows', 'counter = counter - 1'],
      ['its timeline is another one', `timeline = 'FFFFFFFF'`],
    ])('a refund is what notices that %s, before anything is recorded', async (_name, assignment) => {
      await change(assignment);
      await expect(host.payments.refund(payment.id, back)).rejects.toMatchObject(recovering);
      expect(refunds(payment)).toBe(0);
      expect((await recoveries())[0]).toMatchObject({ doneAt: null });
    });

    it('in the only connection, the transaction of its host, one is refused at once and looked into after that', async () => {
      const narrow = await bench.startHost({ sweeps: false, poolSize: 1 });
      await change('counter = counter - 1');
      const before = (await recoveries()).length;
      await narrow.dataSource.transaction(async (manager) => {
        await expect(narrow.payments.refund(payment.id, { ...back, manager })).rejects.toMatchObject(
          recovering,
        );
        expect(await recoveries()).toHaveLength(before);
      });
      await eventually(recoveries, ({ length }) => length === before + 1);
      expect(await host.payments.refunds(payment.id)).toEqual([]);
      await bench.asOwner('UPDATE payments_recoveries SET done_at = now()');
      await narrow.dataSource.transaction((manager) =>
        narrow.payments.refund(payment.id, { ...back, manager }),
      );
      expect(await host.payments.refunds(payment.id)).toMatchObject([{ status: 'submitting' }]);
      await narrow.close();
    });

    it.each(['REPEATABLE READ', 'SERIALIZABLE'] as const)(
      'in a transaction of its host that is %s and cannot see that, one is refused by name, and nothing is suspected',
      async (isolation) => {
        const before = (await recoveries()).length;
        await host.dataSource.transaction(isolation, async (manager) => {
          await manager.query('SELECT count(*) FROM payments_commit_mark');
          // Meanwhile this process beats, and knows a mark that the transaction never sees.
          await host.app.get(RollbackWatch).runNext();
          await expect(host.payments.refund(payment.id, { ...back, manager })).rejects.toMatchObject({
            code: 'payment_input',
            field: 'options.manager',
            rule: expect.stringContaining(`READ COMMITTED transaction for a refund, not ${isolation}`),
          });
        });
        expect(await host.payments.refunds(payment.id)).toEqual([]);
        expect(await recoveries()).toHaveLength(before);
      },
    );

    it.each(['READ COMMITTED', 'READ UNCOMMITTED'] as const)(
      'in a transaction of its host that is %s one is recorded, however often this process beats meanwhile',
      async (isolation) => {
        await host.dataSource.transaction(isolation, async (manager) => {
          await manager.query('SELECT count(*) FROM payments_commit_mark');
          await host.app.get(RollbackWatch).runNext();
          await host.payments.refund(payment.id, { ...back, manager });
        });
        expect(await host.payments.refunds(payment.id)).toMatchObject([{ status: 'submitting' }]);
      },
    );

    it('nothing is refused for good, since what refuses it may be out of date', async () => {
      await openWindow();
      const open = await host.payments.create(orderInput()).catch(() => null);
      expect(open).toBeNull();
      const tooMuch = { ...back, amount: formatAmount(999_00) };
      await expect(host.payments.refund(payment.id, tooMuch)).rejects.toMatchObject(recovering);
      await bench.asOwner('UPDATE payments_recoveries SET done_at = now()');
      await expect(host.payments.refund(payment.id, tooMuch)).rejects.toMatchObject({
        code: 'refund_amount_exceeded',
      });
    });

    it('what a copy older than the keys has as never sent is not sent before the lists were read', async () => {
      bench.sandbox.faults.order({ on: 'notification', fault: 'drop', times: 1_000 });
      await host.dataSource.transaction((manager) => host.payments.refund(payment.id, { ...back, manager }));
      const unsent = await bench.asOwner(
        `SELECT * FROM payments_operations WHERE kind = 'refund' AND payment_id = $1`,
        [payment.id],
      );
      expect(unsent).toMatchObject([{ attempts: 0, first_sent_at: null }]);
      const copy = await backUp(bench);
      await reread(host, payment.id);
      expect(refunds(payment)).toBe(1);
      await copy.restore();
      await bench.sandbox.clock.advance(25 * HOUR_MS);
      // Nobody has looked yet.
      await reread(host, payment.id);
      expect(refunds(payment)).toBe(1);
      await change(`timeline = 'FFFFFFFF'`);
      await expect(host.payments.create(orderInput())).rejects.toMatchObject(recovering);
      await reread(host, payment.id);
      expect(refunds(payment)).toBe(1);
      const [known] = await host.payments.refunds(payment.id);
      expect(known).toMatchObject({ status: 'succeeded', refundKey: 'return' });
      bench.sandbox.faults.clear();
    });

    it('a handler that refunds is run again until it may, and never given up', async () => {
      const shop = await bench.startHost({ handlerAttempts: 1, sweeps: { intervalMs: 200 } }, [
        RefundingHandler,
      ]);
      await bench.asOwner('UPDATE payments_recoveries SET done_at = now()');
      const bought = await shop.payments.create(orderInput());
      RefundingHandler.service = shop.payments;
      // Of a time that no sweep reads: its lists are asked for in a century.
      await openWindow();
      await bench.asOwner(
        `UPDATE payments_recoveries SET lease_until = now() + interval '100 years' WHERE done_at IS NULL`,
      );
      RefundingHandler.runs = 0;
      const now = async () => {
        const [row] = await bench.asOwner<{ now: Date }>('SELECT now()');
        return (row?.now.getTime() ?? NaN) + bench.sandbox.clock.offsetMs();
      };
      const before = await now();
      bench.sandbox.payments.pay(bought.serviceId ?? '', { outcome: 'succeed' });
      const [delivery] = await eventually(
        () =>
          bench.asOwner<{ attempts: number; next_attempt_at: Date }>(
            `SELECT attempts, next_attempt_at FROM payments_deliveries WHERE last_error IS NOT NULL`,
          ),
        ({ length }) => length === 1,
      );
      expect(delivery?.attempts).toBe(0);
      const next = delivery?.next_attempt_at.getTime() ?? NaN;
      // The lists are not read any sooner, and each run takes a connection.
      expect(next).toBeGreaterThanOrEqual(before + 60_000);
      expect(next).toBeLessThanOrEqual((await now()) + 60_000);
      await eventually(
        async () => {
          await bench.sandbox.clock.advance(61_000);
          return RefundingHandler.runs;
        },
        (runs) => runs >= 3,
      );
      expect(await shop.app.get(PaymentsOperator).parkedDeliveries()).toEqual([]);
      await bench.asOwner('UPDATE payments_recoveries SET done_at = now()');
      await eventually(
        async () => {
          await bench.sandbox.clock.advance(61_000);
          return shop.payments.refunds(bought.id);
        },
        ([refund]) => refund?.status === 'succeeded',
      );
      await shop.close();
    });

    it('what a copy older than the keys has forgotten is refunded once, whenever it is asked for again', async () => {
      bench.sandbox.faults.order({ on: 'notification', fault: 'drop', times: 1_000 });
      const first = await host.payments.refund(payment.id, back);
      await forgetRefund(bench, first.id);
      await bench.sandbox.clock.advance(25 * HOUR_MS);
      await change(`timeline = 'FFFFFFFF'`);
      const again = () => host.payments.refund(payment.id, back);
      await expect(again()).rejects.toMatchObject(recovering);
      const read = async () => {
        await bench.asOwner('UPDATE payments_recoveries SET lease_until = NULL');
        await doAll(host.app.get(Recoveries).work);
      };
      await read();
      // It is listed, and its payment is not re-read yet.
      await expect(again()).rejects.toMatchObject(recovering);
      await reread(host, payment.id);
      await read();
      expect(await again()).toMatchObject({ id: first.id, serviceId: first.serviceId, status: 'succeeded' });
      expect(refunds(payment)).toBe(1);
      bench.sandbox.faults.clear();
    });
  });
});
