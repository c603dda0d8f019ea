import { conditionsOf, PaymentsOperator, type Payment } from '@holdfast/payments';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import {
  openBench,
  orderInput,
  sendNotification,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';
import { rereadNext } from '../support/sweep.js';

const STRANGER = '203.0.113.9';
/** A proxy of the host's that its options forgot. */
const FORGOTTEN = '185.71.76.1, 172.16.0.9';

describe('a set-up in which notifications do not arrive', () => {
  const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
  let bench: Bench;
  let host: PaymentsHost;
  beforeEach(async () => {
    logged.mockClear();
    bench = await openBench();
    host = await startHost();
  });
  afterEach(() => bench.close());
  afterAll(() => logged.mockRestore());

  async function startHost(): Promise<PaymentsHost> {
    const started = await bench.startHost({ sweeps: false });
    // The service reaches nobody: only what the tests send arrives.
    bench.sandbox.setNotifyUrl('http://127.0.0.1:1/');
    return started;
  }
  const errors = () => logged.mock.calls.map(([line]) => String(line));
  const operator = () => host.app.get(PaymentsOperator);
  const bodyOf = ({ serviceId }: Pick<Payment, 'serviceId'>) => ({
    type: 'notification',
    event: 'payment.succeeded',
    object: { id: serviceId, status: 'succeeded' },
  });

  async function paid(): Promise<Payment> {
    const payment = await host.payments.create(orderInput());
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    return payment;
  }

  /** What polls would do when the payments are due. */
  async function poll(): Promise<void> {
    await bench.sandbox.clock.advance(60_000);
    const takeOne = () => rereadNext(host.app);
    while (await takeOne());
  }

  it('shows which senders this process refused, whatever they sent, and stores nothing of it', async () => {
    const payment = await paid();
    for (const [body, from] of [
      [bodyOf(payment), FORGOTTEN],
      [bodyOf({ serviceId: 'of-nobody' }), FORGOTTEN],
      [{ type: 'none' }, STRANGER],
      [bodyOf(payment), '185.71.76.1, unknown'],
    ] as const)
      expect((await sendNotification(host, body, from)).status).toBe(403);
    expect(operator().refusedSenders()).toMatchObject([
      { address: 'unknown', advice: 'X-Forwarded-For', count: 1 },
      { address: STRANGER, advice: 'notificationSenders', count: 1 },
      { address: '172.16.0.9', advice: 'trustedProxies', count: 2 },
    ]);
    expect(await bench.asOwner('SELECT 1 FROM payments_notifications')).toEqual([]);
    const replica = await startHost();
    expect(replica.app.get(PaymentsOperator).refusedSenders()).toEqual([]);
  });

  it('counts changes that polls found without a notification, over restarts, and logs three in a row, once an hour', async () => {
    for (let count = 1; count <= 2; count += 1) {
      await paid();
      await poll();
    }
    expect((await operator().backlog()).unannouncedChanges.count).toBe(2);
    expect(conditionsOf(await operator().backlog())).toEqual([]);
    await host.close();
    host = await startHost();
    await paid();
    await poll();
    expect(errors()).toContainEqual(
      expect.stringMatching(/^Polling found the last 3 changes; .*trustedProxies/),
    );
    expect((await operator().backlog()).unannouncedChanges).toMatchObject({ count: 3 });
    expect(conditionsOf(await operator().backlog())).toMatchObject([{ name: 'notifications_missing' }]);
    expect((await operator().backlog()).unannouncedChanges.oldestMs).toBeGreaterThanOrEqual(60_000);

    const said = () => errors().filter((line) => line.startsWith('Polling found'));
    await paid();
    await poll();
    expect(said()).toHaveLength(1);
    await bench.sandbox.clock.advance(60 * 60_000);
    await paid();
    await poll();
    expect(said()).toEqual([expect.any(String), expect.stringMatching(/^Polling found the last 5 changes;/)]);

    const payment = await paid();
    expect((await sendNotification(host, bodyOf(payment))).status).toBe(200);
    await poll();
    expect((await operator().backlog()).unannouncedChanges).toEqual({
      count: 0,
      more: false,
      oldestMs: null,
    });
  });
});
