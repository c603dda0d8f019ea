import type { Sandbox } from '@holdfast/sandbox';
import { basicOf, get, order, post, realShop, refusal, started, type Json, type Reply } from './support.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const credentials = basicOf(realShop);
const roubles = (value: string) => ({ value, currency: 'RUB' });
const phone = '79001234567';
const redirect = { type: 'redirect', return_url: 'https://shop.example/' };
const business = { payment_purpose: 'Invoice 7', vat_data: { type: 'untaxed' } };

const store = (): Promise<Sandbox> => started({ ...realShop, profile: 'yookassa' });

let keys = 0;
const send = (sandbox: Sandbox, path: string, body: Json): Promise<Reply> =>
  post(sandbox, `/v3/${path}`, `key-${(keys += 1)}`, body, credentials);

/** What a payment by each method has to say, for the least that any of them takes. */
const needs: Readonly<Record<string, Json>> = {
  mobile_balance: { confirmation: { type: 'external' } },
  b2b_sberbank: {},
};
const data: Readonly<Record<string, Json>> = { mobile_balance: { phone }, b2b_sberbank: business };

const create = (sandbox: Sandbox, type: string, more: Json = {}, methodData: Json = {}): Promise<Reply> =>
  send(
    sandbox,
    'payments',
    order({
      amount: roubles('5000.00'),
      capture: true,
      payment_method_data: { type, ...data[type], ...methodData },
      ...needs[type],
      ...more,
    }),
  );

async function created(
  sandbox: Sandbox,
  type: string,
  more: Json = {},
  methodData: Json = {},
): Promise<string> {
  const { status, body } = await create(sandbox, type, more, methodData);
  expect([type, status, body]).toEqual([type, 200, expect.any(Object)]);
  return String(body['id']);
}

async function paid(sandbox: Sandbox, type: string, more: Json = {}, methodData: Json = {}): Promise<string> {
  const id = await created(sandbox, type, more, methodData);
  sandbox.payments.pay(id, { outcome: 'succeed' });
  return id;
}

interface Facts {
  readonly least: string;
  readonly most: string;
  readonly termH: number | null;
  readonly holdMs: number | null;
  /** The least part of 5000.00 that can be captured; null: only all. */
  readonly part: string | null;
  readonly refundDays: number | null;
  readonly saved: boolean;
  readonly confirmations: readonly string[];
}

const usual: Facts = {
  least: '1.00',
  most: '700000.00',
  termH: 1,
  holdMs: 7 * DAY_MS,
  part: '0.01',
  refundDays: 3 * 365,
  saved: false,
  confirmations: ['redirect'],
};

const facts: Readonly<Record<string, Facts>> = {
  bank_card: { ...usual, most: '350000.00', saved: true, confirmations: ['redirect', 'embedded'] },
  yoo_money: { ...usual, most: '250000.00', saved: true },
  sberbank: {
    ...usual,
    refundDays: 365,
    saved: true,
    confirmations: ['redirect', 'external', 'mobile_application', 'qr'],
  },
  sbp: { ...usual, holdMs: null, saved: true, confirmations: ['redirect', 'qr'] },
  tinkoff_bank: { ...usual, saved: true },
  alfa_pay: { ...usual, holdMs: null, refundDays: 500 },
  sber_loan: {
    ...usual,
    least: '3000.00',
    most: '1500000.00',
    termH: 8,
    holdMs: 2 * HOUR_MS,
    part: '3000.00',
    refundDays: 180,
  },
  sber_bnpl: { ...usual, least: '1000.00', most: '50000.00', refundDays: 365 },
  b2b_sberbank: { ...usual, termH: 8, holdMs: null, refundDays: null },
  mobile_balance: {
    ...usual,
    least: '10.00',
    most: '15000.00',
    holdMs: 6 * HOUR_MS,
    part: null,
    confirmations: ['external'],
  },
  cash: { ...usual, most: '100000.00', termH: null, holdMs: 6 * HOUR_MS, part: null, refundDays: null },
};
const cane = {
  article_number: 1,
  tru_code: `${'1'.repeat(20)}.${'2'.repeat(9)}`,
  article_name: 'Cane',
  quantity: 1,
  price: roubles('4000.00'),
};
const bandage = {
  article_number: 2,
  tru_code: `${'3'.repeat(20)}.${'4'.repeat(9)}`,
  article_code: 'b-2',
  article_name: 'Bandage',
  quantity: 2,
  price: roubles('300.00'),
};
const methods = Object.entries(facts).map(([type, rules]) => ({ type, ...rules }));

