import {
  OnPaymentEvent,
  OrderAlreadyPaidError,
  PaymentOutcomeUnknownError,
  PaymentsOperator,
  type HandlerContext,
  type Payment,
  type PaymentEvent,
  type RefundEvent,
} from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import { parseServicePayment } from '../../libs/payments/src/api/service-payment.js';
import { Adoption } from '../../libs/payments/src/apply/adoption.js';
import { isRecord } from '../../libs/payments/src/common/is-record.js';
import { effectKeyOf } from '../../libs/payments/src/handlers/effect-key.js';
import { PaymentsEventEntity } from '../../libs/payments/src/schema/event.entity.js';
import { PaymentsPaymentEntity } from '../../libs/payments/src/schema/payment.entity.js';
import { canaries } from '../support/canaries.js';
import { eventually } from '../support/eventually.js';
import { forgetPayment, forgetRefund } from '../support/forget.js';
import { markOf } from '../support/marks.js';
import {
  EffectHandlers,
  openBench,
  orderInput,
  paidPayment,
  paymentBecomes,
  sendNotification,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** What a handler does outside the database, which no database can forget. */
@Injectable()
class Mails {
  readonly sent: { reference: string; name: string; effectKey: string }[] = [];

  @OnPaymentEvent('payment.pending', { id: 'test.mail-pending' })
  pending(event: PaymentEvent, context: HandlerContext): void {
    this.#send(event, context);
  }

  @OnPaymentEvent('payment.succeeded', { id: 'test.mail-paid' })
  paid(event: PaymentEvent, context: HandlerContext): void {
    this.#send(event, context);
  }

  @OnPaymentEvent('refund.succeeded', { id: 'test.mail-refunded' })
  refunded(event: RefundEvent, context: HandlerContext): void {
    this.#send(event, context);
  }

  #send({ name, payment }: PaymentEvent | RefundEvent, { effectKey }: HandlerContext): void {
    this.sent.push({ reference: payment.orderReference, name, effectKey });
  }

  of(reference: string, name: string): string[] {
    return this.sent.flatMap((mail) =>
      mail.reference === reference && mail.name === name ? [mail.effectKey] : [],
    );
  }
}

