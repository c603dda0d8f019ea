import {
  formatAmount,
  OnPaymentEvent,
  PaymentOutcomeUnknownError,
  PaymentsOperator,
  type HandlerContext,
  type Payment,
  type Refund,
  type RefundEvent,
} from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import { eventually } from '../support/eventually.js';
import {
  effectsBecome,
  openBench,
  orderInput,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';
import { asItIs, type Rewrite, type ServiceProxy } from '../support/service-proxy.js';

const asked = { refundKey: 'return-1', amount: formatAmount(40_00) };
const anna = { by: 'anna', note: 'The support says that the sum is right' };

@Injectable()
class RefundHandlers {
  @OnPaymentEvent('refund.succeeded', { id: 'test.refunded' })
  refunded(event: RefundEvent, context: HandlerContext): Promise<void> {
    return this.#record(event, context);
  }

  @OnPaymentEvent('refund.canceled', { id: 'test.not-refunded' })
  canceled(event: RefundEvent, context: HandlerContext): Promise<void> {
    return this.#record(event, context);
  }

  async #record({ name, payment, refund }: RefundEvent, { manager }: HandlerContext): Promise<void> {
    const said = `${name} ${refund.refundKey} ${refund.amount.value}`;
    await manager.query('INSERT INTO effects (event, payment_id) VALUES ($1, $2)', [said, payment.id]);
  }
}

