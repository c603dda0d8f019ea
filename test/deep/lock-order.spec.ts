import { DatabaseDeadlineError, PaymentsError, ServiceError, type Payment } from '@holdfast/payments';
import { eventually } from '../support/eventually.js';
import {
  openBench,
  orderInput,
  sendNotification,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';

const PAYMENTS = 16;
const ROUNDS = 10;

/** Refusals that a race may end in; any other error that reaches a caller is a fault. */
const expected = new Set([
  'operation_in_progress',
  'operation_refused',
  'order_already_paid',
  'order_amount_exceeded',
  'order_total_differs',
  'payment_not_held',
  'payment_not_refundable',
  'payment_outcome_unknown',
  'payment_wholly_refunded',
  'refund_amount_exceeded',
]);

describe('1,600 mixed writes at once, from two replicas that sweep meanwhile', () => {
  let bench: Bench;
  let hosts: [PaymentsHost, PaymentsHost];
  beforeAll(async () => {
    bench = await openBench();
    const times = {
      requestTimeoutMs: 20_000,
      callDeadlineMs: 40_000,
      rereads: { perSecond: 1_000, burst: 10_000 },
    };
    hosts = [await bench.startHost(times), await bench.startHost(times)];
  });
  afterAll(() => bench.close());

  it('end without a deadlock, and give their callers only errors that the payment allows', async () => {
    const [first, second] = hosts;
    const held: Payment[] = [];
    for (let index = 0; index < PAYMENTS; index += 1) {
      const payment = await first.payments.create({ ...orderInput(`order-${index}`), capture: false });
      bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
      held.push(await first.payments.refresh(payment.id));
    }
    const half = { value: '50.00', currency: 'RUB' as const };
    const writes: ((host: PaymentsHost, payment: Payment, round: number) => Promise<unknown>)[] = [
      ({ payments }, { id }) => payments.capture(id, { amount: half }),
      ({ payments }, { id }) => payments.cancel(id),
      ({ payments }, { id }) => payments.refresh(id),
      ({ payments }, { id }, round) => payments.refund(id, { refundKey: `return-${round}`, amount: half }),
      ({ payments }, { orderReference }) =>
        payments.create({ ...orderInput(orderReference), capture: false }),
      ({ payments }, { orderReference }) =>
        payments.create({ ...orderInput(orderReference), amount: half, replace: true }),
      ...(
        ['payment.waiting_for_capture', 'payment.succeeded', 'payment.canceled', 'refund.succeeded'] as const
      ).map(
        (event) =>
          (host: PaymentsHost, { serviceId }: Payment) =>
            sendNotification(host, { type: 'notification', event, object: { id: serviceId } }),
      ),
    ];
    const asked = Array.from({ length: ROUNDS }, (_, round) =>
      held.flatMap((payment) =>
        writes.map((write) => write(round % 2 === 0 ? first : second, payment, round)),
      ),
    ).flat();
    expect(asked).toHaveLength(1_600);
    expect((await Promise.allSettled(asked)).flatMap(faultIn)).toEqual([]);
    const [row] = await first.dataSource.query<{ deadlocks: number }[]>(
      'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
    );
    expect(row?.deadlocks).toBe(0);
    // On a busy machine all that was asked of a hold may have waited too long for the pool, and the last of it is left to the sweep.
    for (const { id } of held) {
      const ended = await Promise.allSettled([first.payments.cancel(id)]);
      expect(ended.flatMap(faultIn)).toEqual([]);
    }
    const endsOf = ({ serviceId }: Payment) => {
      const { captures, cancels } = bench.sandbox.ledger.totals(serviceId ?? '');
      return captures + cancels;
    };
    const ends = await eventually(
      async () => {
        await bench.sandbox.clock.advance(10_000);
        return held.map((payment) => endsOf(payment));
      },
      (counts) => counts.every((count) => count > 0),
    );
    expect(ends).toEqual(held.map(() => 1));
  });
});

function faultIn(end: PromiseSettledResult<unknown>): string[] {
  return end.status === 'fulfilled' || isExpected(end.reason) ? [] : [String(end.reason)];
}

function isExpected(error: unknown): boolean {
  if (error instanceof PaymentsError || error instanceof ServiceError) return expected.has(error.code);
  // So many at once wait for the pool's few connections, on a busy machine longer than a transaction may take.
  return error instanceof DatabaseDeadlineError;
}
