import {
  documentedProfile,
  formatAmount,
  PaymentRejectedError,
  PaymentsError,
  PaymentsOperator,
  yookassaProfile,
  type BindInput,
  type ConfirmationInput,
  type ConfirmationType,
  type CreatePaymentInput,
  type MethodName,
  type MethodRules,
  type Payment,
} from '@holdfast/payments';
import type { BuyerAction } from '@holdfast/sandbox';
import { confirmationTypes, yookassaMethods } from '../../libs/payments/src/api/method-rules.js';
import { methodToWire } from '../../libs/payments/src/api/wire-names.js';
import { isRecord } from '../../libs/payments/src/common/is-record.js';
import { parseBindInput } from '../../libs/payments/src/payment/inputs/bind.input.js';
import { testAccount } from '../support/account.js';
import { moneyRequests } from '../support/money-requests.js';
import {
  openBench,
  orderInput,
  paymentBecomes,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const returnUrl = 'https://shop.example/return';
const phone = '79001234567';
const rub = (value: string) => ({ value, currency: 'RUB' as const });
/** No demo store: those have cards and wallets alone. */
const account = { ...testAccount, shopId: '4711' };

let bench: Bench;
let host: PaymentsHost;
beforeAll(async () => {
  bench = await openBench(account, { profile: 'yookassa' });
  host = await bench.startHost({ profile: yookassaProfile });
});
afterAll(() => bench.close());

type Input = Partial<CreatePaymentInput>;
type Rules = MethodRules & { readonly method: MethodName };

/** The library's own table: the sandbox has another one, from the same facts. */
const isMethod = (name: string): name is MethodName => Object.hasOwn(yookassaMethods, name);
const table: Rules[] = Object.keys(yookassaMethods)
  .filter(isMethod)
  .map((method) => ({ method, ...yookassaProfile.methods[method] }));
const ruleOf = (method: MethodName): Rules => ({ method, ...yookassaProfile.methods[method] });

const cane = {
  number: 1,
  truCode: `${'1'.repeat(20)}.${'2'.repeat(9)}`,
  name: 'Cane',
  quantity: 1,
  price: rub('1.00'),
};

/** What a method needs besides its name. */
const needs = ({ method, confirmations: [type] }: Rules): Input => ({
  method,
  ...(method === 'b2b_sberbank' && {
    methodData: { paymentPurpose: 'Tea', vatData: { type: 'untaxed' } },
  }),
  ...(method === 'mobile_balance' && { methodData: { phone } }),
  ...(method === 'electronic_certificate' && { methodData: { articles: [cane] } }),
  confirmation: type === 'redirect' ? { type, returnUrl } : { type: 'external' },
});

/** Of 5000.00 roubles, which every method takes. */
const inputOf = (input: Input): CreatePaymentInput => {
  const { order } = orderInput();
  return { order, amount: rub('5000.00'), ...input };
};
const create = (input: Input): Promise<Payment> => host.payments.create(inputOf(input));
const by = (rules: Rules, input: Input = {}): Promise<Payment> => create({ ...needs(rules), ...input });

const pay = ({ serviceId }: Payment, action: Partial<BuyerAction> = {}) =>
  bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed', ...action });

async function paid(rules: Rules, input: Input = {}): Promise<Payment> {
  const payment = await by(rules, input);
  pay(payment);
  return paymentBecomes(host, payment.id, input.capture === false ? 'waiting_for_capture' : 'succeeded');
}

const advance = (ms: number) => bench.sandbox.clock.advance(ms);
const businessTime = () => Date.now() + bench.sandbox.clock.offsetMs();

/** A call that is refused before anything is sent. */
async function refused(call: () => Promise<unknown>): Promise<unknown> {
  const before = moneyRequests(bench);
  const error = await call().catch((thrown: unknown) => thrown);
  expect([error, moneyRequests(bench)]).toEqual([expect.any(PaymentsError), before]);
  return error;
}

/** What the service itself says of a create that the library refuses. */
function answered(rules: Rules, fields: object): Promise<unknown> {
  const { method, confirmations } = rules;
  const { methodData } = needs(rules);
  return posted('payments', {
    amount: rub('5000.00'),
    capture: true,
    confirmation: { type: confirmations[0], return_url: returnUrl },
    payment_method_data: {
      type: methodToWire(yookassaProfile, method),
      phone: methodData?.phone,
      ...(method === 'b2b_sberbank' && { payment_purpose: 'Tea', vat_data: { type: 'untaxed' } }),
    },
    ...fields,
  });
}

/** The status of the service's answer, and the parameter that it refuses. */
async function posted(path: string, fields: object): Promise<unknown> {
  const answer = await fetch(`${bench.sandbox.url}/v3/${path}`, {
    method: 'POST',
    headers: {
      Authorization: `Basic ${Buffer.from(`${account.shopId}:${account.secretKey}`).toString('base64')}`,
      'Idempotence-Key': crypto.randomUUID(),
      'Content-Type': 'application/json',
    },
    body: JSON.stringify(fields),
  });
  const body: unknown = await answer.json();
  return [answer.status, isRecord(body) ? body['parameter'] : null];
}

const holdable = table.flatMap(({ hold, ...rules }) => (hold ? { ...rules, hold } : []));
const partlyCaptured = holdable.filter(({ hold }) => hold.partMinMinor !== null);
const refundable = table.flatMap(({ refundWindowMs, ...rules }) =>
  refundWindowMs === null ? [] : { ...rules, refundWindowMs },
);
const saved = table.filter(({ saving }) => saving !== 'none');
const cells = (has: boolean) =>
  table.flatMap((rules) =>
    confirmationTypes
      .filter((type) => rules.confirmations.includes(type) === has)
      .map((type) => ({ ...rules, type })),
  );

describe('a payment by', () => {
  it.each(table)('$title is within its limits', async ({ minMinor, maxMinor, ...rest }) => {
    const rules = { minMinor, maxMinor, ...rest };
    for (const minor of [minMinor, maxMinor])
      expect(await by(rules, { amount: formatAmount(minor) })).toMatchObject({ status: 'pending' });
    for (const minor of [minMinor - 1, maxMinor + 1]) {
      const amount = formatAmount(minor);
      expect(await refused(() => by(rules, { amount }))).toMatchObject({ field: 'amount.value' });
      expect(await answered(rules, { amount })).toEqual([400, 'amount.value']);
    }
  });

  it.each(table.filter(({ termMs }) => termMs(500_000) !== null))(
    '$title is made within its term, and found canceled soon after it',
    async (rules) => {
      const payment = await by(rules);
      await advance((rules.termMs(500_000) ?? 0) - MINUTE_MS);
      expect(await host.payments.refresh(payment.id)).toMatchObject({ status: 'pending' });
      bench.sandbox.faults.order({ on: 'notification', fault: 'drop' });
      await advance(MINUTE_MS + 15_000);
      expect(await paymentBecomes(host, payment.id, 'canceled')).toMatchObject({
        cancellation: { reason: 'expired_on_confirmation' },
      });
      bench.sandbox.faults.clear();
    },
  );

  it.each(table.filter(({ termMs }) => termMs(500_000) === null))(
    '$title is made at any time',
    async (rules) => {
      const payment = await by(rules);
      await advance(400 * DAY_MS);
      expect(await host.payments.refresh(payment.id)).toMatchObject({ status: 'pending' });
    },
  );

  it.each(holdable)('$title is held for its time', async (rules) => {
    const { holdExpiresAt, holdDueAt } = await paid(rules, { capture: false });
    const { lengthMs } = rules.hold;
    expect(Math.abs(Number(holdExpiresAt) - businessTime() - lengthMs)).toBeLessThan(MINUTE_MS);
    const leadMs = Math.min(DAY_MS, lengthMs / 4);
    expect(Math.abs(Number(holdExpiresAt) - Number(holdDueAt) - leadMs)).toBeLessThan(MINUTE_MS);
  });

  it.each(table.filter(({ hold }) => hold === null))('$title is never held', async (rules) => {
    expect(await refused(() => by(rules, { capture: false }))).toMatchObject({
      field: 'capture',
      rule: `${rules.title} has no hold: pass capture: true`,
    });
    expect(await answered(rules, { capture: false })).toEqual([400, 'capture']);
  });

  it.each(partlyCaptured)('$title is captured in part', async (rules) => {
    const { id } = await paid(rules, { capture: false });
    const amount = formatAmount(rules.hold.partMinMinor ?? 0);
    expect(await host.payments.capture(id, { amount })).toMatchObject({ capturedAmount: amount });
  });

  it.each(holdable.filter(({ hold }) => hold.partMinMinor !== 1))(
    '$title is not captured by less than its least part',
    async (rules) => {
      const { id, serviceId } = await paid(rules, { capture: false });
      const amount = formatAmount((rules.hold.partMinMinor ?? 500_000) - 1);
      expect(await refused(() => host.payments.capture(id, { amount }))).toMatchObject({ field: 'amount' });
      expect(await posted(`payments/${serviceId}/capture`, { amount })).toEqual([400, 'amount']);
      expect(await host.payments.capture(id)).toMatchObject({ capturedAmount: rub('5000.00') });
    },
  );

  it.each(refundable)('$title is refunded within its window', async (rules) => {
    const { refundWindowMs: windowMs } = rules;
    const { id, serviceId } = await paid(rules);
    const refund = (refundKey: string) => host.payments.refund(id, { refundKey, amount: rub('1.00') });
    // The service counts years by the calendar, and the library lets it decide on the days in between.
    await advance(windowMs - 4 * DAY_MS);
    expect(await refund('a')).toMatchObject({ status: 'succeeded' });
    await advance(5 * DAY_MS);
    expect(await refused(() => refund('b'))).toMatchObject({ code: 'refund_window_closed', windowMs });
    const body = { payment_id: serviceId, amount: rub('1.00') };
    expect(await posted('refunds', body)).toEqual([400, 'payment_id']);
  });

  it.each(table.filter(({ refundWindowMs }) => refundWindowMs === null))(
    '$title is never refunded',
    async (rules) => {
      const { id, serviceId } = await paid(rules);
      expect(await refused(() => host.payments.refund(id, { refundKey: 'a' }))).toMatchObject({
        code: 'payment_not_refundable',
        method: rules.title,
      });
      const body = { payment_id: serviceId, amount: rub('1.00') };
      expect(await posted('refunds', body)).toEqual([400, 'payment_id']);
    },
  );

  it.each(saved)('$title is saved, and charged again', async (rules) => {
    const { paymentMethod } = await paid(rules, { savePaymentMethod: true });
    expect(paymentMethod).toMatchObject({ type: rules.method, saved: true });
    const paymentMethodId = paymentMethod?.id ?? '';
    expect(await create({ paymentMethodId })).toMatchObject({ status: 'succeeded' });
  });

  it.each(table.filter(({ saving }) => saving === 'none'))('$title is never saved', async (rules) => {
    expect(await refused(() => by(rules, { savePaymentMethod: true }))).toMatchObject({
      field: 'savePaymentMethod',
    });
    expect(await answered(rules, { save_payment_method: true })).toEqual([400, 'save_payment_method']);
  });

  it.each(saved.filter(({ hold }) => hold?.partIfSaved === false))(
    '$title that was saved is captured as a whole',
    async (rules) => {
      const { paymentMethod } = await paid(rules, { savePaymentMethod: true });
      const { id } = await create({ paymentMethodId: paymentMethod?.id ?? '', capture: false });
      expect(await refused(() => host.payments.capture(id, { amount: rub('1.00') }))).toMatchObject({
        field: 'amount',
      });
    },
  );

  it.each(cells(true))('$title is confirmed by $type', async ({ type, ...rules }) => {
    const input = { confirmation: confirmationBy(type), ...(type === 'external' && withPhone) };
    expect(await by(rules, input)).toMatchObject({ status: 'pending', confirmation: { type } });
  });

  it.each(cells(false))('$title is not confirmed by $type', async ({ type, ...rules }) => {
    const call = () => by(rules, { confirmation: confirmationBy(type) });
    expect(await refused(call)).toMatchObject({ field: 'confirmation' });
    const confirmation = { type, return_url: returnUrl };
    expect(await answered(rules, { confirmation })).toEqual([400, 'confirmation.type']);
  });
});

const withPhone = { methodData: { phone } };

function confirmationBy(type: ConfirmationType): ConfirmationInput {
  return type === 'redirect' || type === 'mobile_application' ? { type, returnUrl } : { type };
}

describe('a store without the right to charge again', () => {
  it.each(['to save', 'to charge'])(
    'is named by the error, whose message says what to do: %s',
    async (what) => {
      const { paymentMethod } = await paid(ruleOf('bank_card'), { savePaymentMethod: true });
      bench.sandbox.stores.change(account.shopId, { recurring: false });
      const input =
        what === 'to save'
          ? { ...needs(ruleOf('bank_card')), savePaymentMethod: true }
          : { paymentMethodId: paymentMethod?.id ?? '' };
      const error: unknown = await create(input).catch((thrown: unknown) => thrown);
      bench.sandbox.stores.change(account.shopId, { recurring: true });
      expect(error).toBeInstanceOf(PaymentRejectedError);
      expect(error).toMatchObject({
        code: 'recurring_not_allowed',
        message: expect.stringMatching(/may not make recurring payments.*enabled by the service's manager/),
        cause: { code: 'service_recurring_not_allowed' },
      });
    },
  );
});

describe('a method that the buyer chose on the page', () => {
  it('decides on captures and refunds', async () => {
    const payment = await create({ returnUrl, capture: false });
    pay(payment, { method: 'cash' });
    const held = await paymentBecomes(host, payment.id, 'waiting_for_capture');
    expect(held).toMatchObject({ method: null, paymentMethod: { type: 'cash' } });
    const part = () => host.payments.capture(held.id, { amount: rub('4999.99') });
    expect(await refused(part)).toMatchObject({
      field: 'amount',
      rule: 'must be left out: a hold by cash is captured as a whole',
    });
    await host.payments.capture(held.id);
    expect(await refused(() => host.payments.refund(held.id, { refundKey: 'a' }))).toMatchObject({
      code: 'payment_not_refundable',
    });
  });

  it('is shown with what the service says of it, the phone masked', async () => {
    const sbp = await paid(ruleOf('sbp'));
    expect(sbp.paymentMethod).toMatchObject({
      type: 'sbp',
      sbp: { operationId: expect.any(String), bankId: expect.any(String) },
    });
    const push = await create({
      method: 'bank_app_pay',
      methodData: { phone },
      confirmation: { type: 'external' },
    });
    pay(push);
    const { paymentMethod } = await paymentBecomes(host, push.id, 'succeeded');
    expect(paymentMethod).toMatchObject({ type: 'bank_app_pay', phone: '*******4567' });
    const [row] = await bench.asOwner<{ all: string }>(
      'SELECT object::text AS all FROM payments_payments WHERE id = $1',
      [push.id],
    );
    expect(row?.all).not.toContain(phone);
  });
});

describe('a credit whose discount lowers the amount', () => {
  const credit = { method: 'sber_loan', returnUrl } as const;
  const lowered = { loan: 'installments_6', discount: '150.00' };

  it('pays the order, and is refunded by what the buyer paid', async () => {
    const payment = await create(credit);
    pay(payment, lowered);
    const paidOff = await paymentBecomes(host, payment.id, 'succeeded');
    expect(paidOff).toMatchObject({
      amount: rub('5000.00'),
      capturedAmount: rub('4850.00'),
      discount: rub('150.00'),
      paymentMethod: { loan: { option: 'installments_6', suspendedUntil: null } },
    });
    expect(await host.payments.getOrder(payment.orderReference)).toMatchObject({
      state: 'paid',
      totalDue: rub('5000.00'),
      paid: rub('4850.00'),
    });
    const more = { refundKey: 'a', amount: rub('4850.01') };
    expect(await refused(() => host.payments.refund(payment.id, more))).toMatchObject({
      code: 'refund_amount_exceeded',
    });
    expect(await host.payments.refund(payment.id, { refundKey: 'b' })).toMatchObject({
      status: 'succeeded',
      amount: rub('4850.00'),
    });
    expect(await host.payments.getOrder(payment.orderReference)).toMatchObject({ state: 'refunded' });
  });

  it('is held, captured and audited by the lower amount', async () => {
    const from = new Date(businessTime());
    const payment = await create({ ...credit, capture: false });
    pay(payment, lowered);
    const held = await paymentBecomes(host, payment.id, 'waiting_for_capture');
    expect(await host.payments.getOrder(held.orderReference)).toMatchObject({
      state: 'authorized',
      held: rub('4850.00'),
    });
    const to = new Date(businessTime() + 1_000);
    for await (const { differences } of host.app.get(PaymentsOperator).audit({ from, to }))
      expect(differences).toEqual([]);
    expect(await host.payments.capture(held.id)).toMatchObject({ capturedAmount: rub('4850.00') });
  });

  it('is pending while the law gives the buyer time to think it over', async () => {
    const payment = await create({ ...credit, amount: rub('60000.00') });
    pay(payment, { outcome: 'suspend' });
    const { status, paymentMethod } = await host.payments.refresh(payment.id);
    expect([status, paymentMethod?.loan?.suspendedUntil]).toEqual(['pending', expect.any(Date)]);
  });
});

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

describe('a method that is saved without a payment', () => {
  const bySbp = { type: 'sbp', confirmation: { type: 'qr' } } as const;
  const byCard = { type: 'bank_card', confirmation: { type: 'redirect', returnUrl } } as const;
  const bound = () => bench.sandbox.ledger.requestCount({ endpoint: 'bind' });

  it.each([
    ['an SBP account by a code', bySbp, { type: 'qr', data: expect.stringContaining('http') }],
    ['a card on a page', byCard, { type: 'redirect', url: expect.stringContaining('http') }],
  ])('is %s, and is charged once its buyer has confirmed', async (bindKey, input, confirmation) => {
    const method = await host.payments.methods.bind({ bindKey, ...input });
    expect(method).toMatchObject({ status: 'pending', saved: false, type: input.type, confirmation });
    bench.sandbox.paymentMethods.confirm(method.id, { outcome: 'succeed' });
    expect(await host.payments.methods.get(method.id)).toMatchObject({
      id: method.id,
      status: 'active',
      saved: true,
      confirmation: null,
    });
    expect(await create({ paymentMethodId: method.id })).toMatchObject({ status: 'succeeded' });
  });

  it('is the same one with the same key, also if its answer was lost', async () => {
    bench.sandbox.faults.order({ on: 'bind', fault: 'error_500_after_commit', times: 100 });
    const lost = await host.payments.methods
      .bind({ bindKey: 'b', ...bySbp })
      .catch((error: unknown) => error);
    expect(lost).toMatchObject({ code: 'service_failure', outcome: 'unknown' });
    bench.sandbox.faults.clear();
    const first = await host.payments.methods.bind({ bindKey: 'b', ...bySbp });
    expect(await host.payments.methods.bind({ bindKey: 'b', ...bySbp })).toEqual(first);
    expect((await host.payments.methods.bind({ bindKey: 'c', ...bySbp })).id).not.toBe(first.id);
    expect(bench.sandbox.paymentMethods.list().filter(({ status }) => status === 'pending')).toHaveLength(2);
    await expect(host.payments.methods.bind({ bindKey: 'b', ...byCard })).rejects.toMatchObject({
      code: 'service_key_reused',
    });
  });

  it.each<[string, object, string]>([
    ['a card by a code', { type: 'bank_card', confirmation: { type: 'qr' } }, 'confirmation.type'],
    ['cash', { type: 'cash', confirmation: { type: 'redirect', returnUrl } }, 'type'],
    ['one without a key', { ...bySbp, bindKey: '' }, 'bindKey'],
    ['one that nobody confirms', { confirmation: undefined }, 'confirmation'],
  ])('is not %s', async (_name, fields, field) => {
    const before = bound();
    // What a JavaScript caller may pass, whatever the types say.
    const input: BindInput = Object.assign({ bindKey: 'd', ...bySbp }, fields);
    await expect(host.payments.methods.bind(input)).rejects.toMatchObject({ code: 'payment_input', field });
    expect(bound()).toBe(before);
  });

  it('needs the right to charge again', async () => {
    bench.sandbox.stores.change(account.shopId, { recurring: false });
    const error: unknown = await host.payments.methods
      .bind({ bindKey: 'e', ...bySbp })
      .catch((thrown: unknown) => thrown);
    bench.sandbox.stores.change(account.shopId, { recurring: true });
    expect(error).toMatchObject({ code: 'service_recurring_not_allowed' });
  });

  it('is no part of the documented service', () => {
    expect(() => parseBindInput({ bindKey: 'f', ...bySbp }, documentedProfile)).toThrow(
      'type: saving sbp without a payment is not part of the documented service; the yookassa profile has it',
    );
  });
});
