import {
  openBench,
  orderInput,
  paymentBecomes,
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

/** From now on every object has these fields, also in lists. */
function say(card: string | null, receipt: string | null): void {
  const said = (object: Record<string, unknown>): Record<string, unknown> => {
    const { items, ...rest } = object;
    if (Array.isArray(items)) return { ...rest, items: items.map(said) };
    const method = {
      type: 'bank_card',
      id: 'method-1',
      saved: false,
      card: { first6: '555555', last4: card },
    };
    return { ...object, payment_method: method, ...(receipt !== null && { receipt_registration: receipt }) };
  };
  proxy.rewrite = said;
}

async function columns(paymentId: string): Promise<object | undefined> {
  const [row] = await host.dataSource.query<object[]>(
    'SELECT card_last4 AS card, receipt_status AS receipt FROM payments_payments WHERE id = $1',
    [paymentId],
  );
  return row;
}

async function refundColumns(paymentId: string): Promise<object[]> {
  return host.dataSource.query<object[]>(
    'SELECT status, receipt_status AS receipt FROM payments_refunds WHERE payment_id = $1',
    [paymentId],
  );
}

const pay = ({ serviceId }: { serviceId: string | null }) =>
  bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });

describe("the card's last four digits and the receipt's status", () => {
  it('are columns of the payment as soon as its create is answered', async () => {
    say('4477', 'pending');
    const { id } = await host.payments.create({ ...orderInput(), capture: true });
    expect(await columns(id)).toEqual({ card: '4477', receipt: 'pending' });
  });

  it('are written by a re-read, and stay if a later one does not have them', async () => {
    const payment = await host.payments.create({ ...orderInput(), capture: true });
    expect(await columns(payment.id)).toEqual({ card: null, receipt: null });
    say('0042', 'pending');
    pay(payment);
    await paymentBecomes(host, payment.id, 'succeeded');
    expect(await columns(payment.id)).toEqual({ card: '0042', receipt: 'pending' });
    // Nothing else is new.
    say('0042', 'canceled');
    await host.payments.refresh(payment.id);
    expect(await columns(payment.id)).toEqual({ card: '0042', receipt: 'canceled' });
    say('42', 'lost');
    await host.payments.refresh(payment.id);
    expect(await columns(payment.id)).toEqual({ card: '0042', receipt: 'canceled' });
  });

  it('are also written under the locks, if the order has several payments', async () => {
    const { order, amount, returnUrl } = orderInput();
    const half = { order: { ...order, totalDue: amount }, amount: { ...amount, value: '50.00' }, returnUrl };
    const first = await host.payments.create({ ...half, part: 'first' });
    const second = await host.payments.create({ ...half, part: 'second' });
    say('4477', 'pending');
    await host.payments.refresh(first.id);
    expect(await columns(first.id)).toEqual({ card: '4477', receipt: 'pending' });
    pay(second);
    await paymentBecomes(host, second.id, 'succeeded');
    expect(await columns(second.id)).toEqual({ card: '4477', receipt: 'pending' });
  });

  it('of a refund are written from its answer, and from a list in which nothing else is new', async () => {
    const payment = await host.payments.create({ ...orderInput(), capture: true });
    pay(payment);
    await paymentBecomes(host, payment.id, 'succeeded');
    say('4477', 'pending');
    await host.payments.refund(payment.id, {
      refundKey: 'ours',
      amount: { value: '30.00', currency: 'RUB' },
    });
    expect(await refundColumns(payment.id)).toEqual([{ status: 'succeeded', receipt: 'pending' }]);
    say('4477', 'succeeded');
    bench.sandbox.refunds.make(payment.serviceId ?? '', '10.00');
    await host.payments.refresh(payment.id);
    const succeeded = { status: 'succeeded', receipt: 'succeeded' };
    expect(await refundColumns(payment.id)).toEqual([succeeded, succeeded]);
  });
});