describe('what the database has forgotten', () => {
  let bench: Bench;
  let host: PaymentsHost;
  let mails: Mails;
  let storeId: string;
  beforeAll(async () => {
    bench = await openBench();
    host = await bench.startHost({}, [EffectHandlers, Mails]);
    mails = host.app.get(Mails);
    const [store] = await bench.asOwner<{ id: string }>('SELECT id FROM payments_stores');
    storeId = store?.id ?? '';
  });
  afterEach(() => bench.sandbox.faults.clear());
  afterAll(() => bench.close());

  const payments = () => bench.sandbox.payments.list().length;
  const charges = ({ serviceId }: Payment) => bench.sandbox.ledger.totals(serviceId ?? '').charges;
  /** Only what we ask for tells us anything. */
  const silence = () => bench.sandbox.faults.order({ on: 'notification', fault: 'drop', times: 1_000 });
  const about = ({ serviceId }: Payment) => ({
    type: 'notification',
    event: 'payment.succeeded',
    object: { id: serviceId },
  });
  const byOrder = (reference: string, count: number) =>
    eventually(
      () => host.payments.findByOrder(reference),
      (found) => found.length === count,
    );

  describe('a payment', () => {
    it('is the same one when its buyer clicks again: the same key and the same bytes', async () => {
      silence();
      const input = { ...orderInput(), description: 'Tea', metadata: { basket: '7' } };
      const first = await host.payments.create(input);
      const before = payments();
      await forgetPayment(bench, first.id);
      const again = await host.payments.create(input);
      expect(again.id).not.toBe(first.id);
      expect(again).toMatchObject({
        status: 'pending',
        serviceId: first.serviceId,
        confirmationUrl: first.confirmationUrl,
      });
      expect(payments()).toBe(before);
    });

    it('that was paid meanwhile is paid for the buyer who clicks again', async () => {
      silence();
      const input = orderInput();
      const first = await host.payments.create(input);
      bench.sandbox.payments.pay(first.serviceId ?? '', { outcome: 'succeed' });
      await forgetPayment(bench, first.id);
      const again = await host.payments.create(input);
      expect(again).toMatchObject({ serviceId: first.serviceId });
      await host.payments.refresh(again.id);
      await paymentBecomes(host, again.id, 'succeeded');
      await expect(host.payments.create(input)).rejects.toBeInstanceOf(OrderAlreadyPaidError);
      expect(charges(first)).toBe(1);
    });

    it.each<[string, object, string | null]>([
      ['another sum', { amount: { value: '70.00', currency: 'RUB' } }, 'order_amount_exceeded'],
      ['another method', { method: 'wallet' }, 'order_amount_exceeded'],
      ['another description', { description: 'Coffee' }, null],
      ['another page to return to', { returnUrl: 'https://shop.example/elsewhere' }, null],
    ])('is found before the buyer who wants %s may open another one', async (_name, other, code) => {
      silence();
      const totalDue = { value: '100.00', currency: 'RUB' as const };
      const input = { ...orderInput(), order: { ...orderInput().order, totalDue } };
      const first = await host.payments.create(input);
      const before = payments();
      await forgetPayment(bench, first.id);
      const asked = await host.payments.create({ ...input, ...other }).catch((error: unknown) => error);
      expect(isRecord(asked) ? (asked['code'] ?? null) : asked).toBe(code);
      const known = (await byOrder(input.order.reference, 2)).find(({ serviceId }) => serviceId !== null);
      expect(known).toMatchObject({ serviceId: first.serviceId, amount: totalDue });
      expect(payments()).toBe(before);
    });

    it('is replaced like any other once it is found', async () => {
      silence();
      const input = orderInput();
      const first = await host.payments.create(input);
      await forgetPayment(bench, first.id);
      const other = await host.payments.create({ ...input, method: 'wallet', replace: true });
      expect(other).toMatchObject({ status: 'pending' });
      expect(other.serviceId).not.toBe(first.serviceId);
      const found = await byOrder(input.order.reference, 3);
      expect(found.find(({ serviceId }) => serviceId === first.serviceId)).toMatchObject({
        superseded: true,
      });
    });

    it('is recorded again at the first notification, with its events, totals and the same keys of effects', async () => {
      const input = { ...orderInput(), metadata: { basket: '9' }, description: 'Cup' };
      const { reference } = input.order;
      const first = await host.payments.create(input);
      bench.sandbox.payments.pay(first.serviceId ?? '', { outcome: 'succeed' });
      await paymentBecomes(host, first.id, 'succeeded');
      await eventually(
        async () => mails.of(reference, 'payment.succeeded'),
        ({ length }) => length === 1,
      );
      await forgetPayment(bench, first.id);
      expect(await host.payments.findByOrder(reference)).toEqual([]);
      await sendNotification(host, about(first));
      await bench.sandbox.clock.advance(60_000);
      const [found] = await byOrder(reference, 1);
      const paid = await paymentBecomes(host, found?.id ?? '', 'succeeded');
      const { id, createdAt, updatedAt, ...said } = first;
      expect(paid).toMatchObject({
        serviceId: said.serviceId,
        amount: said.amount,
        capture: said.capture,
        metadata: said.metadata,
        description: said.description,
        orderReference: reference,
      });
      expect(id === paid.id || createdAt === updatedAt).toBe(false);
      const sql = 'SELECT state FROM payments_orders WHERE reference = $1';
      expect(await bench.asOwner(sql, [reference])).toEqual([{ state: 'paid' }]);
      const timeline = await host.payments.timeline(paid.id);
      expect(timeline.flatMap(({ name, cause }) => (cause === 'service' ? [] : [[name, cause]]))).toEqual([
        ['payment.pending', 'recovery'],
        ['payment.succeeded', expect.stringMatching(/notification|sweep/)],
        ['order.paid', expect.stringMatching(/notification|sweep/)],
      ]);
      await eventually(
        async () => mails.of(reference, 'payment.succeeded'),
        ({ length }) => length === 2,
      );
      expect(new Set(mails.of(reference, 'payment.succeeded')).size).toBe(1);
      expect(new Set(mails.of(reference, 'payment.pending')).size).toBe(1);
    });

    it('is recorded once, by all that ask for it at the same moment', async () => {
      silence();
      const input = orderInput();
      const first = await host.payments.create(input);
      bench.sandbox.payments.pay(first.serviceId ?? '', { outcome: 'succeed' });
      await forgetPayment(bench, first.id);
      await Promise.all([
        sendNotification(host, about(first)),
        sendNotification(host, { ...about(first), event: 'payment.waiting_for_capture' }),
        host.payments.create(input).catch(() => undefined),
        host.payments.create(input).catch(() => undefined),
      ]);
      await bench.sandbox.clock.advance(60_000);
      const [found, ...more] = await byOrder(input.order.reference, 1);
      expect(more).toEqual([]);
      await paymentBecomes(host, found?.id ?? '', 'succeeded');
      expect(charges(first)).toBe(1);
    });

    it('is recorded once, by looks that find it at the same moment', async () => {
      silence();
      const first = await host.payments.create(orderInput());
      await forgetPayment(bench, first.id);
      const adoption = host.app.get(Adoption);
      const object = parseServicePayment(bench.sandbox.payments.get(first.serviceId ?? ''));
      if (object === null) throw new Error('The service has no such payment.');
      const looks = await Promise.all(Array.from({ length: 8 }, () => adoption.adopt(storeId, [object])));
      expect(looks.reduce((sum, { count }) => sum + count, 0)).toBe(1);
      await byOrder(first.orderReference, 1);
    });

    it.each([
      ['a card number for its reference', '4111111111111111'],
      ['dots and tildes', 'a.b~~c~1.2..'],
      ['letters of other scripts', 'Заказ № 7 🍵'],
    ])('with %s is found too', async (_name, reference) => {
      const first = await host.payments.create({ ...orderInput(reference), part: 'deposit.1' });
      bench.sandbox.payments.pay(first.serviceId ?? '', { outcome: 'succeed' });
      await paymentBecomes(host, first.id, 'succeeded');
      await forgetPayment(bench, first.id);
      await sendNotification(host, about(first));
      await bench.sandbox.clock.advance(60_000);
      const [found] = await byOrder(reference, 1);
      expect(found).toMatchObject({ serviceId: first.serviceId });
    });

    it('is recorded again where the list shows it in place of one that never arrived under its key', async () => {
      silence();
      const input = orderInput();
      const first = await host.payments.create(input);
      await forgetPayment(bench, first.id);
      bench.sandbox.faults.order({ on: 'create', fault: 'reset_before_commit', times: 100 });
      const other = { ...input, method: 'wallet' } as const;
      await expect(host.payments.create(other)).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
      await bench.sandbox.clock.advance(20 * MINUTE_MS);
      const found = await eventually(
        () => host.payments.findByOrder(input.order.reference),
        (rows) => rows.some(({ status }) => status === 'pending'),
      );
      expect(found.map(({ status, serviceId }) => ({ status, serviceId }))).toEqual(
        expect.arrayContaining([
          { status: 'pending', serviceId: first.serviceId },
          { status: 'rejected', serviceId: null },
        ]),
      );
      for (const { id } of found)
        expect((await host.payments.timeline(id)).map(({ name }) => name)).not.toContain('payment.anomaly');
      bench.sandbox.faults.clear();
      expect(await host.payments.create(input)).toMatchObject({ serviceId: first.serviceId });
    });

    it('of a second try is the second one again', async () => {
      const input = orderInput();
      const first = await host.payments.create(input);
      bench.sandbox.payments.pay(first.serviceId ?? '', { outcome: 'decline' });
      await paymentBecomes(host, first.id, 'canceled');
      silence();
      const second = await host.payments.create(input);
      expect(second.serviceId).not.toBe(first.serviceId);
      await forgetPayment(bench, second.id);
      expect(await host.payments.create(input)).toMatchObject({ serviceId: second.serviceId });
    });

    it('beside one that is open by now is watched as if it were replaced', async () => {
      silence();
      const input = orderInput();
      const first = await host.payments.create(input);
      await forgetPayment(bench, first.id);
      // The service has forgotten the key too: nothing but its list knows of the first one.
      await bench.sandbox.clock.advance(25 * HOUR_MS);
      const second = await host.payments.create(input);
      expect(second.serviceId).not.toBe(first.serviceId);
      await bench.asOwner(`UPDATE payments_payments SET try_number = 2, intent_key = 'two' WHERE id = $1`, [
        second.id,
      ]);
      await sendNotification(host, about(first));
      await bench.sandbox.clock.advance(60_000);
      const found = await byOrder(input.order.reference, 2);
      expect(found.find(({ serviceId }) => serviceId === first.serviceId)).toMatchObject({
        superseded: true,
      });
      expect(found.find(({ id }) => id === second.id)).toMatchObject({
        superseded: false,
        status: 'pending',
      });
    });

    it('with a mark that somebody else made is not ours', async () => {
      const ours = await host.payments.create(orderInput());
      const mark = await markOf(bench, ours.id);
      const forged = mark.replace(ours.orderReference, 'order-of-nobody');
      const answer = await fetch(`${bench.sandbox.url}/v3/payments`, {
        method: 'POST',
        headers: {
          Authorization: `Basic ${Buffer.from(`test_shop:${canaries.secretKey}`).toString('base64')}`,
          'Idempotence-Key': crypto.randomUUID(),
          'Content-Type': 'application/json',
        },
        body: JSON.stringify({
          amount: { value: '100.00', currency: 'RUB' },
          capture: true,
          confirmation: { type: 'redirect', return_url: 'https://elsewhere.example/' },
          metadata: { holdfast_payment: forged },
        }),
      });
      const made: unknown = await answer.json();
      if (!isRecord(made)) throw new Error(`The create was answered ${answer.status}.`);
      const { id } = made;
      await sendNotification(host, { type: 'notification', event: 'payment.succeeded', object: { id } });
      await bench.sandbox.clock.advance(2 * HOUR_MS);
      await eventually(
        () => host.app.get(PaymentsOperator).foreignNotifications(),
        (foreign) => foreign.some(({ objectId }) => objectId === id),
      );
      expect(await host.payments.findByOrder('order-of-nobody')).toEqual([]);
    });
  });

  it('is not mixed with what another database knows of the same orders', async () => {
    const other = await openBench();
    const staging = await other.startHost({ serviceUrl: bench.sandbox.url });
    const input = orderInput();
    const [one, two] = [await host.payments.create(input), await staging.payments.create(input)];
    expect(one.serviceId).not.toBe(two.serviceId);
    await other.close();
  });

  describe('a refund', () => {
    it.each([
      ['of a part', { amount: { value: '30.00', currency: 'RUB' as const }, description: 'Torn' }],
      ['of all that is left', {}],
    ])('%s is the same one when it is asked for again', async (_name, rest) => {
      const payment = await paidPayment(bench, host);
      silence();
      const first = await host.payments.refund(payment.id, { refundKey: 'return-1', ...rest });
      await forgetRefund(bench, first.id);
      const again = await host.payments.refund(payment.id, { refundKey: 'return-1', ...rest });
      expect(again).toMatchObject({ id: first.id, serviceId: first.serviceId, amount: first.amount });
      expect(bench.sandbox.ledger.totals(payment.serviceId ?? '')).toMatchObject({ refunds: 1 });
    });

    it('is ours again when it is found, whether or not anybody asks for it', async () => {
      const payment = await paidPayment(bench, host);
      silence();
      const asked = {
        refundKey: 'return-1',
        amount: { value: '30.00', currency: 'RUB' as const },
        metadata: { shelf: '7' },
      };
      const first = await host.payments.refund(payment.id, asked);
      await forgetRefund(bench, first.id);
      await host.payments.refresh(payment.id);
      const [found] = await eventually(
        () => host.payments.refunds(payment.id),
        ({ length }) => length === 1,
      );
      expect(found).toMatchObject({ ...first, createdAt: expect.any(Date), updatedAt: expect.any(Date) });
      expect(await host.payments.refund(payment.id, asked)).toEqual(found);
      const timeline = await host.payments.timeline(payment.id);
      expect(timeline.find(({ name }) => name === 'refund.succeeded')?.cause).toBe('recovery');
      expect(timeline.some(({ name }) => name === 'payment.anomaly')).toBe(false);
    });

    it('that was made elsewhere has the same keys of effects when it is found again', async () => {
      const payment = await paidPayment(bench, host);
      const { orderReference } = payment;
      silence();
      bench.sandbox.refunds.make(payment.serviceId ?? '', '30.00');
      const found = async (times: number) => {
        await host.app.get(PaymentsOperator).reread(payment.id);
        await eventually(
          async () => mails.of(orderReference, 'refund.succeeded'),
          ({ length }) => length === times,
        );
        const [refund] = await host.payments.refunds(payment.id);
        return refund?.id ?? '';
      };
      await forgetRefund(bench, await found(1));
      await found(2);
      expect(new Set(mails.of(orderReference, 'refund.succeeded')).size).toBe(1);
    });

    it.each([
      ['of all that is left, where one before it is forgotten too,', {}],
      ['in other words', { amount: { value: '70.00', currency: 'RUB' as const }, description: 'Worn' }],
    ])('%s is never taken as refused', async (_name, other) => {
      const payment = await paidPayment(bench, host);
      silence();
      const part = { amount: { value: '30.00', currency: 'RUB' as const } };
      await host.payments.refund(payment.id, { refundKey: 'one', ...part });
      const rest = await host.payments.refund(payment.id, { refundKey: 'rest' });
      for (const { id } of await host.payments.refunds(payment.id)) await forgetRefund(bench, id);
      const again = await host.payments.refund(payment.id, { refundKey: 'rest', ...other });
      expect(again).toMatchObject({ id: rest.id, serviceId: rest.serviceId, amount: rest.amount });
      expect(bench.sandbox.ledger.totals(payment.serviceId ?? '')).toMatchObject({ refunds: 2 });
      const refunds = await host.payments.refunds(payment.id);
      expect(refunds.map(({ refundKey, status }) => `${refundKey} ${status}`).toSorted()).toEqual([
        'one succeeded',
        'rest succeeded',
      ]);
      expect(await host.payments.refund(payment.id, { refundKey: 'rest', ...other })).toEqual(again);
      const timeline = await host.payments.timeline(payment.id);
      expect(timeline.some(({ name }) => name === 'refund.rejected' || name === 'payment.anomaly')).toBe(
        false,
      );
    });

    it('of a payment that is forgotten too is found with it', async () => {
      const payment = await paidPayment(bench, host);
      silence();
      const first = await host.payments.refund(payment.id, { refundKey: 'return-1' });
      await forgetPayment(bench, payment.id);
      await sendNotification(host, about(payment));
      await bench.sandbox.clock.advance(60_000);
      const [again] = await byOrder(payment.orderReference, 1);
      const [refund] = await eventually(
        () => host.payments.refunds(again?.id ?? ''),
        ({ length }) => length === 1,
      );
      expect(refund).toMatchObject({ id: first.id, refundKey: 'return-1', serviceId: first.serviceId });
      await host.payments.refund(again?.id ?? '', { refundKey: 'return-1' });
      expect(bench.sandbox.ledger.totals(payment.serviceId ?? '')).toMatchObject({ refunds: 1 });
    });
  });

  it('has a key of its effects that never means another event', async () => {
    const payment = await paidPayment(bench, host);
    const anomaly = (reason: string) =>
      bench.asOwner<{ id: string }>(
        `INSERT INTO payments_events (store_id, subject_type, subject_id, payment_id, name, cause, evidence, created_at)
         SELECT store_id, 'payment', id::text, id, 'payment.anomaly', 'sweep', jsonb_build_object('reason', $2::text), now()
         FROM payments_payments WHERE id = $1 RETURNING id`,
        [payment.id, reason],
      );
    const keys: string[] = [];
    for (const reason of ['one', 'two', 'two']) {
      const [row] = await anomaly(reason);
      const manager = host.dataSource.manager;
      const event = await manager.findOneByOrFail(PaymentsEventEntity, { id: row?.id ?? '' });
      const known = {
        payment: await manager.findOneByOrFail(PaymentsPaymentEntity, { id: payment.id }),
        orderReference: payment.orderReference,
      };
      keys.push(await effectKeyOf(manager, 'test.mail', event, known));
      expect(await effectKeyOf(manager, 'test.mail', event, known)).toBe(keys.at(-1));
    }
    expect(new Set(keys).size).toBe(3);
  });

  it('of a hold, its capture, takes effect once when it is asked for again', async () => {
    const payment = await paidPayment(bench, host, { capture: false });
    silence();
    await forgetPayment(bench, payment.id);
    await sendNotification(host, about(payment));
    await bench.sandbox.clock.advance(60_000);
    const [again] = await byOrder(payment.orderReference, 1);
    await paymentBecomes(host, again?.id ?? '', 'waiting_for_capture');
    await host.payments.capture(again?.id ?? '');
    expect(bench.sandbox.ledger.totals(payment.serviceId ?? '')).toMatchObject({ charges: 1 });
  });
});