const kopeck = (value: string, by: number): string =>
  ((Math.round(Number(value) * 100) + by) / 100).toFixed(2);

describe('a way to pay', () => {
  it.each(methods)('$type takes from $least to $most', async ({ type, least, most }) => {
    const sandbox = await store();
    const status = async (value: string) => (await create(sandbox, type, { amount: roubles(value) })).status;
    expect([await status(least), await status(most)]).toEqual([200, 200]);
    for (const value of [kopeck(least, -1), kopeck(most, 1)])
      expect(await create(sandbox, type, { amount: roubles(value) })).toMatchObject(refusal('amount.value'));
  });

  it.each(methods.filter(({ termH }) => termH !== null))(
    '$type runs out after $termH h',
    async ({ type, termH }) => {
      const sandbox = await store();
      const id = await created(sandbox, type);
      await sandbox.clock.advance((termH ?? 0) * HOUR_MS - 60_000);
      expect(sandbox.payments.get(id).status).toBe('pending');
      await sandbox.clock.advance(60_000);
      expect(sandbox.payments.get(id)).toMatchObject({
        status: 'canceled',
        cancellation_details: { party: 'yoo_money', reason: 'expired_on_confirmation' },
      });
    },
  );

  it('by cash never runs out', async () => {
    const sandbox = await store();
    const id = await created(sandbox, 'cash');
    await sandbox.clock.advance(365 * DAY_MS);
    expect(sandbox.payments.get(id).status).toBe('pending');
    expect(sandbox.payments.endsAt(id)).toBeNull();
  });

  it.each([
    ['49999.99', 8],
    ['50000.00', 28],
    ['200000.00', 28],
    ['200000.01', 72],
  ])('by a credit of %s runs out after %i h', async (value, hours) => {
    const sandbox = await store();
    const id = await created(sandbox, 'sber_loan', { amount: roubles(value) });
    const createdAt = Date.parse(sandbox.payments.get(id).created_at);
    expect(sandbox.payments.endsAt(id)?.getTime()).toBe(createdAt + hours * HOUR_MS);
  });

  it.each(methods.filter(({ holdMs }) => holdMs !== null))(
    '$type holds money for $holdMs ms',
    async ({ type, holdMs }) => {
      const sandbox = await store();
      const id = await created(sandbox, type, { capture: false });
      sandbox.payments.pay(id, { outcome: 'succeed' });
      const { status, expires_at: until = '' } = sandbox.payments.get(id);
      expect(status).toBe('waiting_for_capture');
      expect(Math.abs(Date.parse(until) - sandbox.clock.now().getTime() - (holdMs ?? 0))).toBeLessThan(
        60_000,
      );
      await sandbox.clock.advance(holdMs ?? 0);
      expect(sandbox.payments.get(id).cancellation_details?.reason).toBe('expired_on_capture');
    },
  );

  it.each(methods.filter(({ holdMs }) => holdMs === null))('$type holds no money', async ({ type }) => {
    const sandbox = await store();
    for (const capture of [false, undefined])
      expect(await create(sandbox, type, { capture })).toMatchObject(refusal('capture'));
  });

  it.each(methods.filter(({ holdMs }) => holdMs !== null))(
    '$type has of a hold of 5000.00 at least $part captured, or all',
    async ({ type, part }) => {
      const sandbox = await store();
      const id = await created(sandbox, type, { capture: false });
      sandbox.payments.pay(id, { outcome: 'succeed' });
      const capture = (value: string) => send(sandbox, `payments/${id}/capture`, { amount: roubles(value) });
      const least = part ?? '5000.00';
      expect(await capture(kopeck(least, -1))).toMatchObject(
        refusal(least === '0.01' ? 'amount.value' : 'amount'),
      );
      expect((await capture(least)).body).toMatchObject({ status: 'succeeded', amount: roubles(least) });
    },
  );

  it.each(methods.filter(({ refundDays }) => refundDays !== null))(
    '$type can be refunded for $refundDays days',
    async ({ type, refundDays }) => {
      const sandbox = await store();
      const id = await paid(sandbox, type);
      const refund = () => send(sandbox, 'refunds', { payment_id: id, amount: roubles('1.00') });
      await sandbox.clock.advance((refundDays ?? 0) * DAY_MS - HOUR_MS);
      expect((await refund()).body).toMatchObject({ status: 'succeeded' });
      // A leap day may lie in the years.
      await sandbox.clock.advance(DAY_MS + 2 * HOUR_MS);
      expect(await refund()).toMatchObject(refusal('payment_id'));
    },
  );

  it.each(methods.filter(({ refundDays }) => refundDays === null))(
    '$type is never refunded',
    async ({ type }) => {
      const sandbox = await store();
      const id = await paid(sandbox, type);
      const refund = { payment_id: id, amount: roubles('1.00') };
      expect(await send(sandbox, 'refunds', refund)).toMatchObject(refusal('payment_id'));
    },
  );

  it.each(methods.filter(({ saved }) => !saved))('$type cannot be saved', async ({ type }) => {
    expect(await create(await store(), type, { save_payment_method: true })).toMatchObject(
      refusal('save_payment_method'),
    );
  });

  it.each(methods.filter(({ saved }) => saved))('$type is saved, and pays again', async ({ type }) => {
    const sandbox = await store();
    const id = await created(sandbox, type, { save_payment_method: true });
    sandbox.payments.pay(id, { outcome: 'succeed' });
    expect(sandbox.payments.get(id).payment_method).toMatchObject({ id, saved: true, status: 'active' });
    const again = { amount: roubles('10.00'), capture: true, payment_method_id: id };
    expect((await send(sandbox, 'payments', again)).body).toMatchObject({
      status: 'succeeded',
      payment_method: { id, type, saved: true },
    });
  });

  it('yoo_money that is charged again has all of its hold captured', async () => {
    const sandbox = await store();
    const id = await created(sandbox, 'yoo_money', { save_payment_method: true, capture: false });
    sandbox.payments.pay(id, { outcome: 'succeed' });
    const again = await send(sandbox, 'payments', { amount: roubles('10.00'), payment_method_id: id });
    const capture = (payment: unknown, value: string) =>
      send(sandbox, `payments/${String(payment)}/capture`, { amount: roubles(value) });
    expect(await capture(again.body['id'], '9.99')).toMatchObject(refusal('amount'));
    expect((await capture(again.body['id'], '10.00')).status).toBe(200);
    expect((await capture(id, '9.99')).status).toBe(200);
  });

  it.each(methods)('$type is confirmed by $confirmations', async ({ type, confirmations }) => {
    const sandbox = await store();
    const every = ['redirect', 'embedded', 'qr', 'external', 'mobile_application'];
    const answers = every.map(async (name) => {
      const confirmation = { type: name, return_url: 'https://shop.example/' };
      const { status, body } = await create(sandbox, type, { confirmation }, { phone });
      return [name, status === 200 ? 'confirmed' : body['parameter']];
    });
    expect(await Promise.all(answers)).toEqual(
      every.map((name) => [name, confirmations.includes(name) ? 'confirmed' : 'confirmation.type']),
    );
  });

  it.each(methods)('$type is paid, declined or left alone, and listed', async ({ type }) => {
    const sandbox = await store();
    const [good, bad, left] = [
      await created(sandbox, type),
      await created(sandbox, type),
      await created(sandbox, type),
    ];
    sandbox.payments.pay(good, { outcome: 'succeed' });
    sandbox.payments.pay(bad, { outcome: 'decline', reason: 'insufficient_funds' });
    sandbox.payments.pay(left, { outcome: 'abandon' });
    const { body } = await get(sandbox, `/v3/payments?payment_method=${type}`, credentials);
    expect(body).toMatchObject({
      items: [
        { id: left, status: 'pending', payment_method: { type, id: left, saved: false } },
        { id: bad, status: 'canceled', cancellation_details: { reason: 'insufficient_funds' } },
        { id: good, status: 'succeeded', payment_method: { type, id: good, status: 'inactive' } },
      ],
    });
  });
});

