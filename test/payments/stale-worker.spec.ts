import { eventually } from '../support/eventually.js';
import { gather } from '../support/gather.js';
import {
  effectsBecome,
  openBench,
  orderInput,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';
import { rereadNext } from '../support/sweep.js';

describe('a worker whose lease has ended, beside the one that took over, in one process', () => {
  let bench: Bench;
  let host: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    host = await bench.startHost({ sweeps: { intervalMs: 3_600_000 } });
  });
  afterAll(() => bench.close());

  it('writes nothing, though both have an answer at the same moment', async () => {
    const { id, serviceId } = await host.payments.create(orderInput());
    // So that the earlier answer has something to write.
    await bench.asOwner('UPDATE payments_payments SET confirmation = NULL WHERE id = $1', [id]);
    const reads = gather(host.app, 'fetchPayment');
    const haveCome = (count: number) =>
      eventually(
        () => Promise.resolve(reads.arrived()),
        (arrived) => arrived === count,
      );
    const stale = host.payments.refresh(id);
    await haveCome(1);
    await bench.asOwner(
      `UPDATE payments_due SET lease_until = now() - interval '1 s', ready_at = now() WHERE payment_id = $1`,
      [id],
    );
    bench.sandbox.faults.order({ on: 'notification', fault: 'drop' });
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    // A second look would wait for the first.
    const present = rereadNext(host.app);
    await haveCome(2);
    reads.letGo();
    await Promise.all([stale, present]);
    while (await rereadNext(host.app));
    const [books] = await bench.asOwner(
      `SELECT status, captured_minor::int AS captured, paid_minor::int AS paid, state,
         (SELECT count(*)::int FROM payments_events WHERE payment_id = payment.id AND name = 'payment.succeeded') AS events
       FROM payments_payments payment JOIN payments_orders place ON place.id = order_id WHERE payment.id = $1`,
      [id],
    );
    expect(books).toEqual({ status: 'succeeded', captured: 100_00, paid: 100_00, state: 'paid', events: 1 });
    expect(await effectsBecome(bench, host, id, 1)).toEqual(['payment.succeeded']);
  });
});
