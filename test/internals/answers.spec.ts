import { yookassaProfile, type CreatePaymentInput } from '@holdfast/payments';
import { PaymentsApi } from '@holdfast/payments/client';
import { payment } from '../../libs/payments/src/api/objects/payment.js';
import { receipt } from '../../libs/payments/src/api/objects/receipt.js';
import { refund } from '../../libs/payments/src/api/objects/refund.js';
import { keptFields, type AnswerShape } from '../../libs/payments/src/api/objects/shape.js';
import { isRecord } from '../../libs/payments/src/common/is-record.js';
import { testAccount } from '../support/account.js';
import { openBench, paidPayment, type Bench, type PaymentsHost } from '../support/payments-host.js';

const rub = (value: string) => ({ value, currency: 'RUB' as const });
/** No demo store: those have cards and wallets alone. */
const account = { ...testAccount, shopId: '4711' };
const business = { paymentPurpose: 'Tea', vatData: { type: 'untaxed' } } as const;
const cane = {
  number: 1,
  truCode: `${'1'.repeat(20)}.${'2'.repeat(9)}`,
  code: 'CANE-7',
  name: 'Cane',
  quantity: 2,
  price: rub('40.00'),
};
const transfers = [
  { account_id: '300200', amount: rub('60.00'), platform_fee_amount: rub('1.00'), description: 'Cups' },
  { account_id: '300201', amount: rub('40.00'), metadata: { no: '7' } },
];

let bench: Bench;
let host: PaymentsHost;
beforeAll(async () => {
  bench = await openBench(account, {
    profile: 'yookassa',
    receipts: { scenario: 'after_payment', provider: 'atol' },
  });
  host = await bench.startHost({ profile: yookassaProfile });
});
afterAll(() => bench.close());

const paid = (input: Partial<CreatePaymentInput>) => paidPayment(bench, host, input);
const byCertificate = () => paid({ method: 'electronic_certificate', methodData: { articles: [cane] } });
const ofDeal = () => {
  const { id } = bench.sandbox.deals.create();
  return paid({ extra: { deal: { id, settlements: [{ type: 'payout', amount: rub('90.00') }] } } });
};

describe('a payment shows', () => {
  it('the number of a wallet', async () => {
    expect((await paid({ method: 'wallet' })).paymentMethod).toMatchObject({
      type: 'wallet',
      accountNumber: '410010000000001',
    });
  });

  it("its number at SBP and the buyer's bank", async () => {
    expect((await paid({ method: 'sbp' })).paymentMethod).toMatchObject({
      sbp: { operationId: expect.stringMatching(/^\w{32}$/), bankId: '100000000999', bic: '044525999' },
      payer: null,
    });
  });

  it('the company that paid, and its bank', async () => {
    const { paymentMethod } = await paid({ method: 'b2b_sberbank', methodData: business });
    expect(paymentMethod).toMatchObject({
      sbp: null,
      payer: {
        fullName: 'Sandbox Trading House Limited Liability Company',
        shortName: 'Sandbox Trading House LLC',
        address: '1 Sandbox Street, Moscow, 101000',
        inn: '7700000000',
        kpp: '770001001',
        bankName: 'Sandbox Bank',
        bankBranch: 'Moscow',
        bankBic: '044525999',
        account: '40702810000000000001',
      },
    });
  });

  it('what was bought with an electronic certificate', async () => {
    const { paymentMethod } = await byCertificate();
    expect(paymentMethod).toMatchObject({
      certificateAmount: rub('80.00'),
      articles: [
        {
          number: 1,
          truCode: cane.truCode,
          code: 'CANE-7',
          certificates: [
            {
              id: expect.stringMatching(/^\d{20}$/),
              quantity: 2,
              available: rub('40.00'),
              applied: rub('40.00'),
            },
          ],
        },
      ],
    });
  });

  it("the shop's own name for the buyer, and how it is shared out", async () => {
    expect(await paid({ merchantCustomerId: 'buyer-7', extra: { transfers } })).toMatchObject({
      merchantCustomerId: 'buyer-7',
      transfers: [
        {
          accountId: '300200',
          amount: rub('60.00'),
          platformFee: rub('1.00'),
          description: 'Cups',
          status: 'succeeded',
        },
        { accountId: '300201', amount: rub('40.00'), platformFee: null, metadata: { no: '7' } },
      ],
    });
  });

  it('its deal, and so does its refund', async () => {
    const { id, deal } = await ofDeal();
    const settlements = [{ type: 'payout', amount: rub('90.00') }];
    expect(deal).toEqual({ id: expect.stringMatching(/^dl-/), settlements });
    const share = [{ type: 'payout', amount: rub('9.00') }];
    const back = await host.payments.refund(id, {
      refundKey: 'r',
      amount: rub('10.00'),
      extra: { deal: { refund_settlements: share } },
    });
    expect(back.deal).toEqual({ id: deal?.id, settlements: share });
  });
});

