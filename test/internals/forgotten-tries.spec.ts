import {
  OnPaymentEvent,
  PaymentsOperator,
  type CreatePaymentInput,
  type HandlerContext,
  type OrderEvent,
  type Payment,
} from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import { parseServicePayment } from '../../libs/payments/src/api/service-payment.js';
import { Adoption } from '../../libs/payments/src/apply/adoption.js';
import { eventually } from '../support/eventually.js';
import { backUp, forgetPayment } from '../support/forget.js';
import {
  EffectHandlers,
  openBench,
  orderInput,
  paymentBecomes,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';
import { asItIs, type ServiceProxy } from '../support/service-proxy.js';

const MINUTE_MS = 60_000;

const roubles = (value: number) => ({ value: `${value}.00`, currency: 'RUB' as const });

/** What a handler does outside the database about orders, which no database can forget. */
@Injectable()
class Letters {
  readonly sent: { reference: string; name: string; effectKey: string }[] = [];

  @OnPaymentEvent('order.paid', { id: 'test.letter-paid' })
  paid(event: OrderEvent, context: HandlerContext): void {
    this.#send(event, context);
  }

  @OnPaymentEvent('order.overpaid', { id: 'test.letter-overpaid' })
  overpaid(event: OrderEvent, context: HandlerContext): void {
    this.#send(event, context);
  }

  #send({ name, payment }: OrderEvent, { effectKey }: HandlerContext): void {
    this.sent.push({ reference: payment.orderReference, name, effectKey });
  }

  of(reference: string, name: string): string[] {
    return this.sent.flatMap((letter) =>
      letter.reference === reference && letter.name === name ? [letter.effectKey] : [],
    );
  }
}

