import {
  OnPaymentEvent,
  OrderAlreadyPaidError,
  OrderAmountExceededError,
  OrderTotalDiffersError,
  type CreatePaymentInput,
  type OrderEvent,
  type Payment,
} from '@holdfast/payments';
import { jest } from '@jest/globals';
import { Injectable, Logger } from '@nestjs/common';
import { eventually } from '../support/eventually.js';
import {
  openBench,
  orderInput,
  paymentBecomes,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';

@Injectable()
class OrderHandlers {
  readonly told: string[] = [];

  @OnPaymentEvent('order.paid', { id: 'test.order-paid' })
  paid({ orderReference, order }: OrderEvent): void {
    this.told.push(`${orderReference} paid with ${order.totalDue.value} due`);
  }
}

const roubles = (value: string) => ({ value, currency: 'RUB' as const });

/** What is due for an order is what its host said last. */
describe('what is due for an order', () => {
  let bench: Bench;
  let host: PaymentsHost;
  let handlers: OrderHandlers;
  beforeAll(async () => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    bench = await openBench();
    host = await bench.startHost({}, [OrderHandlers]);
    handlers = host.app.get(OrderHandlers);
  });
  afterAll(() => bench.close());

  /** Of 100.00. */
  const due = (
    reference: string,
    value: string,
    fields: Partial<CreatePaymentInput> = {},
  ): CreatePaymentInput => ({
    ...orderInput(reference),
    order: { reference, totalDue: roubles(value) },
    ...fields,
  });
  const pay = async ({ id, serviceId, capture }: Payment) => {
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    return paymentBecomes(host, id, capture ? 'succeeded' : 'waiting_for_capture');
  };
  const eventsOf = async (reference: string) => {
    const rows = await bench.asOwner<{ name: string }>(
      `SELECT name FROM payments_events WHERE subject_type = 'order' AND subject_id =
         (SELECT id::text FROM payments_orders WHERE reference = $1) ORDER BY id`,
      [reference],
    );
    return rows.map(({ name }) => name);
  };
  const toldOf = (reference: string) => handlers.told.filter((told) => told.startsWith(`${reference} `));
  const stateOf = async (reference: string) => {
    const order = await host.payments.getOrder(reference);
    return `${order?.state} of ${order?.totalDue.value}`;
  };

  it('is raised by the same create again, so that the old sum does not pay for it', async () => {
    const first = await host.payments.create(due('raised', '100.00'));
    const again = await host.payments.create(due('raised', '150.00'));
    expect(again.id).toBe(first.id);
    await pay(again);
    expect(await stateOf('raised')).toBe('unpaid of 150.00');
    expect(await eventsOf('raised')).toEqual([]);
    await pay(
      await host.payments.create(due('raised', '150.00', { amount: roubles('50.00'), part: 'rest' })),
    );
    expect(await eventsOf('raised')).toEqual(['order.paid']);
  });

  it('is lowered by the same create again to what is paid, and the order is told as paid, in an hour too', async () => {
    await pay(await host.payments.create(due('lowered', '150.00')));
    expect(await stateOf('lowered')).toBe('unpaid of 150.00');
    await bench.sandbox.clock.advance(3_600_000);
    const again = host.payments.create(due('lowered', '100.00'));
    await expect(again).rejects.toBeInstanceOf(OrderAlreadyPaidError);
    expect(await stateOf('lowered')).toBe('paid of 100.00');
    await eventually(
      () => Promise.resolve(toldOf('lowered')),
      ({ length }) => length > 0,
    );
    expect(toldOf('lowered')).toEqual(['lowered paid with 100.00 due']);
  });

  it('is lowered to what is held, and paid once that is captured', async () => {
    const { id } = await pay(await host.payments.create(due('held', '150.00', { capture: false })));
    const again = host.payments.create(due('held', '100.00', { capture: false }));
    await expect(again).rejects.toMatchObject({ code: 'order_already_paid', status: 'waiting_for_capture' });
    expect(await stateOf('held')).toBe('authorized of 100.00');
    await host.payments.capture(id);
    expect(await stateOf('held')).toBe('paid of 100.00');
  });

  it('is raised beyond what is held: the order is told as unpaid, and the capture does not pay for it', async () => {
    const { id } = await pay(await host.payments.create(due('beyond', '100.00', { capture: false })));
    const again = host.payments.create(due('beyond', '150.00', { capture: false }));
    await expect(again).rejects.toBeInstanceOf(OrderAlreadyPaidError);
    expect(await eventsOf('beyond')).toEqual(['order.unpaid']);
    await host.payments.capture(id);
    expect(await stateOf('beyond')).toBe('unpaid of 150.00');
  });

  it('is not lowered by a create below what its payments claim: nothing changes', async () => {
    const deposit = { part: 'deposit', amount: roubles('60.00') };
    await host.payments.create(due('claimed', '150.00', deposit));
    await host.payments.create(due('claimed', '150.00', { part: 'rest', amount: roubles('90.00') }));
    const lowered = host.payments.create(due('claimed', '149.99', deposit));
    await expect(lowered).rejects.toBeInstanceOf(OrderAmountExceededError);
    await expect(lowered).rejects.toMatchObject({ claimedMinor: 15_000, totalDueMinor: 14_999 });
    expect(await stateOf('claimed')).toBe('unpaid of 150.00');
  });

  it('is not changed by a create that is refused', async () => {
    await host.payments.create(due('refused', '100.00'));
    const other = host.payments.create(due('refused', '500.00', { method: 'wallet' }));
    await expect(other).rejects.toMatchObject({ code: 'order_payment_open', differs: ['method'] });
    expect(await stateOf('refused')).toBe('unpaid of 100.00');
  });

  it.each([
    ['paid', async () => undefined],
    [
      'paid and partly refunded',
      async (payment: Payment) =>
        host.payments.refund(payment.id, { refundKey: 'a', amount: roubles('30.00') }),
    ],
    ['paid and given back', async (payment: Payment) => host.payments.refund(payment.id, { refundKey: 'a' })],
    [
      'paid, and unpaid again since more is due',
      async (payment: Payment) => host.payments.changeTotalDue(payment.orderReference, roubles('150.00')),
    ],
  ])('of an order that was %s is refused by name, and nothing changes', async (after, then) => {
    await then(await pay(await host.payments.create(due(after, '100.00'))));
    const [state, events] = [await stateOf(after), await eventsOf(after)];
    const recorded = state.endsWith('150.00') ? 15_000 : 10_000;
    const one = due(after, '170.00', { amount: roubles('10.00'), part: 'more' });
    for (const other of [due(after, '170.00'), one]) {
      const refused = host.payments.create(other);
      await expect(refused).rejects.toBeInstanceOf(OrderTotalDiffersError);
      await expect(refused).rejects.toMatchObject({
        field: 'order.totalDue',
        totalDueMinor: recorded,
        givenMinor: 17_000,
      });
      await expect(refused).rejects.toThrow('changeTotalDue()');
    }
    expect([await stateOf(after), await eventsOf(after)]).toEqual([state, events]);
    // On purpose it can be changed; the same create is not refused then.
    await host.payments.changeTotalDue(after, roubles('170.00'));
    expect(await host.payments.create(one)).toMatchObject({ status: 'pending' });
  });

  it('is the last one said of many creates at once, and the order is told as paid once', async () => {
    await pay(await host.payments.create(due('at-once', '150.00')));
    const ends = await Promise.allSettled(
      Array.from({ length: 8 }, () => host.payments.create(due('at-once', '100.00'))),
    );
    expect(
      ends.every((end) => end.status === 'rejected' && end.reason instanceof OrderAlreadyPaidError),
    ).toBe(true);
    await Promise.all([
      host.payments.changeTotalDue('at-once', roubles('120.00')),
      host.payments.changeTotalDue('at-once', roubles('120.00')),
    ]);
    expect(await eventsOf('at-once')).toEqual(['order.paid', 'order.unpaid']);
  });

  it('is met twice: the order is told as paid once for each time', async () => {
    const part = (name: string, total: string, amount: string) =>
      host.payments.create(due('twice', total, { part: name, amount: roubles(amount) }));
    await pay(await part('a', '100.00', '100.00'));
    await host.payments.changeTotalDue('twice', roubles('150.00'));
    await pay(await part('b', '150.00', '50.00'));
    expect(await eventsOf('twice')).toEqual(['order.paid', 'order.unpaid', 'order.paid']);
    await host.payments.changeTotalDue('twice', roubles('100.00'));
    expect(await eventsOf('twice')).toEqual(['order.paid', 'order.unpaid', 'order.paid', 'order.overpaid']);
    expect(await stateOf('twice')).toBe('overpaid of 100.00');
  });

  it('counts for a create whose first one was refused, or has no answer yet', async () => {
    bench.sandbox.faults.order({ on: 'create', fault: 'error_500_after_commit', times: 100 });
    await expect(host.payments.create(due('unanswered', '100.00'))).rejects.toMatchObject({
      code: 'payment_outcome_unknown',
    });
    const again = host.payments.create(due('unanswered', '150.00'));
    await expect(again).rejects.toMatchObject({ code: 'payment_outcome_unknown' });
    bench.sandbox.faults.clear();
    expect(await stateOf('unanswered')).toBe('unpaid of 150.00');
    expect(await host.payments.create(due('unanswered', '160.00'))).toMatchObject({ status: 'pending' });
    expect(await stateOf('unanswered')).toBe('unpaid of 160.00');
    const declined = await host.payments.create(due('declined', '100.00'));
    bench.sandbox.payments.pay(declined.serviceId ?? '', { outcome: 'decline' });
    await paymentBecomes(host, declined.id, 'canceled');
    await host.payments.create(due('declined', '150.00'));
    expect(await stateOf('declined')).toBe('unpaid of 150.00');
  });

  it('lowers what an open payment belongs to, on purpose, and says when too much is kept', async () => {
    const deposit = await pay(
      await host.payments.create(due('purpose', '100.00', { part: 'deposit', amount: roubles('60.00') })),
    );
    const rest = await host.payments.create(
      due('purpose', '100.00', { part: 'rest', amount: roubles('40.00') }),
    );
    expect(await host.payments.changeTotalDue('purpose', roubles('60.00'))).toMatchObject({
      state: 'paid',
      totalDue: roubles('60.00'),
      paid: deposit.capturedAmount,
    });
    await pay(rest);
    expect(await eventsOf('purpose')).toEqual(['order.paid', 'order.overpaid']);
  });
});