describe('a request', () => {
  it.each([
    ['sbp', 'airline'],
    ['tinkoff_bank', 'airline'],
    ['alfa_pay', 'save_payment_method'],
    ['alfa_pay', 'transfers'],
    ['sber_loan', 'deal'],
    ['sber_bnpl', 'transfers'],
  ])('by %s does not go with %s', async (type, field) => {
    const trip = { booking_reference: 'IIIKRV' };
    const value = field === 'save_payment_method' ? false : field === 'airline' ? trip : 'x';
    expect(await create(await store(), type, { [field]: value })).toMatchObject(refusal(field));
  });

  it.each<[string, string, Json, string]>([
    ['a phone with a plus', 'sberbank', { phone: '+79001234567' }, 'phone'],
    ['no phone', 'mobile_balance', { phone: undefined }, 'phone'],
    ['a phone of words', 'cash', { phone: 'mine' }, 'phone'],
    ['a phone with spaces', 'sber_bnpl', { phone: '7 900' }, 'phone'],
    ['no purpose', 'b2b_sberbank', { payment_purpose: undefined }, 'payment_purpose'],
    ['a long purpose', 'b2b_sberbank', { payment_purpose: 'p'.repeat(211) }, 'payment_purpose'],
    ['no VAT', 'b2b_sberbank', { vat_data: undefined }, 'vat_data'],
    ['an odd VAT', 'b2b_sberbank', { vat_data: { type: 'some' } }, 'vat_data.type'],
    [
      'an odd rate',
      'b2b_sberbank',
      { vat_data: { type: 'calculated', rate: '18', amount: roubles('1.00') } },
      'vat_data.rate',
    ],
    ['no amount', 'b2b_sberbank', { vat_data: { type: 'mixed' } }, 'vat_data.amount'],
    [
      'a basket above the payment',
      'electronic_certificate',
      { electronic_certificate: { amount: roubles('5000.01'), basket_id: '1'.repeat(24) } },
      'electronic_certificate.amount.value',
    ],
    ...Object.entries({
      article_number: 0,
      tru_code: '1.2',
      article_name: '',
      quantity: 1.5,
      price: undefined,
    }).map(([field, value]): [string, string, Json, string] => [
      `an article with an odd ${field}`,
      'electronic_certificate',
      { articles: [{ ...cane, [field]: value }] },
      `articles[0].${field}`,
    ]),
    [
      'articles above the payment',
      'electronic_certificate',
      { articles: [{ ...cane, quantity: 2 }] },
      'articles',
    ],
  ])('with %s is refused by %s', async (_what, type, methodData, parameter) => {
    expect(await create(await store(), type, {}, methodData)).toMatchObject(
      refusal(`payment_method_data.${parameter}`),
    );
  });

  it('for SberPay from elsewhere needs a phone', async () => {
    const sandbox = await store();
    const external = { confirmation: { type: 'external' } };
    expect(await create(sandbox, 'sberbank', external)).toMatchObject(refusal('payment_method_data.phone'));
    expect((await create(sandbox, 'sberbank', external, { phone })).body).toMatchObject({
      confirmation: { type: 'external' },
      payment_method: { type: 'sberbank', phone },
    });
  });
});

