import { PaymentsOperator } from '@holdfast/payments';
import { jest } from '@jest/globals';
import { PaymentReader } from '../../libs/payments/src/payment/payment.reader.js';
import { openBench, orderInput, reread, type Bench, type PaymentsHost } from '../support/payments-host.js';

/** Of one payment: so many looks at once, and then one a second. */
const AT_ONCE = 3;

describe('looks at one payment, as a buyer’s page has them', () => {
  let bench: Bench;
  let host: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    host = await bench.startHost({ sweeps: false });
  });
  afterAll(() => bench.close());

  const reads = (paymentId: string | null) =>
    bench.sandbox.ledger.requestCount({ endpoint: 'read', paymentId: paymentId ?? '' });
  const paid = async () => {
    const { id, serviceId } = await host.payments.create(orderInput());
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    return host.payments.refresh(id);
  };

  it('are three at once, and then one a second, and each tells what was true after it was asked for', async () => {
    const { id, serviceId } = await host.payments.create(orderInput());
    const before = performance.now();
    const buyers = Array.from({ length: 30 }, async () => {
      for (let n = 0; n < 5; n += 1) await host.payments.refresh(id);
    });
    await Promise.all(buyers);
    // However fast the machine is.
    const most = () => AT_ONCE + (performance.now() - before) / 1_000 + 1;
    expect(reads(serviceId)).toBeLessThanOrEqual(most());
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    expect(await host.payments.refresh(id)).toMatchObject({ status: 'succeeded' });
    expect(reads(serviceId)).toBeLessThanOrEqual(most());
  });

  it('ask the service nothing about one that has ended, until a person does', async () => {
    const { id, serviceId } = await paid();
    const lost = await host.payments.create(orderInput());
    bench.sandbox.payments.pay(lost.serviceId ?? '', { outcome: 'decline' });
    await host.payments.refresh(lost.id);
    const before = [reads(serviceId), reads(lost.serviceId)];
    for (let n = 0; n < 20; n += 1) {
      expect(await host.payments.refresh(id)).toMatchObject({ status: 'succeeded' });
      expect(await host.payments.refresh(lost.id)).toMatchObject({ status: 'canceled' });
    }
    expect([reads(serviceId), reads(lost.serviceId)]).toEqual(before);
    bench.sandbox.refunds.make(serviceId ?? '', '30.00');
    expect(await host.app.get(PaymentsOperator).reread(id)).toMatchObject({
      refundedAmount: { value: '30.00' },
    });
    expect(reads(serviceId)).toBe((before[0] ?? 0) + 1);
  });

  it('ask about one that has ended while a refund of it is under way', async () => {
    const { id, serviceId } = await paid();
    bench.sandbox.refunds.next({ status: 'pending' });
    const refund = await host.payments.refund(id, { refundKey: 'r-1' });
    bench.sandbox.refunds.finish(refund.serviceId ?? '', 'succeeded');
    const before = reads(serviceId);
    expect(await host.payments.refresh(id)).toMatchObject({ refundedAmount: { value: '100.00' } });
    expect(reads(serviceId)).toBe(before + 1);
    await host.payments.refresh(id);
    expect(reads(serviceId)).toBe(before + 1);
  });

  it('tell of a refund that ended while they looked whether one is under way', async () => {
    const { id } = await paid();
    bench.sandbox.refunds.next({ status: 'pending' });
    const refund = await host.payments.refund(id, { refundKey: 'r-1' });
    bench.sandbox.refunds.finish(refund.serviceId ?? '', 'succeeded');
    const reader = host.app.get(PaymentReader);
    const find = reader.find.bind(reader);
    const between = jest.spyOn(reader, 'find').mockImplementationOnce(async (...asked) => {
      const found = await find(...asked);
      await reread(host, id);
      return found;
    });
    expect(await host.payments.refresh(id)).toMatchObject({ refundedAmount: { value: '100.00' } });
    between.mockRestore();
  });
});
