import { PaymentOutcomeUnknownError, type Payment } from '@holdfast/payments';
import type { ApiFault } from '@holdfast/sandbox';
import { eventually } from '../support/eventually.js';
import { markOf } from '../support/marks.js';
import {
  openBench,
  orderInput,
  paidPayment,
  paymentBecomes,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';

const faults: readonly ApiFault[] = [
  'stall',
  'stall_after_commit',
  'reset_before_commit',
  'reset_after_commit',
  'error_500_before_commit',
  'error_500_after_commit',
  'too_many_requests',
  'accepted',
  'truncated_body',
];

describe('a request that the service fails twice has exactly one effect', () => {
  let bench: Bench;
  /** Prepares what is asked about: no call of its own gives up. */
  let patient: PaymentsHost;
  let host: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    patient = await bench.startHost();
    host = await bench.startHost({ requestTimeoutMs: 300, callDeadlineMs: 1_200 });
  });
  afterAll(() => bench.close());
  afterEach(() => bench.sandbox.faults.clear());

  const totals = ({ serviceId }: Payment) => bench.sandbox.ledger.totals(serviceId ?? '');

  /** Without an answer in time the sweep continues it; any other error fails the test. */
  async function unlessUnknown<T>(call: Promise<T>): Promise<T | null> {
    try {
      return await call;
    } catch (error) {
      if (error instanceof PaymentOutcomeUnknownError) return null;
      throw error;
    }
  }

  const paid = (capture: boolean) => paidPayment(bench, patient, { capture });

  /** Only now are stalled requests released: they arrive late, after the ones that were sent again. */
  function letStalledGo(): void {
    bench.sandbox.faults.clear();
  }

  it.each(faults)('create: %s', async (fault) => {
    bench.sandbox.faults.order({ on: 'create', fault, times: 2 });
    const input = orderInput();
    await unlessUnknown(host.payments.create(input));
    letStalledGo();
    const [payment] = await eventually(
      () => host.payments.findByOrder(input.order.reference),
      ([found]) => found?.status === 'pending',
    );
    const mark = await markOf(bench, payment?.id);
    const made = bench.sandbox.payments
      .list()
      .filter(({ metadata }) => metadata['holdfast_payment'] === mark);
    expect(made.map(({ id }) => id)).toEqual([payment?.serviceId]);
  });

  it.each(faults)('capture: %s', async (fault) => {
    const payment = await paid(false);
    bench.sandbox.faults.order({ on: 'capture', fault, times: 2 });
    await unlessUnknown(host.payments.capture(payment.id));
    letStalledGo();
    await paymentBecomes(host, payment.id, 'succeeded');
    expect(totals(payment)).toMatchObject({ charges: 1, captures: 1, cancels: 0, captured: '100.00' });
  });

  it.each(faults)('cancel: %s', async (fault) => {
    const payment = await paid(false);
    bench.sandbox.faults.order({ on: 'cancel', fault, times: 2 });
    await unlessUnknown(host.payments.cancel(payment.id));
    letStalledGo();
    await paymentBecomes(host, payment.id, 'canceled');
    expect(totals(payment)).toMatchObject({ charges: 1, captures: 0, cancels: 1 });
  });

  it.each(faults)('refund: %s', async (fault) => {
    const payment = await paid(true);
    const refund = { refundKey: 'return-1', amount: { value: '40.00', currency: 'RUB' as const } };
    bench.sandbox.faults.order({ on: 'refund', fault, times: 2 });
    await unlessUnknown(host.payments.refund(payment.id, refund));
    letStalledGo();
    await eventually(
      () => host.payments.refunds(payment.id),
      ([made]) => made?.status === 'succeeded',
    );
    expect(await host.payments.refund(payment.id, refund)).toMatchObject({ status: 'succeeded' });
    expect(totals(payment)).toMatchObject({ captures: 1, refunds: 1, refunded: '40.00' });
  });
});
