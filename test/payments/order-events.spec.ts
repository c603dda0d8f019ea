import { OnPaymentEvent, type HandlerContext, type OrderEvent, type Payment } from '@holdfast/payments';
import { jest } from '@jest/globals';
import { Injectable, Logger } from '@nestjs/common';
import { eventually } from '../support/eventually.js';
import { forgetPayment } from '../support/forget.js';
import {
  openBench,
  orderInput,
  paymentBecomes,
  sendNotification,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';

interface Run extends Pick<OrderEvent, 'name' | 'orderReference' | 'order'> {
  readonly paymentId: string;
  readonly effectKey: string;
}

@Injectable()
class OrderHandlers {
  readonly runs: Run[] = [];

  @OnPaymentEvent('order.paid', { id: 'test.order-paid' })
  paid(event: OrderEvent, context: HandlerContext): Promise<void> {
    return this.#record(event, context);
  }

  @OnPaymentEvent('order.unpaid', { id: 'test.order-unpaid' })
  unpaid(event: OrderEvent, context: HandlerContext): Promise<void> {
    return this.#record(event, context);
  }

  @OnPaymentEvent('order.refunded', { id: 'test.order-refunded' })
  refunded(event: OrderEvent, context: HandlerContext): Promise<void> {
    return this.#record(event, context);
  }

  async #record(
    { name, orderReference, order, payment }: OrderEvent,
    { manager, effectKey }: HandlerContext,
  ): Promise<void> {
    this.runs.push({ name, orderReference, order, paymentId: payment.id, effectKey });
    await manager.query('INSERT INTO effects (event, payment_id) VALUES ($1, $2)', [name, payment.id]);
  }
}

const roubles = (value: string) => ({ value, currency: 'RUB' as const });
const totalDue = roubles('100.00');

