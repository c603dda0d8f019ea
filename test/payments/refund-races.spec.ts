import {
  formatAmount,
  PaymentsError,
  RefundAmountExceededError,
  type Payment,
  type Refund,
} from '@holdfast/payments';
import { eventually } from '../support/eventually.js';
import { reread, openBench, paidPayment, type Bench, type PaymentsHost } from '../support/payments-host.js';

/** A refusal with an error of our own is a right answer; anything else is not. */
async function unlessRefused(call: Promise<Refund>): Promise<Refund | PaymentsError> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof PaymentsError) return error;
    throw error;
  }
}

describe('refunds made at once', () => {
  let bench: Bench;
  let replicas: [PaymentsHost, PaymentsHost, PaymentsHost];
  beforeAll(async () => {
    bench = await openBench();
    replicas = [await bench.startHost(), await bench.startHost(), await bench.startHost()];
  });
  afterAll(() => bench.close());
  afterEach(() => bench.sandbox.faults.clear());

  const totals = ({ serviceId }: Payment) => bench.sandbox.ledger.totals(serviceId ?? '');
  /** The replica that the n-th of many clients happens to reach. */
  const replica = (index: number): PaymentsHost => replicas[index % 3] ?? replicas[0];

  const paid = (capture = true) => paidPayment(bench, replicas[0], { capture });

  it('under one key, from three replicas, are one refund', async () => {
    const payment = await paid();
    const refund = { refundKey: 'return-1', amount: formatAmount(40_00) };
    const made = await Promise.all(
      Array.from({ length: 9 }, (_, index) => replica(index).payments.refund(payment.id, refund)),
    );
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set(['succeeded']));
    expect(totals(payment)).toMatchObject({ refunds: 1, refunded: '40.00' });
    expect(bench.sandbox.ledger.requestCount({ endpoint: 'refund', paymentId: payment.serviceId })).toBe(1);
  });

  it('of all that is left, under keys of their own: one gets it', async () => {
    const payment = await paid();
    const asked = Array.from({ length: 6 }, (_, index) =>
      unlessRefused(replica(index).payments.refund(payment.id, { refundKey: `key-${index}` })),
    );
    const answers = await Promise.all(asked);
    expect(answers.filter((answer) => !(answer instanceof PaymentsError))).toMatchObject([
      { status: 'succeeded', amount: formatAmount(100_00) },
    ]);
    expect(totals(payment)).toMatchObject({ refunds: 1, refunded: '100.00' });
  });

  it('of parts that together exceed it never give back more than was captured, and the service is never asked for more', async () => {
    const payment = await paid();
    const answers = await Promise.all(
      Array.from({ length: 9 }, (_, index) =>
        unlessRefused(
          replica(index).payments.refund(payment.id, {
            refundKey: `key-${index}`,
            amount: formatAmount(30_00),
          }),
        ),
      ),
    );
    const refused = answers.filter((answer) => answer instanceof PaymentsError);
    expect(refused).toHaveLength(6);
    for (const error of refused) expect(error).toBeInstanceOf(RefundAmountExceededError);
    expect(totals(payment)).toMatchObject({ refunds: 3, refunded: '90.00' });
    expect(bench.sandbox.ledger.requestCount({ endpoint: 'refund', paymentId: payment.serviceId })).toBe(3);
    expect(await replicas[0].payments.get(payment.id)).toMatchObject({ refundedAmount: formatAmount(90_00) });
  });

  it('here and in the Merchant Profile end as the service says', async () => {
    const payment = await paid();
    bench.sandbox.faults.order({ on: 'notification', fault: 'drop', times: 10 });
    // Ours is on its way when staff refund most of it.
    bench.sandbox.faults.order({ on: 'refund', fault: 'stall' });
    const ours = unlessRefused(
      replicas[0].payments.refund(payment.id, { refundKey: 'ours', amount: formatAmount(50_00) }),
    );
    await eventually(
      () =>
        Promise.resolve(
          bench.sandbox.ledger.requestCount({ endpoint: 'refund', paymentId: payment.serviceId }),
        ),
      (count) => count === 1,
    );
    bench.sandbox.refunds.make(payment.serviceId ?? '', '80.00');
    await reread(replicas[1], payment.id);
    // 50.00 in flight and 80.00 refunded of 100.00: only the rest is promised, and nothing more can be.
    const [reserved] = await replicas[1].dataSource.query<object[]>(
      'SELECT refunded_minor, refund_reserved_minor FROM payments_payments WHERE id = $1',
      [payment.id],
    );
    expect(reserved).toEqual({ refunded_minor: '8000', refund_reserved_minor: '2000' });
    await expect(
      replicas[2].payments.refund(payment.id, { refundKey: 'more', amount: formatAmount(1) }),
    ).rejects.toMatchObject({ refundedMinor: 80_00, inFlightMinor: 50_00 });

    bench.sandbox.faults.clear();
    await ours;
    // Its first attempt was lost, so the refusal of the next proves nothing by itself: the list does, once it is
    // quiet.
    await bench.sandbox.clock.advance(30 * 60_000);
    const refunds = await eventually(
      () => replicas[0].payments.refunds(payment.id),
      (known) => known.every(({ status }) => status !== 'submitting'),
    );
    expect(refunds).toMatchObject([
      { refundKey: 'ours', status: 'rejected' },
      { refundKey: null, status: 'succeeded', amount: formatAmount(80_00) },
    ]);
    expect(totals(payment)).toMatchObject({ refunds: 1, refunded: '80.00' });
  });

  it('with the capture come after it or are refused; nothing is given back twice', async () => {
    const payment = await paid(false);
    const [captured, early] = await Promise.all([
      replicas[0].payments.capture(payment.id),
      unlessRefused(replicas[1].payments.refund(payment.id, { refundKey: 'early' })),
    ]);
    expect(captured.status).toBe('succeeded');
    expect(early instanceof PaymentsError ? early.code : early.status).toMatch(
      /^(payment_not_refundable|succeeded)$/,
    );
    await replicas[2].payments.refund(payment.id, { refundKey: 'early' });
    expect(totals(payment)).toMatchObject({ captures: 1, refunds: 1, refunded: '100.00' });
  });

  it('during a re-read are neither lost nor undone by it', async () => {
    const payment = await paid();
    const reads = bench.sandbox.ledger.requestCount({ endpoint: 'read', paymentId: payment.serviceId });
    bench.sandbox.faults.order({ on: 'read', fault: 'stall_after_commit' });
    const refreshing = reread(replicas[0], payment.id);
    await eventually(
      () =>
        Promise.resolve(
          bench.sandbox.ledger.requestCount({ endpoint: 'read', paymentId: payment.serviceId }),
        ),
      (count) => count > reads,
    );
    // The answer on its way to the first replica dates from before this one.
    await replicas[1].payments.refund(payment.id, { refundKey: 'a', amount: formatAmount(40_00) });
    bench.sandbox.faults.clear();
    // A look of the sweep may have been the one that stalled, and the call was answered before.
    await refreshing;
    expect(await replicas[0].payments.get(payment.id)).toMatchObject({ refundedAmount: formatAmount(40_00) });
    expect(await replicas[1].payments.getOrder(payment.orderReference)).toMatchObject({
      state: 'partially_refunded',
      refunded: formatAmount(40_00),
    });
  });
});
