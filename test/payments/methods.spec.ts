import { yookassaProfile, type CreatePaymentInput, type Payment } from '@holdfast/payments';
import {
  openBench,
  orderInput,
  paymentBecomes,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';
import { testAccount } from '../support/shop.js';

const returnUrl = 'https://shop.example/return';
const phone = '79001234567';
const rub = (value: string) => ({ value, currency: 'RUB' });

let bench: Bench;
let host: PaymentsHost;
beforeAll(async () => {
  // No demo store: those have cards and wallets alone.
  bench = await openBench({ ...testAccount, shopId: '4711' }, { profile: 'yookassa' });
  host = await bench.startHost({ profile: yookassaProfile });
});
afterAll(() => bench.close());

type Input = Partial<CreatePaymentInput>;

/** Of 5000.00 roubles, which every method takes. */
const inputOf = (input: Input): CreatePaymentInput => {
  const { order } = orderInput();
  return { order, amount: rub('5000.00'), ...input };
};
const create = (input: Input): Promise<Payment> => host.payments.create(inputOf(input));

describe('a confirmation', () => {
  it.each<[string, Input, object]>([
    [
      'on a page has its address',
      { method: 'sbp', returnUrl },
      { type: 'redirect', url: expect.stringContaining('http') },
    ],
    [
      'in a widget has its token',
      { confirmation: { type: 'embedded' } },
      { type: 'embedded', token: expect.stringMatching(/^ct-/) },
    ],
    [
      'by a code has what to draw',
      { method: 'sbp', confirmation: { type: 'qr' } },
      { type: 'qr', data: expect.stringContaining('http') },
    ],
    [
      'by a push has its type alone',
      { method: 'bank_app_pay', methodData: { phone }, confirmation: { type: 'external' } },
      { type: 'external' },
    ],
    [
      'in an app has a link into it',
      { method: 'bank_app_pay', confirmation: { type: 'mobile_application', returnUrl: 'shop://paid' } },
      { type: 'mobile_application', url: expect.stringContaining('http') },
    ],
  ])('%s', async (_name, input, confirmation) => {
    const payment = await create(input);
    expect(payment).toMatchObject({ status: 'pending', confirmation });
    expect(payment.confirmationUrl).toBe(
      'url' in confirmation ? Reflect.get(payment.confirmation ?? {}, 'url') : null,
    );
    expect(await host.payments.get(payment.id)).toMatchObject({ confirmation: payment.confirmation });
  });

  it('is there until the buyer has paid', async () => {
    const { id, serviceId } = await create({ method: 'sbp', confirmation: { type: 'qr' } });
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    expect(await paymentBecomes(host, id, 'succeeded')).toMatchObject({
      confirmation: null,
      confirmationUrl: null,
    });
    const [row] = await bench.asOwner('SELECT confirmation FROM payments_payments WHERE id = $1', [id]);
    expect(row).toEqual({ confirmation: null });
  });

  it('of another type for the same order is another payment, and takes the place of the first with replace', async () => {
    const input = inputOf({ method: 'sbp', returnUrl });
    const page = await host.payments.create(input);
    const { returnUrl: _, ...rest } = input;
    const byCode: CreatePaymentInput = { ...rest, confirmation: { type: 'qr' } };
    await expect(host.payments.create(byCode)).rejects.toMatchObject({
      code: 'order_amount_exceeded',
      openPaymentId: page.id,
    });
    const code = await host.payments.create({ ...byCode, replace: true });
    expect(code).toMatchObject({ status: 'pending', confirmation: { type: 'qr' } });
    expect(await host.payments.create(byCode)).toMatchObject({
      id: code.id,
      confirmation: code.confirmation,
    });
    expect(await host.payments.get(page.id)).toMatchObject({ superseded: true });
  });

  it('of another type is another payment before the first is answered, too', async () => {
    const input = inputOf({ confirmation: { type: 'embedded' } });
    bench.sandbox.faults.order({ on: 'create', fault: 'error_500_before_commit', times: 100 });
    const lost = await host.payments.create(input).catch((error: unknown) => error);
    expect(lost).toMatchObject({ code: 'payment_outcome_unknown' });
    await expect(
      host.payments.create({ ...input, confirmation: { type: 'redirect', returnUrl } }),
    ).rejects.toMatchObject({ code: 'order_amount_exceeded' });
    bench.sandbox.faults.clear();
    expect(await host.payments.create(input)).toMatchObject({ confirmation: { type: 'embedded' } });
  });
});
