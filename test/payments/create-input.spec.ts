import { PaymentInputError, type CreatePaymentInput } from '@holdfast/payments';
import { openBench, orderInput, type Bench, type PaymentsHost } from '../support/payments-host.js';

const amount = (value: string) => ({ amount: { value, currency: 'RUB' } });

describe('a create', () => {
  let bench: Bench;
  let host: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    host = await bench.startHost();
  });
  afterAll(() => bench.close());

  const rows = async () => {
    const [row] = await host.dataSource.query<{ count: string }[]>(
      `SELECT (SELECT count(*) FROM payments_payments) + (SELECT count(*) FROM payments_operations) + (SELECT count(*) FROM payments_orders) AS count`,
    );
    return Number(row?.count);
  };

  it.each<[string, Record<string, unknown>, string, RegExp]>([
    ['amount 10', amount('10'), 'amount.value', /two fractional digits/],
    ['amount 10.5', amount('10.5'), 'amount.value', /two fractional digits/],
    ['amount -1.00', amount('-1.00'), 'amount.value', /two fractional digits/],
    ['amount 0.00', amount('0.00'), 'amount.value', /above zero/],
    [
      'amount 0.99 by bank card',
      { ...amount('0.99'), method: 'bank_card' },
      'amount.value',
      /1\.00 to 350000\.00/,
    ],
    [
      'amount 350000.01 by bank card',
      { ...amount('350000.01'), method: 'bank_card' },
      'amount.value',
      /1\.00 to 350000\.00/,
    ],
    ['a number for an amount', { amount: { value: 10, currency: 'RUB' } }, 'amount.value', /decimal string/],
    ['another currency', { amount: { value: '10.00', currency: 'USD' } }, 'amount.currency', /RUB/],
    ['no amount', { amount: undefined }, 'amount', /must be an amount/],
    ['a description of 129 characters', { description: 'x'.repeat(129) }, 'description', /at most 128/],
    ['a missing return_url', { returnUrl: undefined }, 'returnUrl', /required/],
    [
      'a return_url of 2049 characters',
      { returnUrl: `https://shop.example/${'x'.repeat(2028)}` },
      'returnUrl',
      /2048/,
    ],
    ['a return_url that is no address', { returnUrl: 'javascript:alert(1)' }, 'returnUrl', /http or https/],
    ['an unknown method', { method: 'hologram' }, 'method', /one of bank_card, wallet$/],
    ['a cryptogram’s method', { method: 'wallet_pay' }, 'method', /one of bank_card, wallet$/],
    [
      'the method that only a buyer chooses',
      { method: 'bank_app_pay' },
      'method',
      /bank_app_pay is the buyer's choice on the service's page: leave the method out/,
    ],
    [
      'a method of the public service',
      { method: 'sbp' },
      'method',
      /sbp is not part of the documented service/,
    ],
    [
      'a confirmation of the public service',
      { returnUrl: undefined, confirmation: { type: 'embedded' } },
      'confirmation.type',
      /embedded is not part of the documented service/,
    ],
    [
      'a confirmation in both forms',
      { confirmation: { type: 'redirect', returnUrl: 'https://shop.example/' } },
      'returnUrl',
      /must be left out beside confirmation/,
    ],
    [
      'a confirmation of an unknown type',
      { returnUrl: undefined, confirmation: { type: 'hologram' } },
      'confirmation.type',
      /one of redirect, embedded/,
    ],
    [
      'method data without a method',
      { methodData: { phone: '79001234567' } },
      'methodData',
      /without method/,
    ],
    [
      'sixteen metadata entries',
      { metadata: Object.fromEntries(Array.from({ length: 16 }, (_, n) => [`k${n}`, 'v'])) },
      'metadata',
      /15/,
    ],
    ['our own metadata key', { metadata: { holdfast_payment: 'x' } }, 'metadata', /holdfast_payment/],
    ['a NUL in the description', { description: 'a\u0000b' }, 'description', /128/],
    ['an empty order reference', { order: { reference: '' } }, 'order.reference', /1 to 128/],
    ['a line break in it', { order: { reference: 'A-1\nA-2' } }, 'order.reference', /control character/],
    ['a terminal’s command in it', { order: { reference: 'A\u001b[2J' } }, 'order.reference', /control/],
    ['a space before it', { order: { reference: ' A-1' } }, 'order.reference', /no space at either end/],
    ['a space behind it', { order: { reference: 'A-1 ' } }, 'order.reference', /no space at either end/],
    ['a space of another kind', { order: { reference: 'A\u00a01' } }, 'order.reference', /not seen/],
    ['a letter without a shape', { order: { reference: 'A\u31641' } }, 'order.reference', /not seen/],
    ['a joiner of letters', { order: { reference: 'A\u034f1' } }, 'order.reference', /not seen/],
    ['a cell without dots', { order: { reference: 'A\u28001' } }, 'order.reference', /not seen/],
    ['letters that run backwards', { order: { reference: 'A\u202e1-' } }, 'order.reference', /not seen/],
    [
      'less due than paid',
      { order: { reference: 'r', totalDue: { value: '99.99', currency: 'RUB' } } },
      'order.totalDue',
      /less than amount/,
    ],
    [
      'a wrong total',
      { order: { reference: 'r', totalDue: { value: '1', currency: 'RUB' } } },
      'order.totalDue.value',
      /two fractional/,
    ],
    ['capture that is no boolean', { capture: 'yes' }, 'capture', /true/],
    ['an empty part', { part: '' }, 'part', /1 to 64/],
    ['an unknown field', { amountMinor: 100 }, 'amountMinor', /not a field/],
  ])('refuses %s, naming field and rule, before any row or request', async (_name, fields, field, rule) => {
    const before = [await rows(), bench.sandbox.ledger.requestCount({ endpoint: 'create' })];
    // What a JavaScript caller may pass, whatever the types say.
    const input: CreatePaymentInput = Object.assign(orderInput(), fields);
    const error: unknown = await host.payments.create(input).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PaymentInputError);
    expect(error).toMatchObject({ code: 'payment_input', field });
    expect(String(error)).toMatch(rule);
    expect([await rows(), bench.sandbox.ledger.requestCount({ endpoint: 'create' })]).toEqual(before);
  });
});
