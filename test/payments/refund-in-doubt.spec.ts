import { formatAmount, PaymentOutcomeUnknownError, type Payment } from '@holdfast/payments';
import type { ApiFault } from '@holdfast/sandbox';
import { eventually } from '../support/eventually.js';
import { startOddService } from '../support/odd-service.js';
import { openBench, orderInput, type Bench, type PaymentsHost } from '../support/payments-host.js';
import { asItIs, itemsAs, type ServiceProxy } from '../support/service-proxy.js';

const HOUR_MS = 3_600_000;
const refund = { refundKey: 'return-1', amount: formatAmount(40_00) };

describe('a refund whose answer was lost', () => {
  let bench: Bench;
  let proxy: ServiceProxy;
  let web: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    proxy = await bench.startProxy();
    // Nothing is sent again within a call.
    web = await bench.startHost({
      sweeps: false,
      serviceUrl: proxy.url,
      requestTimeoutMs: 10_000,
      callDeadlineMs: 10_000,
    });
  });
  beforeEach(() => {
    proxy.rewrite = asItIs;
    bench.sandbox.setNotifyUrl(null);
  });
  afterAll(() => bench.close());

  async function paid(): Promise<Payment> {
    const { id, serviceId } = await web.payments.create(orderInput());
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    return web.payments.refresh(id);
  }

  async function lost({ id }: Payment, fault: ApiFault): Promise<void> {
    bench.sandbox.faults.order({ on: 'refund', fault });
    await expect(web.payments.refund(id, refund)).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
  }

  it.each<[string, (made: Record<string, unknown>) => Record<string, unknown>[]]>([
    ['in an unknown status,', (made) => [{ ...made, status: 'on_hold' }]],
    ['of another amount,', (made) => [{ ...made, amount: formatAmount(39_99) }]],
    ['not at all, though the payment counts it,', () => []],
  ])(
    'and which the list shows %s is never taken as not received: its money stays reserved',
    async (_name, shown) => {
      const payment = await paid();
      await lost(payment, 'error_500_after_commit');
      expect(bench.sandbox.ledger.totals(payment.serviceId ?? '')).toMatchObject({ refunds: 1 });

      proxy.rewrite = itemsAs(shown);
      await bench.sandbox.clock.advance(24 * HOUR_MS);
      // By now even a lagging list would have shown it.
      await web.dataSource.query('UPDATE payments_due SET checks = 10 WHERE payment_id = $1', [payment.id]);
      await web.payments.refresh(payment.id);
      expect((await web.payments.timeline(payment.id)).map(({ name }) => name)).toContain('payment.anomaly');
      expect(await web.payments.refunds(payment.id)).toMatchObject([{ status: 'submitting' }]);
      await expect(
        web.payments.refund(payment.id, { refundKey: 'another', amount: formatAmount(60_01) }),
      ).rejects.toMatchObject({ code: 'refund_amount_exceeded', inFlightMinor: 40_00 });
      proxy.rewrite = asItIs;
      const sweeping = await bench.startHost();
      await bench.sandbox.clock.advance(2 * HOUR_MS);
      await eventually(
        () => web.payments.refunds(payment.id),
        ([known]) => known?.status === 'succeeded',
      );
      await sweeping.close();
      expect(bench.sandbox.ledger.totals(payment.serviceId ?? '')).toMatchObject({ refunds: 1 });
    },
  );

  it('is booked once if the list shows it twice', async () => {
    const payment = await paid();
    await lost(payment, 'error_500_after_commit');
    proxy.rewrite = itemsAs((made) => [made, made]);
    await bench.sandbox.clock.advance(24 * HOUR_MS);
    await web.payments.refresh(payment.id);
    expect(await web.payments.refunds(payment.id)).toMatchObject([{ ...refund, status: 'succeeded' }]);
  });

  it('is not taken as not received by a list that shows another one twice in its place', async () => {
    const payment = await paid();
    await lost(payment, 'error_500_after_commit');
    const outside = bench.sandbox.refunds.make(payment.serviceId ?? '', '40.00');
    proxy.rewrite = itemsAs((made) => (made['id'] === outside.id ? [made, made] : []));
    await bench.sandbox.clock.advance(24 * HOUR_MS);
    await web.payments.refresh(payment.id);
    expect(await web.payments.refunds(payment.id)).toMatchObject([
      { refundKey: refund.refundKey, status: 'submitting' },
      { serviceId: outside.id, status: 'succeeded' },
    ]);
  });

  it('and which was made twice counts twice: one of the two is ours, and it is reported to the operator', async () => {
    const payment = await paid();
    await lost(payment, 'error_500_after_commit');
    const again = bench.sandbox.refunds.make(payment.serviceId ?? '', '40.00');
    let metadata: unknown;
    proxy.rewrite = (object) => {
      if (!Array.isArray(object['items'])) return object;
      const items: Record<string, unknown>[] = object['items'];
      metadata = items.find(({ id }) => id !== again.id)?.['metadata'];
      return { ...object, items: items.map((item) => ({ ...item, metadata })) };
    };
    await bench.sandbox.clock.advance(24 * HOUR_MS);
    await web.payments.refresh(payment.id);
    expect(await web.payments.refunds(payment.id)).toMatchObject([
      { refundKey: refund.refundKey, status: 'succeeded' },
      { refundKey: null, serviceId: again.id, status: 'succeeded' },
    ]);
    expect(await web.payments.get(payment.id)).toMatchObject({ refundedAmount: formatAmount(80_00) });
    const reasons = (await web.payments.timeline(payment.id)).map(({ evidence }) => evidence['reason']);
    expect(reasons).toContainEqual(
      expect.stringMatching(`refund ${again.id} names refund .*, as refund .* does`),
    );
  });

  it('and which a list shows that the payment does not count yet is not taken as not received', async () => {
    const payment = await paid();
    await lost(payment, 'error_500_after_commit');
    const onHold = itemsAs((made) => [{ ...made, status: 'on_hold' }]);
    proxy.rewrite = ({ refunded_amount: _counted, ...object }) => onHold(object);
    await bench.sandbox.clock.advance(24 * HOUR_MS);
    await web.payments.refresh(payment.id);
    expect(await web.payments.refunds(payment.id)).toMatchObject([{ status: 'submitting' }]);
  });

  it('and that was sent a moment ago is not taken as not received, although its key is too old by now', async () => {
    const payment = await paid();
    await lost(payment, 'reset_before_commit');
    await bench.asOwner(
      `UPDATE payments_operations SET first_sent_at = first_sent_at - interval '1 day' WHERE kind = 'refund' AND payment_id = $1`,
      [payment.id],
    );
    await web.payments.refresh(payment.id);
    expect(await web.payments.refunds(payment.id)).toMatchObject([{ status: 'submitting' }]);
    await bench.sandbox.clock.advance(20 * 60_000);
    await web.payments.refresh(payment.id);
    expect(await web.payments.refunds(payment.id)).toMatchObject([{ status: 'rejected' }]);
  });

  it('is not closed by a list from before its caller came back and sent it again', async () => {
    const payment = await paid();
    await lost(payment, 'reset_before_commit');
    // Refused by a part of the service that did not know the payment: it is no longer sent by itself.
    const stray = await startOddService([404, { type: 'error', code: 'not_found' }]);
    const astray = await bench.startHost({ sweeps: false, serviceUrl: stray.url });
    bench.sandbox.setNotifyUrl(null);
    await expect(astray.payments.refund(payment.id, refund)).rejects.toBeInstanceOf(
      PaymentOutcomeUnknownError,
    );
    await astray.close();
    await stray.close();
    // Whoever concludes from a list has waited since it saw the attempt.
    await web.payments.refresh(payment.id);
    await bench.sandbox.clock.advance(20 * 60_000);

    const lists = () => bench.sandbox.ledger.requestCount({ endpoint: 'list_refunds' });
    const before = lists();
    bench.sandbox.faults.order({ on: 'list_refunds', fault: 'stall_after_commit' });
    const looking = web.payments.refresh(payment.id);
    await eventually(
      () => Promise.resolve(lists()),
      (count) => count > before,
    );
    // The list on its way does not show what this refunds.
    await lost(payment, 'reset_after_commit');
    bench.sandbox.faults.clear();
    await looking;
    expect(await web.payments.refunds(payment.id)).toMatchObject([{ status: 'submitting' }]);

    await web.payments.refresh(payment.id);
    expect(await web.payments.refunds(payment.id)).toMatchObject([{ status: 'succeeded' }]);
    expect(bench.sandbox.ledger.totals(payment.serviceId ?? '')).toMatchObject({
      refunds: 1,
      refunded: '40.00',
    });
  });
});
