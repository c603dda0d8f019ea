import { formatAmount, PaymentOutcomeUnknownError, type Payment } from '@holdfast/payments';
import { eventually } from '../support/eventually.js';
import { openBench, orderInput, type Bench, type PaymentsHost } from '../support/payments-host.js';
import { startServiceProxy, type ServiceProxy } from '../support/service-proxy.js';

const HOUR_MS = 3_600_000;
const refund = { refundKey: 'return-1', amount: formatAmount(40_00) };

describe('a refund whose answer was lost, and which the list shows wrongly', () => {
  let bench: Bench;
  let proxy: ServiceProxy;
  let web: PaymentsHost;
  beforeEach(async () => {
    bench = await openBench();
    proxy = await startServiceProxy(bench.sandbox.url);
    web = await bench.startHost({ sweeps: false, serviceUrl: proxy.url });
    bench.sandbox.setNotifyUrl(null);
  });
  afterEach(async () => {
    await bench.close();
    await proxy.close();
  });

  async function paid(): Promise<Payment> {
    const { id, serviceId } = await web.payments.create(orderInput());
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    return web.payments.refresh(id);
  }

  it.each<[string, (made: Record<string, unknown>) => Record<string, unknown>[]]>([
    ['in an unknown status', (made) => [{ ...made, status: 'on_hold' }]],
    ['of another amount', (made) => [{ ...made, amount: formatAmount(39_99) }]],
    ['not at all, though the payment counts it,', () => []],
  ])('%s is never taken for one that was not received: its money stays reserved', async (_name, shown) => {
    const payment = await paid();
    bench.sandbox.faults.order({ on: 'refund', fault: 'error_500_after_commit', times: 100 });
    await expect(web.payments.refund(payment.id, refund)).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
    bench.sandbox.faults.clear();
    expect(bench.sandbox.ledger.totals(payment.serviceId ?? '')).toMatchObject({ refunds: 1 });

    proxy.rewrite = (object) =>
      'items' in object && Array.isArray(object['items'])
        ? { ...object, items: object['items'].flatMap((item: Record<string, unknown>) => shown(item)) }
        : object;
    await bench.sandbox.clock.advance(24 * HOUR_MS);
    // Looked at often enough by now for a list that lags behind to have come up.
    await web.dataSource.query('UPDATE payments_payments SET checks = 10');
    await web.payments.refresh(payment.id);
    expect((await web.payments.timeline(payment.id)).map(({ name }) => name)).toContain('payment.anomaly');
    expect(await web.payments.refunds(payment.id)).toMatchObject([{ status: 'submitting' }]);
    await expect(
      web.payments.refund(payment.id, { refundKey: 'another', amount: formatAmount(60_01) }),
    ).rejects.toMatchObject({ code: 'refund_amount_exceeded', inFlightMinor: 40_00 });
    proxy.rewrite = (object) => object;
    await bench.startHost();
    await bench.sandbox.clock.advance(2 * HOUR_MS);
    await eventually(
      () => web.payments.refunds(payment.id),
      ([known]) => known?.status === 'succeeded',
    );
    expect(bench.sandbox.ledger.totals(payment.serviceId ?? '')).toMatchObject({ refunds: 1 });
  });
});