describe('an order', () => {
  let bench: Bench;
  let host: PaymentsHost;
  let handlers: OrderHandlers;
  beforeAll(async () => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    bench = await openBench();
    host = await bench.startHost({}, [OrderHandlers]);
    handlers = host.app.get(OrderHandlers);
  });
  afterAll(() => bench.close());

  /** The events of an order's own, as they were recorded. */
  const eventsOf = (reference: string) =>
    bench.asOwner<{ name: string; paymentId: string }>(
      `SELECT name, payment_id AS "paymentId" FROM payments_events WHERE subject_type = 'order' AND subject_id =
         (SELECT id::text FROM payments_orders WHERE reference = $1) ORDER BY id`,
      [reference],
    );
  const namesOf = async (reference: string) => (await eventsOf(reference)).map(({ name }) => name);
  const runsOf = (reference: string) =>
    handlers.runs.filter(({ orderReference }) => orderReference === reference);
  const handled = (reference: string, count: number) =>
    eventually(
      () => Promise.resolve(runsOf(reference)),
      ({ length }) => length === count,
    );

  const part = (reference: string, name: string, value: string): Promise<Payment> =>
    host.payments.create({
      ...orderInput(reference),
      order: { reference, totalDue },
      amount: roubles(value),
      part: name,
    });
  const pay = ({ serviceId }: Payment) =>
    void bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
  const paid = async (payment: Payment) => {
    pay(payment);
    return paymentBecomes(host, payment.id, 'succeeded');
  };
  const held = async (reference: string) => {
    const payment = await host.payments.create({ ...orderInput(reference), capture: false });
    pay(payment);
    return paymentBecomes(host, payment.id, 'waiting_for_capture');
  };

  it('is paid once all that is due is, and not by a part', async () => {
    await paid(await part('parts', 'a', '60.00'));
    expect(await namesOf('parts')).toEqual([]);
    const last = await paid(await part('parts', 'b', '40.00'));
    expect(await eventsOf('parts')).toEqual([{ name: 'order.paid', paymentId: last.id }]);
    expect(await handled('parts', 1)).toMatchObject([
      {
        name: 'order.paid',
        paymentId: last.id,
        order: { reference: 'parts', state: 'paid', paid: totalDue },
      },
    ]);
  });

  it('is paid by a captured part of its hold: what was let go is no longer due', async () => {
    const { id } = await held('part-of-hold');
    expect(await namesOf('part-of-hold')).toEqual([]);
    await host.payments.capture(id, { amount: roubles('60.00') });
    await paymentBecomes(host, id, 'succeeded');
    expect(await namesOf('part-of-hold')).toEqual(['order.paid']);
    const sums = { totalDue, waived: roubles('40.00'), paid: roubles('60.00'), held: roubles('0.00') };
    expect(await handled('part-of-hold', 1)).toMatchObject([
      { name: 'order.paid', order: { state: 'paid', ...sums } },
    ]);
  });

  it('is not paid by a captured part of its hold that keeps the rest due, and no longer held', async () => {
    const { id } = await held('part-kept-due');
    await host.payments.capture(id, { amount: roubles('60.00'), keepsDue: true });
    await paymentBecomes(host, id, 'succeeded');
    expect(await namesOf('part-kept-due')).toEqual(['order.unpaid']);
    expect(await handled('part-kept-due', 1)).toMatchObject([
      { name: 'order.unpaid', order: { state: 'unpaid', paid: roubles('60.00'), held: roubles('0.00') } },
    ]);
  });

  it('is unpaid once its hold is canceled', async () => {
    const { id } = await held('canceled');
    await host.payments.cancel(id);
    await paymentBecomes(host, id, 'canceled');
    expect(await namesOf('canceled')).toEqual(['order.unpaid']);
  });

  it('is unpaid once more is due, and paid again once that is paid', async () => {
    await paid(await host.payments.create(orderInput('more')));
    expect(await host.payments.changeTotalDue('more', roubles('150.00'))).toMatchObject({ state: 'unpaid' });
    expect(await namesOf('more')).toEqual(['order.paid', 'order.unpaid']);
    await paid(
      await host.payments.create({
        ...orderInput('more'),
        order: { reference: 'more', totalDue: roubles('150.00') },
        amount: roubles('50.00'),
      }),
    );
    expect(await namesOf('more')).toEqual(['order.paid', 'order.unpaid', 'order.paid']);
    const keys = (await handled('more', 3)).map(({ effectKey }) => effectKey);
    expect(new Set(keys).size).toBe(3);
  });

  it('is refunded once all that was paid is given back, and can be paid and refunded again', async () => {
    const refund = async (payment: Payment, refundKey: string, value?: string) => {
      await host.payments.refund(payment.id, { refundKey, ...(value && { amount: roubles(value) }) });
    };
    const first = await paid(await host.payments.create(orderInput('back')));
    await refund(first, 'a', '30.00');
    expect(await namesOf('back')).toEqual(['order.paid']);
    await refund(first, 'b');
    expect(await namesOf('back')).toEqual(['order.paid', 'order.refunded']);
    const second = await paid(await host.payments.create(orderInput('back')));
    await refund(second, 'c');
    expect(await eventsOf('back')).toEqual([
      { name: 'order.paid', paymentId: first.id },
      { name: 'order.refunded', paymentId: first.id },
      { name: 'order.paid', paymentId: second.id },
      { name: 'order.refunded', paymentId: second.id },
    ]);
    const keys = (await handled('back', 4)).map(({ effectKey }) => effectKey);
    expect(new Set(keys).size).toBe(4);
  });

  it('is paid once, however many of its payments succeed at once, and in how many processes', async () => {
    const other = await bench.startHost({}, [OrderHandlers]);
    const references = Array.from({ length: 5 }, (_, index) => `at-once-${index}`);
    const orders = await Promise.all(
      references.map(async (reference) => {
        const a = await part(reference, 'a', '60.00');
        return [a, await part(reference, 'b', '40.00')] as const;
      }),
    );
    bench.sandbox.faults.order({ on: 'notification', fault: 'drop', times: 1_000 });
    for (const payment of orders.flat()) pay(payment);
    bench.sandbox.faults.clear();
    await Promise.all(
      orders.flatMap(([a, b]) => [host.payments.refresh(a.id), other.payments.refresh(b.id)]),
    );
    for (const reference of references) expect(await namesOf(reference)).toEqual(['order.paid']);
    const ids = orders.flat().map(({ id }) => id);
    const effects = () =>
      bench.asOwner(`SELECT FROM effects WHERE event = 'order.paid' AND payment_id = ANY ($1::uuid[])`, [
        ids,
      ]);
    expect(await eventually(effects, ({ length }) => length >= orders.length)).toHaveLength(orders.length);
    await other.close();
    bench.sandbox.setNotifyUrl(`${host.url}/webhooks/payments`);
  });

  it('has the same key of its effects when its payments are forgotten, and found again in another order', async () => {
    const a = await paid(await part('forgotten', 'a', '60.00'));
    const b = await paid(await part('forgotten', 'b', '40.00'));
    const [first] = await handled('forgotten', 1);
    expect(first?.paymentId).toBe(b.id);
    for (const { id } of [a, b]) await forgetPayment(bench, id);
    const findAgain = async (payment: Payment, count: number) => {
      await sendNotification(host, {
        type: 'notification',
        event: 'payment.succeeded',
        object: { id: payment.serviceId, status: 'succeeded' },
      });
      await bench.sandbox.clock.advance(60_000);
      await eventually(
        () => host.payments.findByOrder('forgotten'),
        (found) => found.filter(({ status }) => status === 'succeeded').length === count,
      );
    };
    await findAgain(b, 1);
    await findAgain(a, 2);
    const [, again] = await handled('forgotten', 2);
    expect(again?.name).toBe('order.paid');
    expect(again?.paymentId).not.toBe(first?.paymentId);
    expect(again?.effectKey).toBe(first?.effectKey);
  });

  it('shows its buyer the payment that is open, then the one that is paid, and none once that is given back', async () => {
    const current = async () => (await host.payments.currentPayment('current'))?.id ?? null;
    expect(await current()).toBeNull();
    const canceled = await host.payments.create(orderInput('current'));
    expect(await host.payments.currentPayment('current')).toMatchObject({
      id: canceled.id,
      confirmationUrl: canceled.confirmationUrl,
    });
    bench.sandbox.payments.pay(canceled.serviceId ?? '', { outcome: 'decline' });
    await paymentBecomes(host, canceled.id, 'canceled');
    expect(await current()).toBeNull();
    const payment = await paid(await host.payments.create(orderInput('current')));
    expect(await current()).toBe(payment.id);
    await host.payments.refund(payment.id, { refundKey: 'back' });
    expect(await current()).toBeNull();
  });
});
