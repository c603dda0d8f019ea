import { formatAmount, type Payment } from '@holdfast/payments';
import { HandOver } from '../../libs/payments/src/notifications/hand-over.js';
import { ObjectNotifications } from '../../libs/payments/src/notifications/object-notifications.js';
import { oneByOne } from '../support/one-by-one.js';
import {
  openBench,
  orderInput,
  sendNotification,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';
import { rereadNext } from '../support/sweep.js';

/** Of ids that the service does not have. */
const forged = (n: number, paymentId?: string) => ({
  type: 'notification',
  event: 'refund.succeeded',
  object: { id: `forged-${n}`, status: 'succeeded', ...(paymentId && { payment_id: paymentId }) },
});

describe('a refund’s notification', () => {
  let bench: Bench;
  let host: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    // What is handed over, re-read and looked for happens when the tests say so, and the service reaches nobody.
    host = await bench.startHost({ sweeps: false });
    bench.sandbox.setNotifyUrl(null);
  });
  // Each is handed over and re-read with nothing before it, and as often as the rate allows.
  afterEach(() =>
    bench.asOwner(
      'DELETE FROM payments_notifications; DELETE FROM payments_due; DELETE FROM payments_rate_limits',
    ),
  );
  afterAll(() => bench.close());

  async function paid(): Promise<Payment & { serviceId: string }> {
    const { id, serviceId } = await host.payments.create(orderInput());
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    const payment = await host.payments.refresh(id);
    return { ...payment, serviceId: payment.serviceId ?? '' };
  }

  const noticeOf = (refund: { id: string }, paymentId: string) => ({
    type: 'notification',
    event: 'refund.succeeded',
    object: { id: refund.id, status: 'succeeded', payment_id: paymentId },
  });
  const handedOver = async () => {
    while (await host.app.get(HandOver).runNext());
  };
  const requests = (endpoint: string) => bench.sandbox.ledger.requestCount({ endpoint });
  const rows = (condition: string) =>
    bench.asOwner<{ object_id: string; step: string; ready: boolean; handled: boolean }>(
      `SELECT object_id, step, ready_at IS NOT NULL AS ready, count = handled_count AS handled
       FROM payments_notifications WHERE ${condition} ORDER BY object_id`,
    );
  const lookNext = () => oneByOne(host.app.get(ObjectNotifications).work)();

  it('that is true is not delayed by forged ones before it, which cost the service no request first', async () => {
    const payment = await paid();
    for (let n = 0; n < 150; n += 1)
      await sendNotification(host, forged(n, n % 2 === 0 ? undefined : 'of-nobody'));
    const refund = bench.sandbox.refunds.make(payment.serviceId, '30.00');
    await sendNotification(host, noticeOf(refund, payment.serviceId));
    const before = [requests('read_refund'), requests('read')];
    expect(await rereadNext(host.app)).toBe(true);
    expect(await host.payments.get(payment.id)).toMatchObject({ refundedAmount: formatAmount(30_00) });
    const after = [requests('read_refund'), requests('read')];
    expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual([0, 1]);
    expect(await rows(`object_id = '${refund.id}'`)).toMatchObject([{ handled: true, ready: false }]);
    const behind = await rows("object_id LIKE 'forged%'");
    expect(behind).toHaveLength(150);
    for (const row of behind)
      expect(row).toMatchObject({ step: 're_read_again', ready: true, handled: false });
  });

  it('that is forged in the name of a payment costs that payment one re-read, however many come', async () => {
    const payment = await paid();
    const other = await paid();
    for (let n = 0; n < 50; n += 1) await sendNotification(host, forged(n, payment.serviceId));
    const refund = bench.sandbox.refunds.make(other.serviceId, '30.00');
    await sendNotification(host, noticeOf(refund, other.serviceId));
    const counted = ['read', 'list_refunds', 'read_refund'];
    const before = counted.map(requests);
    expect([await rereadNext(host.app), await rereadNext(host.app), await rereadNext(host.app)]).toEqual([
      true,
      true,
      false,
    ]);
    expect(await host.payments.get(other.id)).toMatchObject({ refundedAmount: formatAmount(30_00) });
    expect(await host.payments.get(payment.id)).toMatchObject({ refundedAmount: formatAmount(0) });
    const after = counted.map(requests);
    expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual([2, 2, 0]);
  });

  it('that no list knows is looked for once, however often it comes', async () => {
    const before = requests('read_refund');
    await sendNotification(host, forged(1));
    await handedOver();
    expect(await lookNext()).toBe(true);
    for (let n = 0; n < 5; n += 1) {
      await sendNotification(host, forged(1));
      await handedOver();
      expect(await lookNext()).toBe(false);
    }
    expect(requests('read_refund') - before).toBe(1);
    expect(await rows('foreign_at IS NOT NULL')).toMatchObject([{ object_id: 'forged-1', ready: false }]);
  });

  it('is not hidden by a forged one of the same refund that names another payment', async () => {
    const payment = await paid();
    const other = await paid();
    for (const isHandedOverBetween of [false, true]) {
      const refund = bench.sandbox.refunds.make(payment.serviceId, '10.00');
      await sendNotification(host, noticeOf(refund, other.serviceId));
      if (isHandedOverBetween) while (await rereadNext(host.app));
      await sendNotification(host, noticeOf(refund, payment.serviceId));
      while (await rereadNext(host.app));
      // Which of the two it is of, the service says.
      expect(await lookNext()).toBe(true);
      while (await rereadNext(host.app));
      expect(await host.payments.refunds(payment.id)).toContainEqual(
        expect.objectContaining({ serviceId: refund.id, status: 'succeeded' }),
      );
    }
  });

  it('of a refund that is known to have ended costs nothing', async () => {
    const payment = await paid();
    const { serviceId } = await host.payments.refund(payment.id, { refundKey: 'r-1' });
    const before = ['read', 'list_refunds', 'read_refund'].map(requests);
    await sendNotification(host, noticeOf({ id: serviceId ?? '' }, payment.serviceId));
    expect(await rereadNext(host.app)).toBe(false);
    expect(await rows(`object_id = '${serviceId}'`)).toMatchObject([{ handled: true, ready: false }]);
    expect(['read', 'list_refunds', 'read_refund'].map(requests)).toEqual(before);
  });

  it('has the refunds of the payment listed, of which its object may say nothing yet', async () => {
    const payment = await paid();
    bench.sandbox.refunds.next({ status: 'pending' });
    const refund = bench.sandbox.refunds.make(payment.serviceId, '30.00');
    await sendNotification(host, noticeOf(refund, payment.serviceId));
    expect(await rereadNext(host.app)).toBe(true);
    expect(await host.payments.refunds(payment.id)).toMatchObject([
      { serviceId: refund.id, status: 'pending' },
    ]);
  });

  it('of a refund under way goes to its payment, whatever payment it names', async () => {
    const payment = await paid();
    bench.sandbox.refunds.next({ status: 'pending' });
    const { serviceId } = await host.payments.refund(payment.id, { refundKey: 'r-1' });
    bench.sandbox.refunds.finish(serviceId ?? '', 'succeeded');
    await sendNotification(host, noticeOf({ id: serviceId ?? '' }, 'of-nobody'));
    expect(await rereadNext(host.app)).toBe(true);
    expect(await host.payments.refunds(payment.id)).toMatchObject([{ status: 'succeeded' }]);
  });
});
