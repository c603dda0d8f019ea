import { openBench, orderInput, type Bench, type PaymentsHost } from '../support/payments-host.js';
import { startServiceProxy, type ServiceProxy } from '../support/service-proxy.js';

describe('a text that PostgreSQL cannot store', () => {
  let bench: Bench;
  let proxy: ServiceProxy;
  let host: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    proxy = await startServiceProxy(bench.sandbox.url);
    host = await bench.startHost({ serviceUrl: proxy.url });
  });
  afterAll(async () => {
    await bench.close();
    await proxy.close();
  });
  afterEach(() => {
    proxy.rewrite = (payment) => payment;
  });

  // Cut in the middle of an emoji, as `slice` does it.
  const cut = 'Tea 🍵'.slice(0, 5);
  it.each([
    ['description', { description: cut }, 'description'],
    ['metadata', { metadata: { note: cut } }, 'metadata'],
  ])('is refused in the %s before anything is sent', async (_name, input, field) => {
    await expect(host.payments.create({ ...orderInput(), ...input })).rejects.toMatchObject({ field });
  });

  it.each(['a\u0000b', cut])('in an answer keeps no payment from going on: %j', async (text) => {
    proxy.rewrite = (payment) => ({ ...payment, issuer_note: text, [text]: { deep: [text] } });
    const payment = await host.payments.create({ ...orderInput(), capture: true });
    expect(payment.status).toBe('pending');
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    expect(await host.payments.refresh(payment.id)).toMatchObject({ status: 'succeeded' });
  });
});