describe('what an answer says of the method', () => {
  const shown = (sandbox: Sandbox, id: string) => sandbox.payments.get(id).payment_method;

  it('names the SBP operation and the bank of its payer once it is paid', async () => {
    const sandbox = await store();
    const id = await created(sandbox, 'sbp');
    expect(shown(sandbox, id)).not.toHaveProperty('sbp_operation_id');
    sandbox.payments.pay(id, { outcome: 'succeed' });
    expect(shown(sandbox, id)).toMatchObject({
      type: 'sbp',
      sbp_operation_id: expect.stringMatching(/^[\dA-F]{32}$/),
      payer_bank_details: {
        bank_id: expect.stringMatching(/^\d{12}$/),
        bic: expect.stringMatching(/^\d{9}$/),
      },
    });
    expect(sandbox.payments.get(id)).not.toHaveProperty('authorization_details');
    const refund = await send(sandbox, 'refunds', { payment_id: id, amount: roubles('1.00') });
    expect(refund.body).toMatchObject({
      refund_method: { type: 'sbp', sbp_operation_id: expect.stringMatching(/^[\dA-F]{32}$/) },
    });
    expect(refund.body).not.toHaveProperty('refund_authorization_details');
  });

  it.each(['sberbank', 'tinkoff_bank', 'alfa_pay'])('shows the card of %s in short', async (type) => {
    const sandbox = await store();
    const id = await paid(sandbox, type);
    expect(shown(sandbox, id)?.card).toEqual({
      first6: expect.any(String),
      last4: expect.any(String),
      expiry_month: expect.any(String),
      expiry_year: expect.any(String),
      card_type: expect.any(String),
    });
    expect(sandbox.payments.get(id).authorization_details).toBeDefined();
  });

  it('names the wallet', async () => {
    const sandbox = await store();
    expect(shown(sandbox, await paid(sandbox, 'yoo_money'))).toMatchObject({
      account_number: expect.stringMatching(/^\d{11,33}$/),
    });
  });

  it('shows what a company pays for, the rate as a text, and then the company', async () => {
    const sandbox = await store();
    const vat = { type: 'calculated', rate: 22, amount: roubles('901.64') };
    const { body } = await create(sandbox, 'b2b_sberbank', {}, { vat_data: vat });
    const id = String(body['id']);
    expect(shown(sandbox, id)).toMatchObject({
      payment_purpose: 'Invoice 7',
      vat_data: { type: 'calculated', rate: '22', amount: roubles('901.64') },
    });
    sandbox.payments.pay(id, { outcome: 'succeed' });
    expect(shown(sandbox, id)).toMatchObject({
      payment_purpose: 'Invoice 7',
      payer_bank_details: { inn: expect.stringMatching(/^\d{10}$/), bank_bik: expect.any(String) },
    });
  });

  it.each(['b2b_sberbank', 'cash'])('by %s is not refundable, though it has succeeded', async (type) => {
    const sandbox = await store();
    const id = await paid(sandbox, type);
    expect(sandbox.payments.get(id)).toMatchObject({ status: 'succeeded', refundable: false });
  });

  it('shows the basket of a certificate, and the card, that the shop took itself', async () => {
    const sandbox = await store();
    const basket = { amount: roubles('4000.00'), basket_id: '1'.repeat(24) };
    const card = { number: '2202474301322987', expiry_year: '2099', expiry_month: '12' };
    const own = { electronic_certificate: basket, card };
    const { body } = await create(sandbox, 'electronic_certificate', {}, own);
    const id = String(body['id']);
    expect(body['confirmation']).toMatchObject({ confirmation_url: `${sandbox.url}/checkout/${id}/3ds` });
    const method = {
      type: 'electronic_certificate',
      electronic_certificate: basket,
      card: { last4: '2987' },
    };
    expect(body['payment_method']).toMatchObject(method);
    sandbox.payments.pay(id, { outcome: 'succeed' });
    expect(shown(sandbox, id)).toMatchObject(method);
    expect(shown(sandbox, id)).not.toHaveProperty('articles');
  });

  it('shows the articles that a certificate has paid for, with what it paid for each', async () => {
    const sandbox = await store();
    const id = await paid(sandbox, 'electronic_certificate', {}, { articles: [cane, bandage] });
    expect(shown(sandbox, id)).toMatchObject({
      electronic_certificate: { amount: roubles('4600.00'), basket_id: expect.stringMatching(/^\d{24}$/) },
    });
    const paidFor = (quantity: number, price: string) => [
      {
        certificate_id: expect.stringMatching(/^\d{20,30}$/),
        tru_quantity: quantity,
        available_compensation: roubles(price),
        applied_compensation: roubles(price),
      },
    ];
    expect(shown(sandbox, id)?.['articles']).toEqual([
      { article_number: 1, tru_code: cane.tru_code, certificates: paidFor(1, '4000.00') },
      {
        article_number: 2,
        tru_code: bandage.tru_code,
        article_code: 'b-2',
        certificates: paidFor(2, '300.00'),
      },
    ]);
  });

  it('has nothing of the articles before a certificate has paid', async () => {
    const { body } = await create(await store(), 'electronic_certificate', {}, { articles: [cane] });
    expect(body['payment_method']).not.toHaveProperty('articles');
    expect(body['payment_method']).not.toHaveProperty('electronic_certificate');
  });

  it('gives articles of a certificate back, each once', async () => {
    const sandbox = await store();
    const id = await paid(sandbox, 'electronic_certificate', {}, { articles: [cane, bandage] });
    const article = { article_number: 1, payment_article_number: 2, tru_code: bandage.tru_code, quantity: 1 };
    const refund = async (more: Json) => {
      const articles = [{ ...article, ...more }];
      const returned = { type: 'electronic_certificate', articles };
      const { body } = await send(sandbox, 'refunds', {
        payment_id: id,
        amount: roubles('10.00'),
        refund_method_data: returned,
      });
      return body['status'] === 'succeeded' ? body['refund_method'] : body['cancellation_details'];
    };
    const reason = (name: string) => expect.objectContaining({ reason: name });
    expect(await refund({})).toEqual({ type: 'electronic_certificate', articles: [article] });
    expect(await refund({ quantity: 2 })).toEqual(reason('some_articles_already_refunded'));
    expect(await refund({ quantity: 3 })).toEqual(reason('too_many_refunding_articles'));
    expect(await refund({ payment_article_number: 3 })).toEqual(reason('payment_article_number_not_found'));
    expect(await refund({ tru_code: cane.tru_code })).toEqual(reason('payment_tru_code_not_found'));
    expect(await refund({})).toMatchObject({ articles: [article] });
    expect(sandbox.payments.get(id).refunded_amount).toEqual(roubles('20.00'));
  });

  it.each<[string, Json, string]>([
    ['another type', { type: 'sbp' }, 'type'],
    [
      'a basket without its id',
      { electronic_certificate: { amount: roubles('1.00') } },
      'electronic_certificate.basket_id',
    ],
    [
      'more than is given back',
      { electronic_certificate: { amount: roubles('10.01'), basket_id: '1'.repeat(24) } },
      'electronic_certificate.amount.value',
    ],
    [
      'an article without its number in the payment',
      { articles: [{ article_number: 1 }] },
      'articles[0].payment_article_number',
    ],
  ])('is refused a refund of a certificate with %s', async (_what, more, parameter) => {
    const sandbox = await store();
    const id = await paid(sandbox, 'electronic_certificate');
    const returned = { type: 'electronic_certificate', ...more };
    const refund = { payment_id: id, amount: roubles('10.00'), refund_method_data: returned };
    expect(await send(sandbox, 'refunds', refund)).toMatchObject(refusal(`refund_method_data.${parameter}`));
  });

  it('is refused a certificate back where none was used', async () => {
    const sandbox = await store();
    const id = await paid(sandbox, 'bank_card');
    const returned = { type: 'electronic_certificate', articles: [] };
    const refund = { payment_id: id, amount: roubles('10.00'), refund_method_data: returned };
    expect(await send(sandbox, 'refunds', refund)).toMatchObject(refusal('refund_method_data'));
  });

  it('shows what of a certificate was given back', async () => {
    const sandbox = await store();
    const id = await paid(sandbox, 'electronic_certificate');
    const back = { amount: roubles('10.00'), basket_id: '2'.repeat(24) };
    const { body } = await send(sandbox, 'refunds', {
      payment_id: id,
      amount: roubles('10.00'),
      refund_method_data: { type: 'electronic_certificate', electronic_certificate: back },
    });
    expect(body['refund_method']).toEqual({ type: 'electronic_certificate', electronic_certificate: back });
  });

  it('has no phone of cash', async () => {
    const { body } = await create(await store(), 'cash', {}, { phone });
    expect(JSON.stringify(body)).not.toContain(phone);
  });
});

