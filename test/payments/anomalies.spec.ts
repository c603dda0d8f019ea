import type { Payment } from '@holdfast/payments';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { eventually } from '../support/eventually.js';
import { openBench, orderInput, type Bench, type PaymentsHost } from '../support/payments-host.js';
import { asItIs, type Rewrite, type ServiceProxy } from '../support/service-proxy.js';

const pending: Rewrite = (object) => ({ ...object, status: 'pending' });

describe('an answer that does not fit its intent', () => {
  let bench: Bench;
  let proxy: ServiceProxy;
  let host: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    proxy = await bench.startProxy();
    host = await bench.startHost({ serviceUrl: proxy.url });
  });
  afterAll(() => bench.close());
  afterEach(() => {
    proxy.rewrite = asItIs;
    bench.sandbox.faults.clear();
  });

  /** Created but not paid: no notification interferes. */
  const created = () => host.payments.create({ ...orderInput(), capture: false });
  const anomalies = async (payment: Payment) =>
    (await host.payments.timeline(payment.id))
      .filter(({ name }) => name === 'payment.anomaly')
      .map(({ evidence }) => evidence['reason']);

  it.each<[string, Rewrite, string]>([
    [
      'amount',
      (payment) => ({ ...payment, amount: { value: '99.99', currency: 'RUB' } }),
      'amount of 99.99 instead of 100.00',
    ],
    [
      'currency',
      (payment) => ({ ...payment, amount: { value: '100.00', currency: 'USD' } }),
      'currency USD instead of RUB',
    ],
    [
      'store',
      (payment) => ({ ...payment, recipient: { account_id: '507', gateway_id: '1' } }),
      'store 507 instead of test_shop',
    ],
    ['test flag', (payment) => ({ ...payment, test: false }), 'test false instead of true'],
    ['id', (payment) => ({ ...payment, id: 'another' }), 'id another instead of'],
    ['status', (payment) => ({ ...payment, status: 'charged_back' }), 'unknown status charged_back'],
  ])(
    'in its %s is recorded once, reported to handlers, and applied to nothing',
    async (_field, rewrite, reason) => {
      const payment = await created();
      proxy.rewrite = rewrite;
      await host.payments.refresh(payment.id);
      await host.payments.refresh(payment.id);
      expect(await host.payments.get(payment.id)).toMatchObject({
        status: 'pending',
        serviceId: payment.serviceId,
      });
      expect(await anomalies(payment)).toEqual([expect.stringContaining(reason)]);
      await eventually(
        () => bench.effects(host, payment.id),
        (effects) => effects.includes('payment.anomaly'),
      );
      expect(await bench.effects(host, payment.id)).toEqual(['payment.anomaly']);
    },
  );

  it('is logged with its reason, whatever else of the re-read was applied', async () => {
    const errors: unknown[] = [];
    const logged = jest
      .spyOn(Logger.prototype, 'error')
      .mockImplementation((message) => errors.push(message));
    try {
      const { id, orderReference } = await created();
      proxy.rewrite = (payment) => ({ ...payment, status: 'charged_back' });
      await host.payments.refresh(id);
      expect(errors).toEqual([
        `Payment ${id} of order "${orderReference}" needs a person: unknown status charged_back.`,
      ]);
    } finally {
      logged.mockRestore();
    }
  });

  it('whose status goes back is read once more, and raised only if it stays', async () => {
    const payment = await created();
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    await eventually(
      () => host.payments.get(payment.id),
      ({ status }) => status === 'waiting_for_capture',
    );
    let stale = 1;
    proxy.rewrite = (object) => (stale-- > 0 ? pending(object) : object);
    await host.payments.refresh(payment.id);
    expect(await anomalies(payment)).toEqual([]);

    proxy.rewrite = pending;
    await host.payments.refresh(payment.id);
    expect(await anomalies(payment)).toEqual(['status went back to pending']);
    expect((await host.payments.get(payment.id)).status).toBe('waiting_for_capture');
  });

  it('that is a 404 for a payment the service gave us is reported to a person', async () => {
    const payment = await created();
    await host.dataSource.query('UPDATE payments_payments SET service_id = $2 WHERE id = $1', [
      payment.id,
      'gone-for-good',
    ]);
    await expect(host.payments.refresh(payment.id)).rejects.toMatchObject({ code: 'service_not_found' });
    expect(await anomalies(payment)).toEqual(['the service does not know payment gone-for-good any more']);
  });
});
