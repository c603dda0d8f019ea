import { randomUUID } from 'node:crypto';
import { anyCanary, canaries } from '../support/canaries.js';
import {
  openBench,
  orderInput,
  paymentBecomes,
  sendNotification,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';
import { asItIs, type ServiceProxy } from '../support/service-proxy.js';

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
});

describe('a text that PostgreSQL cannot store', () => {
  // Cut in the middle of an emoji, as `slice` does it.
  const cut = 'Tea 🍵'.slice(0, 5);
  it.each([
    ['description', { description: cut }, 'description'],
    ['metadata', { metadata: { note: cut } }, 'metadata'],
  ])('is refused in the %s before anything is sent', async (_name, input, field) => {
    await expect(host.payments.create({ ...orderInput(), ...input })).rejects.toMatchObject({ field });
  });

  it.each(['a\u0000b', cut])('in an answer does not stop a payment: %j', async (text) => {
    proxy.rewrite = (payment) => ({ ...payment, issuer_note: text, [text]: { deep: [text] } });
    const payment = await host.payments.create({ ...orderInput(), capture: true });
    expect(payment.status).toBe('pending');
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    expect(await host.payments.refresh(payment.id)).toMatchObject({ status: 'succeeded' });
  });
});

describe('card data that the service repeats', () => {
  const { cardNumber, csc } = canaries;
  const grouped = cardNumber.replace(/(.{4})(?=.)/g, '$1 ');
  const halves = `${cardNumber.slice(0, 8)}-${cardNumber.slice(8)}`;
  const repeats = (object: Record<string, unknown>) => ({
    ...object,
    description: `Paid by ${grouped}`,
    metadata: { ...Object(object['metadata']), note: halves },
    card: { number: cardNumber, csc },
    payment_method: {
      type: 'bank_card',
      id: 'method-1',
      saved: true,
      title: `Bank card ${cardNumber}`,
      card: { number: cardNumber, csc, first6: '220247', last4: '2987', issuer_name: `Bank of ${halves}` },
    },
  });
  const rowsWith = async (text: string) => {
    const tables = ['payments', 'refunds', 'events', 'operations', 'notifications'];
    const found = await Promise.all(
      tables.map(async (table) => {
        const sql = `SELECT 1 FROM payments_${table} row WHERE row::text ~ $1`;
        return (await host.dataSource.query<object[]>(sql, [text])).length > 0 ? [table] : [];
      }),
    );
    return found.flat();
  };

  it('in a 200 is stored in no row, and the view shows the stored text', async () => {
    proxy.rewrite = repeats;
    const { id, serviceId } = await host.payments.create({ ...orderInput(), capture: true });
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    const payment = await paymentBecomes(host, id, 'succeeded');
    expect(payment.paymentMethod).toMatchObject({
      id: 'method-1',
      saved: true,
      title: 'Bank card [redacted]',
      card: { first6: '220247', last4: '2987', issuerName: 'Bank of [redacted]' },
    });
    await host.payments.refund(id, { refundKey: 'whole' });
    expect(await rowsWith([anyCanary, grouped, halves].join('|'))).toEqual([]);
  });

  it('in a notification is stored in no row either', async () => {
    const object = { ...repeats({}), id: randomUUID(), status: 'succeeded' };
    const sent = await sendNotification(host, { type: 'notification', event: 'payment.succeeded', object });
    expect(sent.status).toBe(200);
    expect(await rowsWith(object.id)).toEqual(['notifications']);
    expect(await rowsWith([anyCanary, grouped, halves].join('|'))).toEqual([]);
  });
});