describe('a refund shows', () => {
  it('the number by which the bank knows it, of a card', async () => {
    const { id } = await paid({ method: 'bank_card' });
    expect(await host.payments.refund(id, { refundKey: 'r' })).toMatchObject({
      status: 'succeeded',
      rrn: expect.stringMatching(/^\d{12}$/),
      method: null,
    });
  });

  it('its number at SBP', async () => {
    const { id } = await paid({ method: 'sbp' });
    expect(await host.payments.refund(id, { refundKey: 'r' })).toMatchObject({
      rrn: null,
      method: { type: 'sbp', sbpOperationId: expect.stringMatching(/^\w{32}$/) },
    });
  });

  it('what goes back to a certificate', async () => {
    const { id } = await byCertificate();
    const returned = {
      article_number: 1,
      payment_article_number: 1,
      tru_code: cane.truCode,
      quantity: 1,
    };
    const back = await host.payments.refund(id, {
      refundKey: 'r',
      amount: rub('40.00'),
      extra: { refund_method_data: { type: 'electronic_certificate', articles: [returned] } },
    });
    expect(back.method).toMatchObject({
      type: 'electronic_certificate',
      articles: [{ number: 1, paidNumber: 1, truCode: cane.truCode, quantity: 1 }],
    });
  });

  it('the store that gives it back', async () => {
    const { id } = await paid({ extra: { transfers } });
    const sources = [{ account_id: '300200', amount: rub('10.00'), platform_fee_amount: rub('0.10') }];
    expect(
      await host.payments.refund(id, { refundKey: 'r', amount: rub('10.00'), extra: { sources } }),
    ).toMatchObject({
      sources: [{ accountId: '300200', amount: rub('10.00'), platformFee: rub('0.10') }],
    });
  });
});

it("of the service's answers all is kept but what is named here", async () => {
  for (const method of ['bank_card', 'bank_app_pay', 'tinkoff_bank', 'sber_loan'] as const)
    await paid({ method, amount: rub('5000.00') });
  const api = host.app.get(PaymentsApi);
  const answers: [AnswerShape, AsyncIterable<object>][] = [
    [payment, api.listPayments()],
    [refund, api.listRefunds()],
    [receipt, api.listReceipts()],
  ];
  const forgotten = new Set<string>();
  for (const [shape, list] of answers) {
    for await (const object of list)
      for (const path of besides(object, keptFields(shape, { ...object }))) forgotten.add(path);
  }
  expect([...forgotten].toSorted()).toEqual(['payment_method.payment_purpose', 'payment_method.vat_data']);
});

/** Paths of what was answered and is not kept. */
function besides(answered: unknown, kept: unknown, path = ''): string[] {
  if (kept === undefined) return [path];
  if (Array.isArray(answered))
    return answered.flatMap((entry, at) => besides(entry, Array.isArray(kept) ? kept[at] : undefined, path));
  if (!isRecord(answered)) return [];
  return Object.entries(answered).flatMap(([name, value]) =>
    besides(value, isRecord(kept) ? kept[name] : undefined, path === '' ? name : `${path}.${name}`),
  );
}
