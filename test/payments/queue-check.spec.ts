import { PaymentOutcomeUnknownError, yookassaProfile, type Payment } from '@holdfast/payments';
import { testAccount } from '../support/account.js';
import { eventually } from '../support/eventually.js';
import {
  openBench,
  orderInput,
  paidPayment,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';
import { cups, rub } from '../support/receipts.js';

const MINUTE_MS = 60_000;

describe('what is in progress and has left the queue', () => {
  let bench: Bench;
  let host: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench(testAccount, {
      profile: 'yookassa',
      receipts: { scenario: 'after_payment', provider: 'atol' },
    });
    host = await bench.startHost({ profile: yookassaProfile });
    // Two replicas look for it at once.
    await bench.startHost({ profile: yookassaProfile });
  });
  afterAll(() => bench.close());
  afterEach(() => bench.sandbox.faults.clear());

  const queued = ({ id }: Pick<Payment, 'id'>) =>
    bench.asOwner('SELECT FROM payments_due WHERE payment_id = $1', [id]);
  const reported = async ({ id }: Pick<Payment, 'id'>) => {
    const timeline = await host.payments.timeline(id);
    return timeline
      .filter(({ name }) => name === 'payment.anomaly')
      .map(({ evidence }) => evidence['reason']);
  };
  const held = () => paidPayment(bench, host, { capture: false });

  it.each<[string, () => Promise<Pick<Payment, 'id'>>]>([
    ['a payment that the buyer has not made', () => host.payments.create(orderInput())],
    ['a hold', held],
    [
      'a hold that is left to a person',
      async () => {
        const hold = await held();
        await bench.asOwner('UPDATE payments_payments SET hold_due_at = NULL, hold_tries = 1 WHERE id = $1', [
          hold.id,
        ]);
        return hold;
      },
    ],
    [
      'a hold that is tried again',
      async () => {
        const hold = await held();
        await bench.asOwner('UPDATE payments_payments SET hold_tries = 1 WHERE id = $1', [hold.id]);
        return hold;
      },
    ],
    [
      'a payment that was superseded and can still be made',
      async () => {
        const payment = await host.payments.create(orderInput());
        await bench.asOwner('UPDATE payments_payments SET superseded_at = now() WHERE id = $1', [payment.id]);
        return payment;
      },
    ],
    [
      'a payment whose own receipt is being registered',
      async () => {
        const paid = await paidPayment(bench, host);
        await bench.asOwner(`UPDATE payments_payments SET receipt_status = 'pending' WHERE id = $1`, [
          paid.id,
        ]);
        return paid;
      },
    ],
    [
      'a create without an answer, of a payment that was superseded',
      async () => {
        bench.sandbox.faults.order({ on: 'create', fault: 'error_500_before_commit', times: 1_000_000 });
        await expect(host.payments.create(orderInput())).rejects.toThrow(PaymentOutcomeUnknownError);
        const [payment] = await bench.asOwner<{ id: string }>(
          `UPDATE payments_payments SET superseded_at = now() WHERE status = 'submitting' RETURNING id`,
        );
        return { id: payment?.id ?? '' };
      },
    ],
    [
      'a refund that is pending',
      async () => {
        const paid = await paidPayment(bench, host);
        bench.sandbox.refunds.next({ status: 'pending' });
        await host.payments.refund(paid.id, { refundKey: 'all' });
        return paid;
      },
    ],
    [
      'a receipt that is being registered',
      async () => {
        const paid = await paidPayment(bench, host);
        bench.sandbox.receipts.next({ status: 'pending' });
        const settlements = [{ type: 'prepayment', amount: rub('100.00') }] as const;
        await host.payments.receipts.create(paid.id, {
          receiptKey: 'made',
          type: 'payment',
          receipt: cups,
          settlements,
        });
        return paid;
      },
    ],
  ])('is put back and reported once: %s', async (_what, begin) => {
    const payment = await begin();
    await eventually(
      async () => {
        await bench.asOwner('DELETE FROM payments_due WHERE payment_id = $1 AND lease_until IS NULL', [
          payment.id,
        ]);
        return queued(payment);
      },
      ({ length }) => length === 0,
    );
    await bench.sandbox.clock.advance(11 * MINUTE_MS);
    await eventually(
      () => queued(payment),
      ({ length }) => length === 1,
    );
    await eventually(
      () => bench.effects(host, payment.id),
      (effects) => effects.includes('payment.anomaly'),
    );
    expect(await reported(payment)).toEqual([expect.stringContaining('no place in the queue')]);
  });

  it('is nothing of what is settled, nor of what has its place', async () => {
    const settled = await paidPayment(bench, host);
    const pending = await host.payments.create(orderInput());
    await bench.sandbox.clock.advance(11 * MINUTE_MS);
    const forgotten = await host.payments.create(orderInput());
    await bench.asOwner('DELETE FROM payments_due WHERE payment_id = $1', [forgotten.id]);
    await bench.sandbox.clock.advance(11 * MINUTE_MS);
    await eventually(
      () => queued(forgotten),
      ({ length }) => length === 1,
    );
    expect([await reported(settled), await queued(settled), await reported(pending)]).toEqual([[], [], []]);
  });
});
