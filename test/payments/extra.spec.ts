import { RefundKeyReusedError, yookassaProfile } from '@holdfast/payments';
import { testAccount } from '../support/account.js';
import { moneyRequests } from '../support/money-requests.js';
import {
  openBench,
  orderInput,
  paidPayment,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';
import type { ServiceProxy } from '../support/service-proxy.js';

const rub = (value: string) => ({ value, currency: 'RUB' as const });

describe('fields that the module does not know', () => {
  let bench: Bench;
  let proxy: ServiceProxy;
  let host: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench(testAccount, { profile: 'yookassa' });
    proxy = await bench.startProxy();
    host = await bench.startHost({ profile: yookassaProfile, serviceUrl: proxy.url });
  });
  afterAll(() => bench.close());

  /** The last body that was sent there. */
  const received = (path: RegExp): unknown =>
    JSON.parse(proxy.received.findLast(({ method, url }) => method === 'POST' && path.test(url))?.body ?? '');

  it('reach the service with a create, a capture and a refund, beside what the module writes', async () => {
    const transfers = [{ account_id: '123456', amount: rub('100.00') }];
    const statements = [
      { type: 'payment_overview', delivery_method: { type: 'email', email: 'a@b.example' } },
    ];
    const held = await paidPayment(bench, host, { capture: false, extra: { transfers, statements } });
    expect(received(/payments$/)).toMatchObject({ transfers, statements, amount: rub('100.00') });
    const captured = [{ account_id: '123456', amount: rub('60.00') }];
    await host.payments.capture(held.id, { amount: rub('60.00'), extra: { transfers: captured } });
    expect(received(/capture$/)).toEqual({ transfers: captured, amount: rub('60.00') });
    const sources = [{ account_id: '123456', amount: rub('10.00') }];
    await host.payments.refund(held.id, { refundKey: 'r', amount: rub('10.00'), extra: { sources } });
    expect(received(/refunds$/)).toMatchObject({ sources, amount: rub('10.00'), payment_id: held.serviceId });
  });

  it('are those of the first create, whatever the same create brings again', async () => {
    const input = orderInput();
    const first = await host.payments.create({ ...input, extra: { client_ip: '203.0.113.7' } });
    const again = await host.payments.create({ ...input, extra: { client_ip: '203.0.113.8' } });
    expect(again.id).toBe(first.id);
  });

  it('are part of what a refundKey names', async () => {
    const { id } = await paidPayment(bench, host);
    const refund = (value: string) =>
      host.payments.refund(id, {
        refundKey: 'r',
        amount: rub('10.00'),
        extra: { deal: { refund_settlements: [{ amount: rub(value), type: 'payout' }] } },
      });
    const first = await refund('10.00');
    expect(await refund('10.00')).toMatchObject({ id: first.id });
    await expect(refund('9.00')).rejects.toThrow(RefundKeyReusedError);
    await expect(host.payments.refund(id, { refundKey: 'r', amount: rub('10.00') })).rejects.toThrow('extra');
  });

  it('and must not be stored are refused before any row or request', async () => {
    const { id } = await paidPayment(bench, host, { capture: false });
    const before = moneyRequests(bench);
    await expect(host.payments.capture(id, { extra: { deal: { csc: '123' } } })).rejects.toThrow(
      "extra.deal.csc: is the name of a card's security code",
    );
    await expect(host.payments.create({ ...orderInput(), extra: { payment_token: 'x' } })).rejects.toThrow(
      'extra.payment_token',
    );
    expect(moneyRequests(bench)).toBe(before);
  });
});
