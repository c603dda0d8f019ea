import { conditionsOf, PaymentInputError, PaymentsOperator, type Payment } from '@holdfast/payments';
import { eventually } from '../support/eventually.js';
import { openBench, orderInput, type Bench, type PaymentsHost } from '../support/payments-host.js';
import type { ServiceProxy } from '../support/service-proxy.js';

const WEEK_MS = 7 * 24 * 3_600_000;

describe('an incident', () => {
  let bench: Bench;
  let proxy: ServiceProxy;
  let host: PaymentsHost;
  let operator: PaymentsOperator;
  beforeAll(async () => {
    bench = await openBench();
    proxy = await bench.startProxy();
    host = await bench.startHost({ serviceUrl: proxy.url });
    operator = host.app.get(PaymentsOperator);
  });
  afterEach(() => {
    proxy.rewrite = (object) => object;
  });
  afterAll(() => bench.close());

  /** A payment that the service shows in a status which does not exist. */
  async function odd(): Promise<Payment> {
    const payment = await host.payments.create(orderInput());
    proxy.rewrite = (object) => ({ ...object, status: 'charged_back' });
    await host.payments.refresh(payment.id);
    proxy.rewrite = (object) => object;
    return payment;
  }
  const incidentsOf = async ({ id }: Payment) =>
    (await operator.incidents()).filter(({ paymentId }) => paymentId === id);
  const conditions = async () => conditionsOf(await operator.backlog()).map(({ name }) => name);

  it('is open from its event until somebody resolves it, and the timeline says who did what', async () => {
    const payment = await odd();
    const [incident, ...more] = await incidentsOf(payment);
    expect(more).toEqual([]);
    expect(incident).toEqual({
      id: expect.stringMatching(/^\d+$/),
      store: expect.any(String),
      paymentId: payment.id,
      orderReference: payment.orderReference,
      name: 'payment.anomaly',
      reason: 'unknown status charged_back',
      since: expect.any(Date),
    });
    expect(await conditions()).toContain('incidents_open');
    const [found] = (await operator.search({ text: payment.orderReference })).items;
    expect(found?.needs).toEqual(['incidents_open']);

    const id = incident?.id ?? '';
    const [first, second] = await Promise.all([
      operator.resolveIncident(id, { by: 'anna', note: 'asked the support' }),
      operator.resolveIncident(id, { by: 'boris', note: 'looked as well' }),
    ]);
    expect(first).toBe(!second);
    expect(await incidentsOf(payment)).toEqual([]);
    expect(await conditions()).not.toContain('incidents_open');
    const resolved = (await host.payments.timeline(payment.id)).filter(
      ({ name }) => name === 'incident.resolved',
    );
    expect(resolved).toHaveLength(1);
    expect(resolved[0]).toMatchObject({
      cause: 'operator',
      evidence: {
        incident: 'payment.anomaly',
        reason: 'unknown status charged_back',
        by: first ? 'anna' : 'boris',
      },
    });
    expect(await operator.resolveIncident(id, { by: 'anna', note: 'again' })).toBe(false);
  });

  it('is a hold that ran out', async () => {
    const payment = await host.payments.create({ ...orderInput(), capture: false });
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    await eventually(
      () => host.payments.get(payment.id),
      ({ status }) => status === 'waiting_for_capture',
    );
    // Nobody looks in time.
    bench.sandbox.faults.order({ on: 'cancel', fault: 'error_500_before_commit', times: 1_000 });
    bench.sandbox.faults.order({ on: 'capture', fault: 'error_500_before_commit', times: 1_000 });
    await bench.sandbox.clock.advance(WEEK_MS);
    await eventually(
      () => host.payments.get(payment.id),
      ({ status }) => status === 'canceled',
    );
    bench.sandbox.faults.clear();
    expect((await incidentsOf(payment)).map(({ name, reason }) => [name, reason])).toEqual([
      ['hold.expired', null],
    ]);
  });

  it('is not resolved by what is no id of one, nor without a name and a note', async () => {
    const who = { by: 'anna', note: 'none' };
    for (const id of ['', '0', '1x', '1; DROP TABLE payments_incidents', '9'.repeat(40)])
      await expect(operator.resolveIncident(id, who)).rejects.toBeInstanceOf(PaymentInputError);
    await expect(operator.resolveIncident('1', { by: '', note: 'none' })).rejects.toBeInstanceOf(
      PaymentInputError,
    );
    expect(await operator.resolveIncident('1', who)).toBe(false);
  });
});