describe('a refund that the service has made with another sum', () => {
  let bench: Bench;
  let proxy: ServiceProxy;
  let host: PaymentsHost;
  let operator: PaymentsOperator;
  beforeAll(async () => {
    bench = await openBench();
    proxy = await bench.startProxy();
    host = await bench.startHost(
      { serviceUrl: proxy.url, requestTimeoutMs: 10_000, callDeadlineMs: 10_000 },
      [RefundHandlers],
    );
    operator = host.app.get(PaymentsOperator);
  });
  beforeEach(() => {
    proxy.rewrite = asItIs;
  });
  afterAll(() => bench.close());

  /** What the service says of each refund, in its answers and its lists. */
  function says(fields: Record<string, unknown>, refundedMinor: number): Rewrite {
    const change: Rewrite = (object) => {
      if (Array.isArray(object['items'])) {
        const items: Record<string, unknown>[] = object['items'];
        return { ...object, items: items.map(change) };
      }
      if ('payment_id' in object) return { ...object, ...fields };
      return 'refunded_amount' in object
        ? { ...object, refunded_amount: formatAmount(refundedMinor) }
        : object;
    };
    return change;
  }

  async function made(rewrite: Rewrite): Promise<{ payment: Payment; refund: Refund }> {
    const { id, serviceId } = await host.payments.create(orderInput());
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    const payment = await host.payments.refresh(id);
    proxy.rewrite = rewrite;
    await expect(host.payments.refund(id, asked)).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
    const [refund] = await host.payments.refunds(id);
    if (refund === undefined) throw new Error('It was recorded.');
    return { payment, refund };
  }

  const open = ({ id }: Payment) =>
    bench.asOwner('SELECT FROM payments_operations WHERE payment_id = $1 AND settled_at IS NULL', [id]);

  it('is booked as it was made once a person accepts that, and its handlers learn the sum', async () => {
    const { payment, refund } = await made(says({ amount: formatAmount(30_00) }, 30_00));
    expect(refund).toMatchObject({ status: 'submitting', amount: formatAmount(40_00) });
    const accepted = await operator.acceptRefund(refund.id, anna);
    expect(accepted).toMatchObject({ ...asked, status: 'succeeded', amount: formatAmount(30_00) });
    expect(await host.payments.getOrder(payment.orderReference)).toMatchObject({
      refunded: formatAmount(30_00),
    });
    expect(await effectsBecome(bench, host, payment.id, 1)).toEqual(['refund.succeeded return-1 30.00']);
    expect(await open(payment)).toEqual([]);
    expect(await host.payments.timeline(payment.id)).toContainEqual(
      expect.objectContaining({
        name: 'refund.succeeded',
        cause: 'operator',
        evidence: expect.objectContaining({ ...anna, requestedMinor: 40_00, amountMinor: 30_00 }),
      }),
    );
    // What it does not take is free again, and no more.
    await expect(
      host.payments.refund(payment.id, { refundKey: 'more', amount: formatAmount(70_01) }),
    ).rejects.toMatchObject({ code: 'refund_amount_exceeded', inFlightMinor: 0 });
    // The key names it as it was requested, and as it is.
    for (const amount of [asked.amount, formatAmount(30_00)])
      expect(await host.payments.refund(payment.id, { ...asked, amount })).toMatchObject({ id: refund.id });
    await expect(
      host.payments.refund(payment.id, { ...asked, amount: formatAmount(35_00) }),
    ).rejects.toMatchObject({ code: 'refund_key_reused' });
    expect(bench.sandbox.ledger.totals(payment.serviceId ?? '')).toMatchObject({ refunds: 1 });
    // The service and we agree.
    expect(await operator.reread(payment.id)).toMatchObject({ refundedAmount: formatAmount(30_00) });
    // A notification of the refund may come after that.
    await eventually(
      () => bench.asOwner('SELECT FROM payments_due WHERE payment_id = $1', [payment.id]),
      ({ length }) => length === 0,
    );
  });

  it('and has canceled since gives all its money free', async () => {
    const { payment, refund } = await made(says({ amount: formatAmount(30_00), status: 'canceled' }, 0));
    expect(await operator.acceptRefund(refund.id, anna)).toMatchObject({ status: 'canceled' });
    expect(await host.payments.get(payment.id)).toMatchObject({ refundedAmount: formatAmount(0) });
    expect(await effectsBecome(bench, host, payment.id, 1)).toEqual(['refund.canceled return-1 30.00']);
    proxy.rewrite = asItIs;
    await expect(
      host.payments.refund(payment.id, { refundKey: 'more', amount: formatAmount(100_01) }),
    ).rejects.toMatchObject({ inFlightMinor: 0 });
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['of more than was captured', { amount: formatAmount(100_01) }, /100.01 refunded of 100.00/],
    ['in another currency', { amount: { value: '30.00', currency: 'USD' } }, /in USD instead of RUB/],
    ['of nothing', { amount: formatAmount(0) }, /is of nothing/],
    ['of another payment', { payment_id: 'another' }, /belongs to payment another/],
    ['that names none of ours', { metadata: {}, amount: formatAmount(30_00) }, /no refund that names it/],
  ])('but %s is not accepted, and its money stays reserved', async (_name, fields, reason) => {
    const { payment, refund } = await made(says(fields, 0));
    await expect(operator.acceptRefund(refund.id, anna)).rejects.toMatchObject({
      code: 'refund_not_acceptable',
      message: expect.stringMatching(reason),
    });
    expect(await host.payments.refunds(payment.id)).toContainEqual(
      expect.objectContaining({ id: refund.id, status: 'submitting', amount: formatAmount(40_00) }),
    );
    expect(await open(payment)).toHaveLength(1);
  });

  it('is accepted once by two people at once, and there is nothing to accept later', async () => {
    const { payment, refund } = await made(says({ amount: formatAmount(30_00) }, 30_00));
    const both = await Promise.all([
      operator.acceptRefund(refund.id, anna),
      operator.acceptRefund(refund.id, { ...anna, by: 'boris' }),
    ]);
    expect(both.filter((accepted) => accepted !== null)).toHaveLength(1);
    expect(await operator.acceptRefund(refund.id, anna)).toBeNull();
    expect(await operator.acceptRefund(payment.id, anna)).toBeNull();
    expect(await effectsBecome(bench, host, payment.id, 1)).toHaveLength(1);
  });

  it('is accepted by nobody without a name and a note', async () => {
    await expect(operator.acceptRefund('none', anna)).rejects.toMatchObject({ field: 'refundId' });
    const id = crypto.randomUUID();
    await expect(operator.acceptRefund(id, { ...anna, by: '' })).rejects.toMatchObject({ field: 'by' });
    await expect(operator.acceptRefund(id, { ...anna, note: ' '.repeat(1_001) })).rejects.toMatchObject({
      field: 'note',
    });
  });
});
