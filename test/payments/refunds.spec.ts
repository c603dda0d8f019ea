import {
  OnPaymentEvent,
  OperationRefusedError,
  PaymentInputError,
  PaymentNotFoundError,
  PaymentNotRefundableError,
  PaymentOutcomeUnknownError,
  PaymentsService,
  PaymentWhollyRefundedError,
  RefundAmountExceededError,
  RefundKeyReusedError,
  RefundWindowClosedError,
  type HandlerContext,
  type Payment,
  type PaymentEvent,
  type Refund,
  type RefundEvent,
  type RefundInput,
} from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import { eventually } from '../support/eventually.js';
import { markOf } from '../support/marks.js';
import {
  EffectHandlers,
  hasty,
  openBench,
  orderInput,
  paidPayment,
  paymentBecomes,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';

const roubles = (value: string) => ({ value, currency: 'RUB' as const });
const DAY_MS = 24 * 3_600_000;
const metadataOf = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key ${index}`, 'x'.repeat(512)]));

/** A shop that refunds ten roubles when asked; the first run fails after that. */
@Injectable()
class GiveBackAtOnce {
  constructor(private readonly payments: PaymentsService) {}

  @OnPaymentEvent('payment.succeeded', { id: 'test.give-back' })
  async giveBack({ payment }: PaymentEvent, { manager, attempt }: HandlerContext): Promise<void> {
    if (payment.metadata['bonus'] !== 'yes') return;
    await this.payments.refund(payment.id, { refundKey: 'bonus', amount: roubles('10.00'), manager });
    if (attempt === 1) throw new Error('the printer is on fire');
  }
}

/** Remembers the refunds it receives. */
@Injectable()
class Remembers {
  readonly refunds: Refund[] = [];

  @OnPaymentEvent('refund.succeeded', { id: 'test.remembers' })
  remember({ refund }: RefundEvent): void {
    this.refunds.push(refund);
  }
}

describe('a refund', () => {
  let bench: Bench;
  let host: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    host = await bench.startHost({}, [EffectHandlers, GiveBackAtOnce, Remembers]);
  });
  afterAll(() => bench.close());
  afterEach(() => bench.sandbox.faults.clear());

  const totals = ({ serviceId }: Payment) => bench.sandbox.ledger.totals(serviceId ?? '');
  const order = ({ orderReference }: Payment) => host.payments.getOrder(orderReference);

  const paid = (metadata: Record<string, string> = {}) => paidPayment(bench, host, { metadata });

  /** The row's columns that no view shows. */
  async function sums({ id }: Payment): Promise<{ refunded_minor: string; refund_reserved_minor: string }> {
    const [row] = await host.dataSource.query<{ refunded_minor: string; refund_reserved_minor: string }[]>(
      'SELECT refunded_minor, refund_reserved_minor FROM payments_payments WHERE id = $1',
      [id],
    );
    if (!row) throw new Error('There is no such payment.');
    return row;
  }

  it('without an amount gives all of it back, and the order shows it', async () => {
    const payment = await paid();
    const refund = await host.payments.refund(payment.id, { refundKey: 'return-1', description: 'Torn' });
    expect(refund).toMatchObject({
      paymentId: payment.id,
      refundKey: 'return-1',
      status: 'succeeded',
      amount: roubles('100.00'),
      description: 'Torn',
      cancellation: null,
    });
    expect(bench.sandbox.refunds.get(refund.serviceId ?? '')).toMatchObject({
      description: 'Torn',
      metadata: { holdfast_refund: await markOf(bench, refund.id, 'refund') },
    });
    expect(await host.payments.get(payment.id)).toMatchObject({ refundedAmount: roubles('100.00') });
    expect(await order(payment)).toMatchObject({ state: 'refunded', refunded: roubles('100.00') });
    expect(totals(payment)).toMatchObject({ refunds: 1, refunded: '100.00' });
    expect(await host.payments.refunds(payment.id)).toEqual([refund]);
  });

  it('may be partial and repeated; the last gives what is left', async () => {
    const payment = await paid();
    await host.payments.refund(payment.id, { refundKey: 'a', amount: roubles('30.00') });
    expect(await order(payment)).toMatchObject({ state: 'partially_refunded', refunded: roubles('30.00') });
    await host.payments.refund(payment.id, { refundKey: 'b', amount: roubles('0.01') });
    expect(await host.payments.refund(payment.id, { refundKey: 'c' })).toMatchObject({
      amount: roubles('69.99'),
    });
    expect(await order(payment)).toMatchObject({ state: 'refunded' });
    expect(totals(payment)).toMatchObject({ refunds: 3, refunded: '100.00' });
    const keys = (await host.payments.refunds(payment.id)).map(({ refundKey }) => refundKey);
    expect(keys).toEqual(['a', 'b', 'c']);
  });

  it.each<[string, Omit<RefundInput, 'refundKey'>]>([
    ['of a part', { amount: roubles('40.00') }],
    ['of all that is left', {}],
  ])('%s requested again under its key is the same refund', async (_name, rest) => {
    const payment = await paid();
    const first = await host.payments.refund(payment.id, { refundKey: 'return-1', ...rest });
    expect(await host.payments.refund(payment.id, { refundKey: 'return-1', ...rest })).toEqual(first);
    expect(totals(payment)).toMatchObject({ refunds: 1 });
    expect(bench.sandbox.ledger.requestCount({ endpoint: 'refund', paymentId: payment.serviceId })).toBe(1);
  });

  it.each<[string, Omit<RefundInput, 'refundKey'>]>([
    ['another amount', { amount: roubles('40.01'), description: 'Torn' }],
    ['all that is left', { description: 'Torn' }],
    ['another description', { amount: roubles('40.00'), description: 'Late' }],
    ['no description', { amount: roubles('40.00') }],
    ['other metadata', { amount: roubles('40.00'), description: 'Torn', metadata: { size: 'M' } }],
  ])('is refused under a used key for %s', async (_name, rest) => {
    const payment = await paid();
    const first = { refundKey: 'return-1', amount: roubles('40.00'), description: 'Torn' };
    await host.payments.refund(payment.id, first);
    const second = host.payments.refund(payment.id, { refundKey: 'return-1', ...rest });
    await expect(second).rejects.toBeInstanceOf(RefundKeyReusedError);
    await expect(second).rejects.toMatchObject({ code: 'refund_key_reused', refundKey: 'return-1' });
    expect(totals(payment)).toMatchObject({ refunds: 1, refunded: '40.00' });
  });

  it('carries metadata of your own, in its view, its event and at the service', async () => {
    const payment = await paid();
    const metadata = { size: 'XL', shelf: '7' };
    const refund = await host.payments.refund(payment.id, { refundKey: 'return-1', metadata });
    expect(refund).toMatchObject({ status: 'succeeded', metadata });
    expect(bench.sandbox.refunds.get(refund.serviceId ?? '')).toMatchObject({
      metadata: { ...metadata, holdfast_refund: await markOf(bench, refund.id, 'refund') },
    });
    const again = { refundKey: 'return-1', metadata: { shelf: '7', size: 'XL' } };
    expect(await host.payments.refund(payment.id, again)).toEqual(refund);
    expect(await host.payments.refunds(payment.id)).toEqual([refund]);
    const received = await eventually(
      async () => host.app.get(Remembers).refunds.find(({ id }) => id === refund.id),
      (found) => found !== undefined,
    );
    expect(received).toEqual(refund);
  });

  it('accepts fifteen metadata entries of any allowed length: the sixteenth is ours', async () => {
    const payment = await paid();
    const metadata = metadataOf(15);
    expect(await host.payments.refund(payment.id, { refundKey: 'a', metadata })).toMatchObject({
      status: 'succeeded',
      metadata,
    });
  });

  it('of more than is left says how much is left', async () => {
    const payment = await paid();
    await host.payments.refund(payment.id, { refundKey: 'a', amount: roubles('30.00') });
    bench.sandbox.refunds.next({ status: 'pending' });
    await host.payments.refund(payment.id, { refundKey: 'b', amount: roubles('20.00') });
    const third = host.payments.refund(payment.id, { refundKey: 'c', amount: roubles('50.01') });
    await expect(third).rejects.toBeInstanceOf(RefundAmountExceededError);
    await expect(third).rejects.toMatchObject({
      code: 'refund_amount_exceeded',
      amountMinor: 50_01,
      capturedMinor: 100_00,
      refundedMinor: 30_00,
      inFlightMinor: 20_00,
    });
    expect(await host.payments.refund(payment.id, { refundKey: 'c' })).toMatchObject({
      amount: roubles('50.00'),
    });
    expect(totals(payment)).toMatchObject({ refunds: 2, refunded: '80.00' });
  });

  it('of a payment that is wholly refunded says so', async () => {
    const payment = await paid();
    await host.payments.refund(payment.id, { refundKey: 'a' });
    const second = host.payments.refund(payment.id, { refundKey: 'b', amount: roubles('1.00') });
    await expect(second).rejects.toBeInstanceOf(PaymentWhollyRefundedError);
    await expect(second).rejects.toMatchObject({ code: 'payment_wholly_refunded', paymentId: payment.id });
  });

  it('of a partial capture gives back no more than was captured', async () => {
    const held = await host.payments.create({ ...orderInput(), capture: false });
    bench.sandbox.payments.pay(held.serviceId ?? '', { outcome: 'succeed' });
    await paymentBecomes(host, held.id, 'waiting_for_capture');
    await host.payments.capture(held.id, { amount: roubles('60.00') });
    await expect(
      host.payments.refund(held.id, { refundKey: 'a', amount: roubles('60.01') }),
    ).rejects.toBeInstanceOf(RefundAmountExceededError);
    expect(await host.payments.refund(held.id, { refundKey: 'a' })).toMatchObject({
      amount: roubles('60.00'),
    });
  });

  it('of a payment that is not paid is refused, whatever its status', async () => {
    const pending = await host.payments.create(orderInput());
    const refused = host.payments.refund(pending.id, { refundKey: 'a' });
    await expect(refused).rejects.toBeInstanceOf(PaymentNotRefundableError);
    await expect(refused).rejects.toMatchObject({ code: 'payment_not_refundable', status: 'pending' });

    const held = await host.payments.create({ ...orderInput(), capture: false });
    bench.sandbox.payments.pay(held.serviceId ?? '', { outcome: 'succeed' });
    await paymentBecomes(host, held.id, 'waiting_for_capture');
    await expect(host.payments.refund(held.id, { refundKey: 'a' })).rejects.toMatchObject({
      status: 'waiting_for_capture',
    });
    expect(await host.payments.refunds(held.id)).toEqual([]);
  });

  it('of no payment of ours is refused', async () => {
    const id = '00000000-0000-0000-0000-000000000000';
    await expect(host.payments.refund(id, { refundKey: 'a' })).rejects.toBeInstanceOf(PaymentNotFoundError);
    await expect(host.payments.refunds('no uuid')).rejects.toBeInstanceOf(PaymentNotFoundError);
  });

  it.each<[string, object]>([
    ['refundKey', {}],
    ['refundKey', { refundKey: '' }],
    ['refundKey', { refundKey: 'x'.repeat(65) }],
    ['refundKey', { refundKey: 7 }],
    ['refundKey', { refundKey: 'a\u0000' }],
    ['amount.value', { refundKey: 'a', amount: { value: '10', currency: 'RUB' } }],
    ['amount.value', { refundKey: 'a', amount: { value: '0.00', currency: 'RUB' } }],
    ['amount.value', { refundKey: 'a', amount: { value: '-1.00', currency: 'RUB' } }],
    ['amount.currency', { refundKey: 'a', amount: { value: '1.00', currency: 'USD' } }],
    ['amount', { refundKey: 'a', amount: null }],
    ['amount', { refundKey: 'a', amount: '10.00' }],
    ['ammount', { refundKey: 'a', ammount: roubles('10.00') }],
    ['description', { refundKey: 'a', description: 'x'.repeat(251) }],
    ['description', { refundKey: 'a', description: null }],
    ['metadata', { refundKey: 'a', metadata: 'size' }],
    ['metadata', { refundKey: 'a', metadata: { size: 7 } }],
    ['metadata', { refundKey: 'a', metadata: { ['k'.repeat(33)]: '' } }],
    ['metadata', { refundKey: 'a', metadata: { size: 'x'.repeat(513) } }],
    ['metadata', { refundKey: 'a', metadata: metadataOf(16) }],
    ['metadata', { refundKey: 'a', metadata: { holdfast_refund: 'mine' } }],
  ])('with a wrong %s is refused by its name: %j', async (field, input) => {
    const payment = await paid();
    const wrong: RefundInput = Object.assign({ refundKey: 'a' }, { refundKey: undefined }, input);
    const refused = host.payments.refund(payment.id, wrong);
    await expect(refused).rejects.toBeInstanceOf(PaymentInputError);
    await expect(refused).rejects.toMatchObject({ field });
    expect(totals(payment)).toMatchObject({ refunds: 0 });
  });

  it('that the service processes slowly is polled until it is final, without a notification', async () => {
    const payment = await paid();
    bench.sandbox.refunds.next({ status: 'pending' });
    const refund = await host.payments.refund(payment.id, { refundKey: 'a', amount: roubles('25.00') });
    expect(refund.status).toBe('pending');
    expect(await sums(payment)).toEqual({ refunded_minor: '0', refund_reserved_minor: '2500' });
    bench.sandbox.faults.order({ on: 'notification', fault: 'drop' });
    bench.sandbox.refunds.finish(refund.serviceId ?? '', 'succeeded');
    await bench.sandbox.clock.advance(DAY_MS);
    await eventually(
      () => host.payments.refunds(payment.id),
      ([polled]) => polled?.status === 'succeeded',
    );
    expect(await sums(payment)).toEqual({ refunded_minor: '2500', refund_reserved_minor: '0' });
    expect(await order(payment)).toMatchObject({ state: 'partially_refunded' });
  });

  it('that the service cancels gives the reason, and its money may be refunded again', async () => {
    const payment = await paid();
    bench.sandbox.refunds.next({ status: 'canceled', reason: 'insufficient_funds' });
    expect(await host.payments.refund(payment.id, { refundKey: 'a' })).toMatchObject({
      status: 'canceled',
      cancellation: { reason: 'insufficient_funds' },
    });
    expect(await sums(payment)).toEqual({ refunded_minor: '0', refund_reserved_minor: '0' });
    expect(await host.payments.refund(payment.id, { refundKey: 'b' })).toMatchObject({
      status: 'succeeded',
      amount: roubles('100.00'),
    });
    expect(totals(payment)).toMatchObject({ refunds: 1, refunded: '100.00' });
  });

  it('that the service refuses is over for good; the same key gives the same error and sends nothing', async () => {
    const payment = await paid();
    bench.sandbox.faults.order({ on: 'notification', fault: 'drop' });
    bench.sandbox.refunds.make(payment.serviceId ?? '', '80.00');
    const refused = host.payments.refund(payment.id, { refundKey: 'a', amount: roubles('50.00') });
    await expect(refused).rejects.toBeInstanceOf(OperationRefusedError);
    await expect(refused).rejects.toMatchObject({
      code: 'operation_refused',
      operation: 'refund',
      message: expect.stringContaining('Refund sum exceeded'),
    });
    const again = host.payments.refund(payment.id, { refundKey: 'a', amount: roubles('50.00') });
    await expect(again).rejects.toMatchObject({ message: expect.stringContaining('Refund sum exceeded') });
    expect(bench.sandbox.ledger.requestCount({ endpoint: 'refund', paymentId: payment.serviceId })).toBe(1);
    // By now the reason of the refusal is known.
    expect(await host.payments.refunds(payment.id)).toMatchObject([
      { refundKey: null, status: 'succeeded', amount: roubles('80.00') },
      { refundKey: 'a', status: 'rejected', amount: roubles('50.00') },
    ]);
    expect(await host.payments.refund(payment.id, { refundKey: 'b' })).toMatchObject({
      amount: roubles('20.00'),
    });
  });

  it('whose answer never comes says so, and continues by itself', async () => {
    const payment = await paid();
    const { payments } = await bench.startHost({ ...hasty, sweeps: false });
    bench.sandbox.faults.order({ on: 'refund', fault: 'stall_after_commit', times: 2 });
    bench.sandbox.faults.order({ on: 'notification', fault: 'drop' });
    const unanswered = payments.refund(payment.id, { refundKey: 'a', amount: roubles('40.00') });
    await expect(unanswered).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
    await expect(unanswered).rejects.toMatchObject({ operation: 'refund' });
    bench.sandbox.faults.clear();
    await bench.sandbox.clock.advance(60_000);
    await eventually(
      () => host.payments.refunds(payment.id),
      ([refund]) => refund?.status === 'succeeded',
    );
    expect(totals(payment)).toMatchObject({ refunds: 1, refunded: '40.00' });
  });

  it('whose answer is lost becomes known once its notification comes', async () => {
    const payment = await paid();
    // One attempt: the next would begin too late for its deadline.
    const { payments } = await bench.startHost({
      requestTimeoutMs: 4_000,
      callDeadlineMs: 8_000,
      sweeps: false,
    });
    bench.sandbox.faults.order({ on: 'refund', fault: 'stall_after_commit' });
    const refund = await payments.refund(payment.id, { refundKey: 'a', amount: roubles('40.00') });
    expect(refund.status).toBe('succeeded');
    expect(bench.sandbox.ledger.requestCount({ endpoint: 'refund', paymentId: payment.serviceId })).toBe(1);
    expect(totals(payment)).toMatchObject({ refunds: 1, refunded: '40.00' });
  });

  it('requested in a handler is made once, after the commit of the run that counts', async () => {
    const payment = await paid({ bonus: 'yes' });
    await eventually(
      () =>
        host.dataSource.query<object[]>(
          `SELECT 1 FROM payments_deliveries WHERE sequence = $1 AND last_error IS NOT NULL`,
          [payment.id],
        ),
      ({ length }) => length === 1,
    );
    expect(await host.payments.refunds(payment.id)).toEqual([]);
    await bench.sandbox.clock.advance(15_000);
    await eventually(
      () => host.payments.refunds(payment.id),
      ([refund]) => refund?.status === 'succeeded',
    );
    expect(await host.payments.refunds(payment.id)).toMatchObject([
      { refundKey: 'bonus', amount: roubles('10.00') },
    ]);
    expect(totals(payment)).toMatchObject({ refunds: 1, refunded: '10.00' });
  });

  it('is in the timeline with its evidence', async () => {
    const payment = await paid();
    const { id, serviceId } = await host.payments.refund(payment.id, { refundKey: 'return-1' });
    const refunds = (await host.payments.timeline(payment.id)).filter(({ name }) =>
      name.startsWith('refund.'),
    );
    expect(refunds).toMatchObject([
      {
        name: 'refund.submitting',
        cause: 'refund',
        evidence: { refundId: id, refundKey: 'return-1', amountMinor: 100_00 },
      },
      {
        name: 'refund.succeeded',
        from: 'submitting',
        to: 'succeeded',
        evidence: { refundId: id, serviceId, serviceStatus: 'succeeded', attempt: 1 },
      },
    ]);
    await eventually(
      () => host.payments.timeline(payment.id),
      (entries) => entries.some(({ name }) => name === 'notification refund.succeeded'),
    );
  });

  it('of a payment more than three years old is refused before anything is sent', async () => {
    const payment = await paid();
    await bench.asOwner(
      `UPDATE payments_payments SET created_at = created_at - interval '1100 days' WHERE id = $1`,
      [payment.id],
    );
    const refused = host.payments.refund(payment.id, { refundKey: 'a' });
    await expect(refused).rejects.toBeInstanceOf(RefundWindowClosedError);
    await expect(refused).rejects.toMatchObject({ code: 'refund_window_closed' });
    expect(bench.sandbox.ledger.requestCount({ endpoint: 'refund', paymentId: payment.serviceId })).toBe(0);
  });
});
