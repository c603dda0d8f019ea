import type { Payment } from '@holdfast/payments';
import { eventually } from '../support/eventually.js';
import {
  openBench,
  orderInput,
  paymentBecomes,
  sendNotification,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';

const BURST = 12;

describe('a storm of notifications', () => {
  let bench: Bench;
  let hosts: PaymentsHost[];
  beforeAll(async () => {
    bench = await openBench();
    hosts = [];
    // One re-read in ten seconds: beyond its burst nothing is left while the test runs.
    for (let replica = 0; replica < 4; replica += 1)
      hosts.push(
        await bench.startHost({
          sweeps: { intervalMs: 500 },
          rereads: { perSecond: 0.1, burst: BURST },
        }),
      );
  });
  afterAll(() => bench.close());

  const reads = () => bench.sandbox.ledger.requestCount({ endpoint: 'read' });
  const about = ({ serviceId }: Payment) => ({
    type: 'notification',
    event: 'payment.succeeded',
    object: { id: serviceId },
  });

  it('of 64 duplicates at once over four replicas is one effect of each handler, and re-reads within the rate limit', async () => {
    const [host] = hosts;
    if (!host) throw new Error('No host has started.');
    const payment = await host.payments.create(orderInput());
    bench.sandbox.faults.order({ on: 'notification', fault: 'drop' });
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, index) => {
        const replica = hosts[index % hosts.length];
        if (!replica) throw new Error('There is no such replica.');
        return sendNotification(replica, about(payment));
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 64 }, () => 200));
    await paymentBecomes(host, payment.id, 'succeeded');
    const effects = await eventually(
      () => bench.effects(host, payment.id),
      ({ length }) => length > 0,
    );
    expect(effects).toEqual(['payment.succeeded']);
    expect(reads()).toBeLessThanOrEqual(BURST);
  });

  it('about many payments costs the service no more than the rate limit, and does not delay a caller', async () => {
    const [host] = hosts;
    if (!host) throw new Error('No host has started.');
    const before = reads();
    const payments: Payment[] = [];
    for (let count = 0; count < 16; count += 1) payments.push(await host.payments.create(orderInput()));
    for (let round = 0; round < 6; round += 1)
      await Promise.all(payments.map((payment) => sendNotification(host, about(payment))));
    const last = payments.at(-1);
    if (!last) throw new Error('No payment was made.');
    bench.sandbox.faults.order({ on: 'notification', fault: 'drop' });
    bench.sandbox.payments.pay(last.serviceId ?? '', { outcome: 'succeed' });
    expect(await host.payments.refresh(last.id)).toMatchObject({ status: 'succeeded' });
    // What four replicas may overdraw: each looks with eight workers, and each of them claims at most one at once.
    expect(reads() - before).toBeLessThanOrEqual(BURST + 4 * 8 + 1);
  });
});
