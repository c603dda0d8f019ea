import { eventually } from '../support/eventually.js';
import { openBench, orderInput, type Bench, type PaymentsHost } from '../support/payments-host.js';

describe('an order', () => {
  let bench: Bench;
  let host: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    host = await bench.startHost({ sweeps: false });
  });
  afterAll(() => bench.close());

  it('is no longer paid once more is due, before the service has answered', async () => {
    const input = orderInput();
    const { reference } = input.order;
    const payment = await host.payments.create(input);
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    await host.payments.refresh(payment.id);
    expect(await host.payments.getOrder(reference)).toMatchObject({ state: 'paid' });

    await host.payments.changeTotalDue(reference, { value: '150.00', currency: 'RUB' });
    const creates = () => bench.sandbox.ledger.requestCount({ endpoint: 'create' });
    const before = creates();
    bench.sandbox.faults.order({ on: 'create', fault: 'stall' });
    const creating = host.payments.create({
      ...input,
      order: { reference, totalDue: { value: '150.00', currency: 'RUB' } },
      amount: { value: '50.00', currency: 'RUB' },
    });
    await eventually(
      () => Promise.resolve(creates()),
      (count) => count > before,
    );
    expect(await host.payments.getOrder(reference)).toMatchObject({
      state: 'unpaid',
      totalDue: { value: '150.00', currency: 'RUB' },
    });
    bench.sandbox.faults.clear();
    expect(await creating).toMatchObject({ status: 'pending' });
  });
});