describe('another create for an order', () => {
  let bench: Bench;
  let host: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    host = await bench.startHost({ sweeps: false });
  });
  afterAll(() => bench.close());

  it('that leaves out the saving of the method does not get the payment that saves it', async () => {
    const input = orderInput();
    const saving = await host.payments.create({ ...input, savePaymentMethod: true });
    expect((await host.payments.create({ ...input, savePaymentMethod: true })).id).toBe(saving.id);
    await expect(host.payments.create(input)).rejects.toMatchObject({
      openPaymentId: saving.id,
      differs: ['savePaymentMethod'],
    });
    const plain = await host.payments.create({ ...input, replace: true });
    expect(plain.id).not.toBe(saving.id);
    bench.sandbox.payments.pay(plain.serviceId ?? '', { outcome: 'succeed' });
    expect(await host.payments.refresh(plain.id)).toMatchObject({ paymentMethod: { saved: false } });
  });

  it('that has another policy for its hold does not get the payment with the first one', async () => {
    const input = { ...orderInput(), capture: false, holdPolicy: 'capture' } as const;
    const first = await host.payments.create(input);
    for (const holdPolicy of ['cancel', undefined] as const)
      await expect(
        host.payments.create({
          ...orderInput(input.order.reference),
          capture: false,
          ...(holdPolicy && { holdPolicy }),
        }),
      ).rejects.toMatchObject({ openPaymentId: first.id, differs: ['holdPolicy'] });
    const next = await host.payments.create({ ...input, holdPolicy: 'cancel', replace: true });
    expect(next).toMatchObject({ holdPolicy: 'cancel' });
    expect((await host.payments.get(first.id)).superseded).toBe(true);
  });

  it('with other words gets the payment with the first ones, which its answer shows', async () => {
    const input = orderInput();
    const said = { description: 'Tea', metadata: { desk: '1' } };
    const first = await host.payments.create({ ...input, ...said });
    const again = await host.payments.create({ ...input, description: 'Coffee', metadata: { desk: '2' } });
    expect(again).toMatchObject({ id: first.id, ...said });
  });
});