describe('a credit of SberBank', () => {
  it('names what was granted, and its discount lowers the amount', async () => {
    const sandbox = await store();
    const id = await created(sandbox, 'sber_loan', { capture: false });
    sandbox.payments.pay(id, { outcome: 'succeed', loan: 'installments_6', discount: '150.00' });
    expect(sandbox.payments.get(id)).toMatchObject({
      status: 'waiting_for_capture',
      amount: roubles('4850.00'),
      payment_method: { loan_option: 'installments_6', discount_amount: roubles('150.00') },
    });
    expect(sandbox.ledger.totals(id).charged).toBe('4850.00');
    expect((await send(sandbox, `payments/${id}/capture`, {})).body).toMatchObject({
      status: 'succeeded',
      amount: roubles('4850.00'),
    });
  });

  it('lowers each line of the receipt too, to the kopeck', async () => {
    const receipts = { scenario: 'with_payment', provider: 'atol' } as const;
    const sandbox = await started({ ...realShop, profile: 'yookassa', receipts });
    const item = (value: string, quantity: number) => ({
      description: 'Tea',
      amount: roubles(value),
      quantity,
      vat_code: 11,
    });
    const receipt = { customer: { phone }, items: [item('999.99', 3), item('2000.03', 1)] };
    const id = await created(sandbox, 'sber_loan', { receipt });
    sandbox.payments.pay(id, { outcome: 'succeed', loan: 'installments_3', discount: '333.34' });
    const [sent] = sandbox.receipts.list();
    expect(sent?.settlements).toEqual([{ type: 'cashless', amount: roubles('4666.66') }]);
    const { body } = await get(sandbox, `/v3/receipts?payment_id=${id}`, credentials);
    const lines = JSON.stringify(body['items']).matchAll(
      /"amount":\{"value":"([\d.]+)"[^{]*"quantity":(\d+)/g,
    );
    const total = [...lines].reduce(
      (sum, [, value, count]) => sum + Math.round(Number(value) * 100) * Number(count),
      0,
    );
    expect(total).toBe(466_666);
  });

  it('above 50,000 roubles may wait until its buyer has had time to think it over', async () => {
    const sandbox = await store();
    const id = await created(sandbox, 'sber_loan', { amount: roubles('60000.00') });
    sandbox.payments.pay(id, { outcome: 'suspend' });
    const { status, confirmation, payment_method: method } = sandbox.payments.get(id);
    expect([status, confirmation]).toEqual(['pending', undefined]);
    const until = Date.parse(String(method?.['suspended_until']));
    await sandbox.clock.advance(until - sandbox.clock.now().getTime() - 1_000);
    expect(sandbox.payments.get(id).status).toBe('pending');
    expect(() => sandbox.payments.pay(id, { outcome: 'succeed' })).toThrow('has its credit');
    await sandbox.clock.advance(2_000);
    expect(sandbox.payments.get(id).status).toBe('succeeded');
    expect(sandbox.payments.get(id).payment_method).not.toHaveProperty('suspended_until');
  });

  it('is all that has a loan, a discount or a time to think', async () => {
    const sandbox = await store();
    const id = await created(sandbox, 'sbp');
    expect(() => sandbox.payments.pay(id, { outcome: 'suspend' })).toThrow('Only sber_loan');
    expect(() => sandbox.payments.pay(id, { outcome: 'succeed', discount: '1.00' })).toThrow(
      'installments only',
    );
  });
});

describe('the confirmation', () => {
  const confirmed = async (type: string | null, confirmation: Json): Promise<Json> => {
    const sandbox = await store();
    const body = order({
      amount: roubles('5000.00'),
      capture: true,
      confirmation,
      ...(type !== null && { payment_method_data: { type } }),
    });
    const reply = await send(sandbox, 'payments', body);
    const id = String(reply.body['id']);
    const text = JSON.stringify(reply.body['confirmation'] ?? reply.body);
    const { confirmation: shown = {} }: { confirmation?: Json } = JSON.parse(
      `{"confirmation":${text.replaceAll(`${sandbox.url}/checkout/${id}`, 'PAGE')}}`,
    );
    sandbox.payments.pay(id, { outcome: 'succeed' });
    expect(sandbox.payments.get(id)).not.toHaveProperty('confirmation');
    return shown;
  };

  it.each<[string, string | null, Json, Json]>([
    [
      'a token for the widget',
      null,
      { type: 'embedded' },
      { confirmation_token: expect.stringMatching(/^ct-/) },
    ],
    ['the text of a code', 'sbp', { type: 'qr' }, { confirmation_data: 'PAGE/sbp-bank' }],
    [
      'the address of an application',
      'sberbank',
      { type: 'mobile_application', return_url: 'shop://orders/7' },
      { return_url: 'shop://orders/7', confirmation_url: 'PAGE/bank-app' },
    ],
    ['the address of a page', null, redirect, { return_url: redirect.return_url, confirmation_url: 'PAGE' }],
  ])('has %s', async (_what, type, confirmation, shown) => {
    expect(await confirmed(type, { ...confirmation, locale: 'en_US' })).toEqual({
      type: confirmation['type'],
      ...shown,
    });
  });

  it.each<[string, string, Json, string]>([
    ['another language', 'sbp', { ...redirect, locale: 'ru_ru' }, 'confirmation.locale'],
    [
      'a long way back into an app',
      'sberbank',
      { type: 'mobile_application', return_url: `shop://${'a'.repeat(249)}` },
      'confirmation.return_url',
    ],
    ['no way back into an app', 'sberbank', { type: 'mobile_application' }, 'confirmation.return_url'],
  ])('is refused with %s', async (_what, type, confirmation, parameter) => {
    expect(await create(await store(), type, { confirmation })).toMatchObject(refusal(parameter));
  });
});

describe('saving by choice', () => {
  it('is up to the buyer by card where the request does not say', async () => {
    const sandbox = await store();
    const saved = async (more: Json, save: boolean) => {
      const id = await created(sandbox, 'bank_card', more);
      return sandbox.payments.pay(id, { outcome: 'succeed', save }).payment_method?.saved;
    };
    expect(await saved({}, true)).toBe(true);
    expect(await saved({}, false)).toBe(false);
    expect(await saved({ save_payment_method: false }, true)).toBe(false);
  });

  it('is not offered for SBP', async () => {
    const sandbox = await store();
    const id = await created(sandbox, 'sbp');
    expect(sandbox.payments.pay(id, { outcome: 'succeed', save: true }).payment_method?.saved).toBe(false);
  });

  it('is refused to a store that cannot charge again', async () => {
    const sandbox = await started({ ...realShop, profile: 'yookassa', recurring: false });
    expect(await create(sandbox, 'bank_card', { save_payment_method: true })).toMatchObject({
      status: 403,
      body: {
        code: 'forbidden',
        description: expect.stringMatching(/^This store can't make recurring payments/),
      },
    });
  });
});

describe('a demo store, and the documented profile,', () => {
  it.each(['sbp', 'cash', 'sber_loan'])('do not have %s', async (type) => {
    const demo = await started({ profile: 'yookassa' });
    const plain = await started(realShop);
    const body = order({ payment_method_data: { type } });
    expect(await post(demo, '/v3/payments', 'k', body)).toMatchObject(refusal('payment_method_data.type'));
    expect(await post(plain, '/v3/payments', 'k', body, credentials)).toMatchObject(
      refusal('payment_method_data.type'),
    );
  });
});