describe('a try that the database has forgotten', () => {
  let bench: Bench;
  let proxy: ServiceProxy;
  let host: PaymentsHost;
  let letters: Letters;
  beforeEach(async () => {
    bench = await openBench();
    proxy = await bench.startProxy();
    host = await bench.startHost({ serviceUrl: proxy.url }, [EffectHandlers, Letters]);
    letters = host.app.get(Letters);
    // Nothing but lists and re-reads says what there is.
    bench.sandbox.faults.order({ on: 'notification', fault: 'drop', times: 1_000 });
  });
  afterEach(() => bench.close());

  const pay = ({ serviceId }: Payment) => bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
  const pays = async (payment: Payment) => {
    pay(payment);
    return host.payments.refresh(payment.id);
  };
  const totals = ({ serviceId }: Payment) => bench.sandbox.ledger.totals(serviceId ?? '');
  const orderOf = ({ orderReference }: Payment) => host.payments.getOrder(orderReference);
  /** The payment of the service, under the id that its row has by now. */
  const again = async ({ orderReference, serviceId }: Payment): Promise<Payment> => {
    const rows = await eventually(
      () => host.payments.findByOrder(orderReference),
      (found) => found.some((row) => row.serviceId === serviceId),
    );
    const row = rows.find((one) => one.serviceId === serviceId);
    if (row === undefined) throw new Error('There is no such row.');
    return row;
  };
  /** As its row becomes. */
  const becomes = async (payment: Payment, status: Payment['status']) =>
    paymentBecomes(host, (await again(payment)).id, status);
  const givenUp = async (payment: Payment) => {
    const timeline = await host.payments.timeline((await again(payment)).id);
    return timeline.filter(({ name }) => name === 'payment.superseded');
  };
  const requests = (of: Payment, what: string) =>
    proxy.received.filter(({ url }) => url.endsWith(`/${of.serviceId}${what}`)).length;

  /** All that was on its way has arrived, and is read too. */
  async function recoveryEnds(): Promise<void> {
    const windows = () => host.app.get(PaymentsOperator).recoveries();
    await eventually(windows, (all) => all.some(({ reason }) => reason === 'in_flight'));
    await bench.sandbox.clock.advance(5 * MINUTE_MS);
    await eventually(windows, (all) => all.every(({ doneAt }) => doneAt !== null));
  }

  /** The order's first payment, of which the database keeps that it is open, and what is lost after that. */
  async function forgets<Lost>(
    input: Partial<CreatePaymentInput>,
    lost: (first: Payment, input: CreatePaymentInput) => Promise<Lost>,
  ): Promise<{ first: Payment; lost: Lost }> {
    const whole = { ...orderInput(), ...input };
    const first = await host.payments.create(whole);
    const copy = await backUp(bench);
    const made = await lost(first, whole);
    await copy.restore();
    return { first, lost: made };
  }

  /** By a look of its own, and no other one. */
  async function isFound({ serviceId }: Payment): Promise<void> {
    const object = parseServicePayment(bench.sandbox.payments.get(serviceId ?? ''));
    if (object === null) throw new Error('The service has no such payment.');
    const [store] = await bench.asOwner<{ id: string }>('SELECT id FROM payments_stores');
    await host.app.get(Adoption).adopt(store?.id ?? '', [object]);
  }

  const told = (name: string, { orderReference }: Payment, times: number) =>
    eventually(
      async () => letters.of(orderReference, name),
      ({ length }) => length === times,
    );

  const replaced = (input: CreatePaymentInput, amount = roubles(100)) =>
    host.payments.create({ ...input, amount, method: 'bank_card', replace: true });

  it('and that was held takes the place of the older one that is open here: its hold stays', async () => {
    const { first, lost: second } = await forgets({ capture: false }, async (_first, input) => {
      const made = await replaced(input);
      await pays(made);
      return made;
    });
    expect(await becomes(second, 'waiting_for_capture')).toMatchObject({ superseded: false });
    expect(await again(first)).toMatchObject({ status: 'pending', superseded: true });
    expect(await orderOf(first)).toMatchObject({ state: 'authorized', totalDue: roubles(100) });
    expect(await givenUp(first)).toMatchObject([{ cause: 'recovery' }]);
    // Not for a moment either: what is told of cannot be taken back.
    expect(await givenUp(second)).toEqual([]);
    await recoveryEnds();
    await bench.sandbox.clock.advance(30 * MINUTE_MS);
    // The link that was given up is paid all the same, and let go, like any that was replaced.
    await pays(first);
    await becomes(first, 'canceled');
    expect(totals(first)).toMatchObject({ captures: 0, cancels: 1 });
    expect(totals(second)).toMatchObject({ cancels: 0 });
    expect(await again(second)).toMatchObject({ status: 'waiting_for_capture', superseded: false });
  });

  it('and that was paid leaves its order paid, with nothing told of too much', async () => {
    const { lost: second } = await forgets({}, async (_first, input) => {
      const made = await replaced(input);
      await pays(made);
      await told('order.paid', made, 1);
      return made;
    });
    expect(await becomes(second, 'succeeded')).toMatchObject({ superseded: false });
    const { orderReference } = second;
    expect(new Set(await told('order.paid', second, 2)).size).toBe(1);
    expect(letters.of(orderReference, 'order.overpaid')).toEqual([]);
  });

  it.each([
    ['lowered', 60],
    ['raised', 150],
  ])('brings the total that it %s: its order is paid under the same key of effects', async (_word, value) => {
    const { lost: second } = await forgets({}, async (_first, input) => {
      const made = await replaced(input, roubles(value));
      await pays(made);
      await told('order.paid', made, 1);
      return made;
    });
    await becomes(second, 'succeeded');
    const { orderReference } = second;
    expect(await orderOf(second)).toMatchObject({ state: 'paid', totalDue: roubles(value) });
    expect(new Set(await told('order.paid', second, 2)).size).toBe(1);
    expect(letters.of(orderReference, 'order.overpaid')).toEqual([]);
  });

  it('brings no total over the one that its host says meanwhile', async () => {
    const { first, lost: second } = await forgets({}, (_first, input) => replaced(input, roubles(150)));
    // Here the order has its first try alone, and the call waits until the second one is found.
    const totalDue = roubles(200);
    expect(await host.payments.changeTotalDue(first.orderReference, totalDue)).toMatchObject({ totalDue });
    await becomes(second, 'pending');
    await recoveryEnds();
    expect(await orderOf(first)).toMatchObject({ totalDue });
  });

  it.each(['oldest', 'newest'])('has its place whichever is found first: the %s', async (which) => {
    const { lost: tries } = await forgets({ capture: false }, async (first, input) => {
      const second = await replaced(input, roubles(120));
      const third = await replaced(input, roubles(90));
      await pays(third);
      await pays(second);
      return [first, second, third] as const;
    });
    const [first, second, third] = tries;
    await becomes(third, 'waiting_for_capture');
    await becomes(second, 'waiting_for_capture');
    // As the looks that find them come: one after the other, whatever the list's order was.
    for (const payment of [second, third]) await forgetPayment(bench, (await again(payment)).id);
    for (const payment of which === 'oldest' ? [second, third] : [third, second]) {
      await isFound(payment);
      await becomes(payment, 'waiting_for_capture');
    }
    expect(await again(first)).toMatchObject({ superseded: true });
    expect(await again(second)).toMatchObject({ superseded: true });
    expect(await again(third)).toMatchObject({ superseded: false });
    expect(await orderOf(first)).toMatchObject({ totalDue: roubles(90) });
    expect(totals(third)).toMatchObject({ cancels: 0 });
  });

  it.each([
    ['held', false],
    ['paid', true],
  ])('and that was opened beside an older one, %s by then, takes nothing from it', async (_word, capture) => {
    const { first, lost: rest } = await forgets({ capture }, async (paid, input) => {
      await pays(paid);
      const totalDue = roubles(150);
      await host.payments.changeTotalDue(input.order.reference, totalDue);
      return host.payments.create({
        ...input,
        order: { ...input.order, totalDue },
        amount: roubles(50),
      });
    });
    const status = capture ? 'succeeded' : 'waiting_for_capture';
    expect(await becomes(rest, 'pending')).toMatchObject({ superseded: false });
    await host.payments.refresh(first.id);
    expect(await becomes(first, status)).toMatchObject({ superseded: false });
    expect(await orderOf(first)).toMatchObject({ totalDue: roubles(150), state: 'unpaid' });
    await recoveryEnds();
    await bench.sandbox.clock.advance(30 * MINUTE_MS);
    expect(totals(first)).toMatchObject({ cancels: 0 });
    await pays(await again(rest));
    const whole = capture ? 'paid' : 'authorized';
    expect(await orderOf(first)).toMatchObject({ state: whole });
    expect(letters.of(first.orderReference, 'order.overpaid')).toEqual([]);
  });

  it('and leaves an older one wanted keeps no host from replacing both, whatever room there is', async () => {
    const { first } = await forgets({ capture: false }, async (held, input) => {
      await pays(held);
      const order = { ...input.order, totalDue: roubles(150) };
      await host.payments.changeTotalDue(order.reference, order.totalDue);
      return host.payments.create({ ...input, order, amount: roubles(50) });
    });
    await eventually(
      () => host.payments.findByOrder(first.orderReference),
      ({ length }) => length === 2,
    );
    await host.payments.refresh(first.id);
    expect(await becomes(first, 'waiting_for_capture')).toMatchObject({ superseded: false });
    await recoveryEnds();
    bench.sandbox.faults.order({ on: 'cancel', fault: 'forbidden', times: 100 });
    const order = { reference: first.orderReference, totalDue: roubles(200) };
    await host.payments.create({
      ...orderInput(),
      order,
      capture: false,
      amount: roubles(60),
      replace: true,
    });
    await eventually(
      async () => requests(first, '/cancel'),
      (count) => count > 0,
    );
    expect(await host.payments.refresh(first.id)).toMatchObject({ superseded: true });
  });

  it('has what it replaced let go once its recovery is over, and it was read again after that', async () => {
    const { first, lost: second } = await forgets({ capture: false }, async (older, input) => {
      const made = await replaced(input);
      // By the old link. The database of that time let it go; here that is not known.
      proxy.idle = true;
      pay(older);
      return made;
    });
    expect(await becomes(second, 'pending')).toMatchObject({ superseded: false });
    proxy.idle = false;
    // Polls of what was given up: nobody else looks at it.
    await bench.sandbox.clock.advance(2 * MINUTE_MS);
    expect(await becomes(first, 'waiting_for_capture')).toMatchObject({ superseded: true });
    expect(requests(first, '/cancel')).toBe(0);
    const cannotBeRead = ({ serviceId }: Payment) => {
      proxy.rewrite = (object) => {
        if (object['id'] === serviceId) throw new Error('It cannot be read.');
        return object;
      };
    };
    const isRead = async (payment: Payment, minutes: number) => {
      await bench.sandbox.clock.advance(minutes * MINUTE_MS);
      const { id } = await again(payment);
      await eventually(
        async () =>
          bench.asOwner(
            `SELECT FROM payments_due WHERE payment_id = $1 AND fence IS NULL AND lane <> 'failing' AND ready_at > $2`,
            [id, await host.app.get(PaymentsOperator).now()],
          ),
        ({ length }) => length > 0,
      );
    };
    // As long as not all is read that was on its way, that is not enough.
    await isRead(second, 1);
    await host.payments.refresh(first.id);
    expect(requests(first, '/cancel')).toBe(0);
    cannotBeRead(second);
    await recoveryEnds();
    for (const minutes of [1, 2, 5, 9]) {
      await bench.sandbox.clock.advance(minutes * MINUTE_MS);
      await host.payments.refresh(first.id);
    }
    expect(requests(first, '/cancel')).toBe(0);
    // The second one is read first, within the hour in which it can be paid: after that the first one is wanted again.
    cannotBeRead(first);
    await isRead(second, 20);
    expect(requests(first, '/cancel')).toBe(0);
    proxy.rewrite = asItIs;
    await host.payments.refresh(first.id);
    expect(await becomes(first, 'canceled')).toMatchObject({ superseded: true });
    expect(await becomes(second, 'pending')).toMatchObject({ superseded: false });
    expect(totals(first)).toMatchObject({ cancels: 1 });
  });

  it('that is declined leaves its order the older one, in its last minutes too: what becomes of the hold its shop says', async () => {
    // Of four minutes, the last of which are its lead time.
    proxy.rewrite = (object) =>
      object['status'] === 'waiting_for_capture'
        ? {
            ...object,
            expires_at: new Date(Date.parse(String(object['created_at'])) + 4 * MINUTE_MS).toISOString(),
          }
        : object;
    const fields = { capture: false, holdPolicy: 'capture' } as const;
    const { first, lost: second } = await forgets(fields, async (older, input) => {
      const made = await replaced(input);
      proxy.idle = true;
      pay(older);
      return made;
    });
    await becomes(second, 'pending');
    proxy.idle = false;
    await bench.sandbox.clock.advance(2 * MINUTE_MS);
    expect(await becomes(first, 'waiting_for_capture')).toMatchObject({ superseded: true });
    bench.sandbox.payments.pay(second.serviceId ?? '', { outcome: 'decline' });
    const { id } = await again(second);
    expect(await host.payments.refresh(id)).toMatchObject({ status: 'canceled' });
    await eventually(
      async () => {
        await bench.sandbox.clock.advance(2 * MINUTE_MS);
        return again(first);
      },
      ({ status }) => status !== 'waiting_for_capture',
    );
    expect(await again(first)).toMatchObject({ status: 'succeeded', superseded: false });
    expect(totals(first)).toMatchObject({ captures: 1, cancels: 0 });
    const timeline = await host.payments.timeline(first.id);
    expect(timeline.filter(({ name }) => name === 'hold.expiring')).toMatchObject([
      { evidence: { policy: 'capture' } },
    ]);
  });

  it('takes nothing from an older one for what was opened in another part since', async () => {
    const input = { ...orderInput(), capture: false };
    const { reference } = input.order;
    const order = { reference, totalDue: roubles(150) };
    const first = await host.payments.create({ ...input, order });
    await pays(first);
    const rest = await host.payments.create({ ...input, order, amount: roubles(50) });
    await forgetPayment(bench, rest.id);
    await bench.sandbox.clock.advance(1_000);
    await host.payments.create({ ...input, order, part: 'more', amount: roubles(50) });
    await isFound(rest);
    expect(await becomes(first, 'waiting_for_capture')).toMatchObject({ superseded: false });
    expect(totals(first)).toMatchObject({ cancels: 0 });
  });

  it('takes nothing from an older one for what a newer one took since', async () => {
    const { order, ...input } = { ...orderInput(), capture: false };
    const said = (total: number, value: number) => ({
      ...input,
      order: { ...order, totalDue: roubles(total) },
      amount: roubles(value),
    });
    const first = await host.payments.create(said(300, 100));
    await pays(first);
    const second = await host.payments.create(said(300, 50));
    await pays(second);
    await pays(await host.payments.create(said(400, 250)));
    await forgetPayment(bench, second.id);
    await isFound(second);
    expect(await becomes(second, 'waiting_for_capture')).toMatchObject({ superseded: false });
    expect(await again(first)).toMatchObject({ superseded: false });
    expect(totals(first)).toMatchObject({ cancels: 0 });
  });

  describe('of an order with many payments', () => {
    /** Each 130.00, of a part of its own, one second after the other until `at`. */
    async function loadPaid({ id }: Payment, count: number, at: string): Promise<void> {
      await bench.asOwner(
        `INSERT INTO payments_payments (id, store_id, order_id, part, service_id, intent_key, status, currency, amount_minor,
           authorized_minor, captured_minor, capture, test, created_at, updated_at)
         SELECT gen_random_uuid(), store_id, order_id, 'part-' || n, 'loaded-' || n, 'loaded-' || n, 'succeeded', currency, 13000, 13000, 13000,
           true, test, ${at} - n * interval '1 second', updated_at
         FROM payments_payments, generate_series(1, ${count}) n WHERE id = $1`,
        [id],
      );
      await bench.asOwner(
        `UPDATE payments_orders SET paid_minor = paid_minor + ${count * 130_00}
         WHERE id = (SELECT order_id FROM payments_payments WHERE id = $1)`,
        [id],
      );
    }
    const YESTERDAY = `now() - interval '1 day'`;
    /** What 30 of them have paid, and 100.00 more. */
    const whole = (capture = false) => {
      const { order, ...input } = orderInput();
      return { ...input, order: { ...order, totalDue: roubles(4_000) }, capture };
    };

    it('takes the place of the hold that it replaced, since most of the total is paid by older ones', async () => {
      const input = whole();
      const first = await host.payments.create(input);
      await pays(first);
      await loadPaid(first, 30, YESTERDAY);
      const copy = await backUp(bench);
      const second = await replaced(input);
      await copy.restore();
      await becomes(second, 'pending');
      expect(await again(first)).toMatchObject({ superseded: true });
      expect(await again(second)).toMatchObject({ superseded: false });
    });

    it('leaves the hold beside which it was opened, however many were paid since', async () => {
      const { order, ...input } = { ...orderInput(), capture: false };
      const said = { ...order, totalDue: roubles(300) };
      const first = await host.payments.create({ ...input, order: said });
      await pays(first);
      const rest = await host.payments.create({ ...input, order: said, amount: roubles(50) });
      await forgetPayment(bench, rest.id);
      await loadPaid(first, 30, `now() + interval '1 hour'`);
      await isFound(rest);
      expect(await again(rest)).toMatchObject({ superseded: false });
      expect(await again(first)).toMatchObject({ superseded: false });
    });

    it('and was held after the order was paid without it is given up', async () => {
      const input = whole();
      const first = await host.payments.create(input);
      await loadPaid(first, 30, YESTERDAY);
      const second = await replaced(input);
      await pays(second);
      await host.payments.capture(second.id);
      await forgetPayment(bench, first.id);
      pay(first);
      await isFound(first);
      expect(await again(first)).toMatchObject({ superseded: true });
      expect(await orderOf(first)).toMatchObject({ totalDue: roubles(4_000) });
    });
  });

  it('brings no total over the one that a refused try of its part said later', async () => {
    const first = await host.payments.create(orderInput());
    const input = orderInput(first.orderReference);
    const second = await replaced(input, roubles(150));
    bench.sandbox.faults.order({ on: 'create', fault: 'forbidden', times: 1 });
    await expect(
      host.payments.create({ ...input, amount: roubles(90), replace: true }),
    ).rejects.toMatchObject({
      code: 'payment_rejected',
    });
    await forgetPayment(bench, second.id);
    await isFound(second);
    expect(await orderOf(first)).toMatchObject({ totalDue: roubles(90) });
  });

  it.each([
    ['was paid', async () => undefined],
    [
      'was paid and given back',
      async (payment: Payment) => void (await host.payments.refund(payment.id, { refundKey: 'all' })),
    ],
    ['came to nothing', null],
  ])('brings no total over the one that another part said later, which %s', async (_name, then) => {
    const { order, ...input } = orderInput();
    const said = (value: number) => ({ ...order, totalDue: roubles(value) });
    const first = await host.payments.create({ ...input, order: said(200), amount: roubles(50) });
    await bench.sandbox.clock.advance(1_000);
    const other = { ...input, order: said(250), amount: roubles(60), part: 'more' };
    const more = await host.payments.create(other);
    bench.sandbox.payments.pay(more.serviceId ?? '', { outcome: then === null ? 'decline' : 'succeed' });
    await host.payments.refresh(more.id);
    await then?.(more);
    await forgetPayment(bench, first.id);
    await isFound(first);
    expect(await again(first)).toMatchObject({ superseded: false });
    expect(await orderOf(first)).toMatchObject({ totalDue: roubles(250) });
  });
});
