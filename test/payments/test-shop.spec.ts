import { PaymentsOperator, type Payment } from '@holdfast/payments';
import { Gate } from '../interleavings/stepper.js';
import { testAccount } from '../support/account.js';
import { eventually } from '../support/eventually.js';
import { openBench, orderInput, type Bench, type PaymentsHost } from '../support/payments-host.js';
import type { Rewrite, ServiceProxy } from '../support/service-proxy.js';

/** As the public service numbers its shops, those for tests too. */
const account = { ...testAccount, shopId: '507017' };

const saying =
  (test: boolean): Rewrite =>
  (object) =>
    'test' in object ? { ...object, test } : object;

describe('a test shop of the public service, whose id is a number like any', () => {
  let bench: Bench;
  let proxy: ServiceProxy;
  let host: PaymentsHost;
  beforeEach(async () => {
    bench = await openBench(account);
    proxy = await bench.startProxy();
    host = await bench.startHost({ serviceUrl: proxy.url, sweeps: false });
  });
  afterEach(() => bench.close());

  const anomalies = async ({ id }: Pick<Payment, 'id'>) =>
    (await host.payments.timeline(id))
      .filter(({ name }) => name === 'payment.anomaly')
      .map(({ evidence }) => evidence['reason']);
  const flagOfStore = async () => (await host.app.get(PaymentsOperator).stores()).items[0]?.test;
  const paid = async (payment: Payment) => {
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    return host.payments.refresh(payment.id);
  };

  it('takes payments of test money, as the service first answered, and keeps that', async () => {
    proxy.rewrite = saying(true);
    const payment = await host.payments.create(orderInput());
    expect(payment).toMatchObject({ status: 'pending', test: true });
    expect(await paid(payment)).toMatchObject({ status: 'succeeded', test: true });
    expect(await flagOfStore()).toBe(true);
    expect(await paid(await host.payments.create(orderInput()))).toMatchObject({ status: 'succeeded' });
    expect(await anomalies(payment)).toEqual([]);
  });

  it.each([
    [true, 'test false instead of true'],
    [false, 'test true instead of false'],
  ])('whose first answer was test: %s has no payment of the other kind', async (first, reason) => {
    proxy.rewrite = saying(first);
    await host.payments.create(orderInput());
    const other = await host.payments.create(orderInput());
    proxy.rewrite = saying(!first);
    bench.sandbox.payments.pay(other.serviceId ?? '', { outcome: 'succeed' });
    expect(await host.payments.refresh(other.id)).toMatchObject({ status: 'pending' });
    expect(await anomalies(other)).toEqual([reason]);
  });

  it('keeps that for every process, one which has seen no answer too', async () => {
    const replica = await bench.startHost({ serviceUrl: proxy.url, sweeps: false });
    proxy.rewrite = saying(true);
    await host.payments.create(orderInput());
    proxy.rewrite = saying(false);
    const made = orderInput();
    await expect(replica.payments.create(made)).rejects.toMatchObject({ code: 'payment_outcome_unknown' });
    const [odd] = await replica.payments.findByOrder(made.order.reference);
    expect(odd?.status).toBe('submitting');
    expect(odd && (await anomalies(odd))).toEqual(['test false instead of true']);
  });

  it('believes no answer about another shop', async () => {
    const payment = await host.payments.create(orderInput());
    await host.dataSource.query('UPDATE payments_stores SET test = NULL');
    await host.dataSource.query('UPDATE payments_payments SET test = NULL');
    proxy.rewrite = (object) => ({
      ...saying(true)(object),
      recipient: { account_id: '1', gateway_id: '1' },
    });
    await host.payments.refresh(payment.id);
    expect(await anomalies(payment)).toEqual(['store 1 instead of 507017']);
    proxy.rewrite = saying(false);
    expect(await paid(payment)).toMatchObject({ status: 'succeeded', test: false });
  });

  it('goes by one of two first answers at once, and the other is an anomaly', async () => {
    const gate = new Gate('b');
    const slow = await bench.startHost({
      serviceUrl: proxy.url,
      sweeps: false,
      connections: gate.connections,
    });
    proxy.rewrite = saying(false);
    const made = orderInput();
    gate.close();
    const creating = slow.payments.create(made).catch(({ code }) => ({ code }));
    // It has its answer, and has read that none was kept.
    const isKeeping = () =>
      gate.held.some(({ what }) => what.startsWith('UPDATE "payments_stores" SET "test"'));
    while (!isKeeping()) {
      await eventually(
        () => Promise.resolve(),
        () => gate.held.length > 0,
      );
      if (!isKeeping()) void gate.held.shift()?.go();
    }
    proxy.rewrite = saying(true);
    expect(await host.payments.create(orderInput())).toMatchObject({ status: 'pending', test: true });
    gate.open();
    expect(await creating).toEqual({ code: 'payment_outcome_unknown' });
    const [odd] = await host.payments.findByOrder(made.order.reference);
    expect(odd && (await anomalies(odd))).toEqual(['test false instead of true']);
    expect(await flagOfStore()).toBe(true);
  });
});
