import {
  PaymentInputError,
  PaymentOutcomeUnknownError,
  PaymentRejectedError,
  PaymentsOperator,
} from '@holdfast/payments';
import { CardPaymentsService, type CreateCardPaymentInput } from '@holdfast/payments/card-data';
import { PaymentsApi, type CardRequest, type CreatePaymentRequest } from '@holdfast/payments/client';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { inspect } from 'node:util';
import { canaries, canariesIn } from '../support/canaries.js';
import { eventually } from '../support/eventually.js';
import {
  hasty,
  openBench,
  orderInput,
  paymentBecomes,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';

const card: CardRequest = {
  number: canaries.cardNumber,
  expiry_month: '07',
  expiry_year: '2099',
  csc: canaries.csc,
  cardholder: 'CANARY HOLDER',
};
const walletToken = canaries.cryptogram;

const byCard = (
  reference?: string,
  fields: Partial<CreateCardPaymentInput> = {},
): CreateCardPaymentInput => ({
  ...orderInput(reference),
  card,
  ...fields,
});
const byToken = (
  reference?: string,
  fields: Partial<CreateCardPaymentInput> = {},
): CreateCardPaymentInput => {
  const { order, amount } = orderInput(reference);
  return { order, amount, walletToken, ...fields };
};

const cards = ({ app }: PaymentsHost): CardPaymentsService => app.get(CardPaymentsService);
/** The error of the create. */
const failure = (create: Promise<unknown>): Promise<unknown> =>
  create.then(
    (payment) => Promise.reject(new Error(`The create went through: ${inspect(payment)}`)),
    (error: unknown) => error,
  );

describe('card data entered on the merchant’s side', () => {
  let bench: Bench;
  let host: PaymentsHost;
  // A demo store accepts only bank cards and the e-wallet.
  beforeAll(async () => {
    bench = await openBench({ shopId: '100500', secretKey: canaries.secretKey });
    host = await bench.startHost({ cardData: true });
  });
  afterEach(() => bench.sandbox.faults.clear());
  afterAll(() => bench.close());

  const creates = () => bench.sandbox.ledger.requestCount({ endpoint: 'create' });
  const anomalies = async (paymentId: string) =>
    (await host.payments.timeline(paymentId)).filter(({ name }) => name === 'payment.anomaly');
  const only = async (reference: string) => {
    const [payment, ...more] = await host.payments.findByOrder(reference);
    if (!payment || more.length > 0) throw new Error(`Order ${reference} has ${more.length} more payments.`);
    return payment;
  };

  it('is accepted only if it is enabled, with a warning about PCI DSS at start', async () => {
    const warnings: unknown[] = [];
    const logged = jest
      .spyOn(Logger.prototype, 'warn')
      .mockImplementation((message) => warnings.push(message));
    try {
      const plain = await bench.startHost({ sweeps: false });
      expect(() => plain.app.get(CardPaymentsService)).toThrow(/CardPaymentsService/);
      const api = plain.app.get(PaymentsApi);
      const request: CreatePaymentRequest = {
        amount: { value: '1.00', currency: 'RUB' },
        confirmation: { type: 'redirect', return_url: 'https://shop.example/' },
        payment_method_data: { type: 'bank_card', card },
      };
      await expect(api.createPayment(request)).rejects.toMatchObject({
        field: 'payment_method_data.card',
        rule: expect.stringContaining('cardData: true'),
      });
      const pciWarnings = () => warnings.filter((warning) => /PCI DSS/.test(String(warning)));
      expect(pciWarnings()).toEqual([]);
      const enabled = await bench.startHost({ sweeps: false, cardData: true });
      expect(await enabled.app.get(PaymentsApi).createPayment(request)).toMatchObject({
        amount: request.amount,
        payment_method: { card: { last4: card.number.slice(-4) } },
      });
      expect(pciWarnings()).toEqual([expect.stringMatching(/SAQ D/)]);
    } finally {
      logged.mockRestore();
      bench.sandbox.setNotifyUrl(`${host.url}/webhooks/payments`);
    }
  });

  it('makes a payment that waits on its 3-D Secure page, then succeeds', async () => {
    const payment = await cards(host).create(
      byCard('secure', { enforce3dSecure: true, savePaymentMethod: true }),
    );
    expect(payment).toMatchObject({
      status: 'pending',
      method: 'bank_card',
      confirmationUrl: expect.any(String),
    });
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    expect(await paymentBecomes(host, payment.id, 'succeeded')).toMatchObject({
      paymentMethod: {
        type: 'bank_card',
        saved: true,
        card: {
          first6: '220247',
          last4: '2987',
          expiryMonth: '07',
          expiryYear: '2099',
          cardType: 'Mir',
        },
      },
      authorization: { rrn: expect.any(String), threeDSecureApplied: true },
      refundable: true,
    });
  });

  it('as a cryptogram holds or takes the money at once, or is declined', async () => {
    expect(await cards(host).create(byToken('held', { capture: false }))).toMatchObject({
      status: 'waiting_for_capture',
      method: 'wallet_pay',
      confirmationUrl: null,
      paymentMethod: { type: 'wallet_pay' },
    });
    expect(await cards(host).create(byToken('taken'))).toMatchObject({ status: 'succeeded' });
    expect(
      await cards(host).create(byToken('declined', { walletToken: 'decline:insufficient_funds' })),
    ).toMatchObject({ status: 'canceled', cancellation: { reason: 'insufficient_funds' } });
    // The buyer uses another card: the declined payment is in nobody's way.
    expect(await cards(host).create(byToken('declined'))).toMatchObject({ status: 'succeeded' });
  });

  it.each<[string, CreateCardPaymentInput, string, RegExp]>([
    ['neither card nor cryptogram', orderInput(), 'card', /required, or walletToken/],
    ['both', { ...byCard(), walletToken }, 'walletToken', /left out beside card/],
    ['an empty cryptogram', byToken(undefined, { walletToken: '' }), 'walletToken', /cryptogram/],
    ['a way back for a cryptogram', { ...orderInput(), walletToken }, 'returnUrl', /nothing for the buyer/],
    [
      'no way back for a card',
      { order: { reference: 'no-way-back' }, amount: { value: '100.00', currency: 'RUB' }, card },
      'returnUrl',
      /required/,
    ],
    [
      'a wrong check digit',
      byCard(undefined, { card: { ...card, number: '2202474301322988' } }),
      'card.number',
      /check digit/,
    ],
    [
      'a card that is over',
      byCard(undefined, { card: { ...card, expiry_year: '2020' } }),
      'card.expiry_year',
      /not be over/,
    ],
    [
      'air tickets with a cryptogram',
      byToken(undefined, { airline: { ticket_number: '1' } }),
      'airline',
      /bank card/,
    ],
  ])('with %s is refused before any row or request', async (_name, input, field, rule) => {
    const before = creates();
    const error = await failure(cards(host).create(input));
    expect(error).toBeInstanceOf(PaymentInputError);
    expect(error).toMatchObject({ field, rule: expect.stringMatching(rule) });
    expect(await host.payments.findByOrder(input.order.reference)).toEqual([]);
    expect(creates()).toBe(before);
  });

  it('is sent again within its call, same key and same bytes: one payment', async () => {
    bench.sandbox.faults.order({ on: 'create', fault: 'reset_after_commit', times: 2 });
    const before = bench.sandbox.payments.list().length;
    const payment = await cards(host).create(byToken('again'));
    expect(payment.status).toBe('succeeded');
    expect(bench.sandbox.payments.list()).toHaveLength(before + 1);
    expect(bench.sandbox.ledger.totals(payment.serviceId ?? '')).toMatchObject({ charges: 1 });
  });

  it('sent twice at once makes one payment', async () => {
    bench.sandbox.faults.order({ on: 'create', fault: 'stall', ms: 300 });
    const before = creates();
    const [first, second] = await Promise.all([
      cards(host).create(byCard('twice')),
      cards(host).create(byCard('twice')),
    ]);
    expect(second?.id).toBe(first?.id);
    expect(creates()).toBe(before + 1);
  });

  it('turned away every time is refused, because nothing can send it later', async () => {
    bench.sandbox.faults.order({ on: 'create', fault: 'too_many_requests', times: 4 });
    expect(await failure(cards(host).create(byToken('busy')))).toBeInstanceOf(PaymentRejectedError);
    expect(await cards(host).create(byToken('busy'))).toMatchObject({ status: 'succeeded' });
  });

  it('of unknown outcome is found in the list at once, and never sent again', async () => {
    const caller = await bench.startHost({ ...hasty, sweeps: false, cardData: true });
    bench.sandbox.faults.order({ on: 'create', fault: 'error_500_after_commit', times: 100 });
    expect(await failure(cards(caller).create(byToken('found')))).toBeInstanceOf(PaymentOutcomeUnknownError);
    const { id } = await only('found');
    const sent = creates();
    bench.sandbox.faults.clear();
    expect(await paymentBecomes(host, id, 'succeeded')).toMatchObject({ id });
    expect(creates()).toBe(sent);
    expect(bench.sandbox.ledger.totals((await only('found')).serviceId ?? '')).toMatchObject({ charges: 1 });
  });

  it('of unknown outcome lets a second call for the order find the outcome, or report that it is unknown', async () => {
    // More failures in a row than the circuit would allow.
    const caller = await bench.startHost({ sweeps: false, cardData: true, circuit: false });
    bench.sandbox.faults.order({ on: 'create', fault: 'error_500_after_commit', times: 100 });
    bench.sandbox.faults.order({ on: 'list', fault: 'error_500_before_commit', times: 100 });
    expect(await failure(cards(caller).create(byToken('second')))).toBeInstanceOf(PaymentOutcomeUnknownError);
    const sent = creates();
    expect(await failure(cards(caller).create(byToken('second')))).toBeInstanceOf(PaymentOutcomeUnknownError);
    const cheaper = { amount: { value: '50.00', currency: 'RUB' as const }, replace: true };
    expect(await failure(cards(caller).create(byToken('second', cheaper)))).toBeInstanceOf(
      PaymentOutcomeUnknownError,
    );
    bench.sandbox.faults.clear();
    expect(await cards(caller).create(byToken('second'))).toMatchObject({ status: 'succeeded' });
    expect(creates()).toBe(sent);
    await caller.close();
  });

  it('never received is rejected after the quiet time, and the next call makes a new payment', async () => {
    bench.sandbox.faults.order({ on: 'create', fault: 'reset_before_commit', times: 100 });
    expect(await failure(cards(host).create(byToken('lost')))).toBeInstanceOf(PaymentOutcomeUnknownError);
    bench.sandbox.faults.clear();
    const { id } = await only('lost');
    const sent = creates();
    expect(await failure(cards(host).create(byToken('lost')))).toBeInstanceOf(PaymentOutcomeUnknownError);
    await bench.sandbox.clock.advance(6 * 60_000);
    await paymentBecomes(host, id, 'rejected');
    expect(creates()).toBe(sent);
    expect(await cards(host).create(byToken('lost'))).toMatchObject({ status: 'succeeded' });
    expect(creates()).toBe(sent + 1);
  });

  it.each([
    ['may not be read is left to the operator', 'forbidden', 1],
    ['cannot be read in an outage is no incident', 'error_500_before_commit', 0],
  ] as const)('whose list %s, and found once it can', async (_case, fault, incidents) => {
    const reference = `unlisted-${fault}`;
    bench.sandbox.faults.order({ on: 'create', fault: 'error_500_after_commit', times: 100 });
    bench.sandbox.faults.order({ on: 'list', fault, times: 1_000 });
    expect(await failure(cards(host).create(byToken(reference)))).toBeInstanceOf(PaymentOutcomeUnknownError);
    const { id } = await only(reference);
    await bench.sandbox.clock.advance(6 * 60_000);
    const [event] = await eventually(
      () => anomalies(id),
      (found) => found.length > 0,
    );
    expect(event?.evidence).toMatchObject({ reason: expect.stringContaining('cannot be looked up') });
    expect(await host.payments.get(id)).toMatchObject({ status: 'submitting' });
    expect((await host.app.get(PaymentsOperator).inspect(id)).incidents).toHaveLength(incidents);
    bench.sandbox.faults.clear();
    await bench.sandbox.clock.advance(60_000);
    await paymentBecomes(host, id, 'succeeded');
    expect(await anomalies(id)).toHaveLength(1);
  });

  it('of another card replaces the payment that waits on the 3-D Secure page of the first', async () => {
    const first = await cards(host).create(byCard('retyped'));
    const again = await cards(host).create(byCard('retyped'));
    expect(again.id).toBe(first.id);
    await expect(host.payments.create(orderInput('retyped'))).rejects.toMatchObject({
      code: 'order_amount_exceeded',
    });
    const second = await cards(host).create(byCard('retyped', { replace: true }));
    expect(second.id).not.toBe(first.id);
    expect(await host.payments.get(first.id)).toMatchObject({ superseded: true });
  });

  it('leaves no card number, csc or cryptogram in any table, log or error', async () => {
    const caller = await bench.startHost({ ...hasty, cardData: true });
    const logs: unknown[] = [];
    const log = (...said: unknown[]) => logs.push(said);
    Logger.overrideLogger({ log, warn: log, error: log, debug: log, verbose: log, fatal: log });
    const errors: unknown[] = [];
    const ordered = (fault: 'stall' | 'reset_before_commit' | 'error_500_after_commit') =>
      bench.sandbox.faults.order({ on: 'create', fault, times: 100 });
    const tryAll = async (name: string) => {
      for (const input of [byCard(`canary ${name} card`), byToken(`canary ${name} token`)]) {
        await cards(caller)
          .create(input)
          .catch((error: unknown) => errors.push(error));
      }
      bench.sandbox.faults.clear();
    };
    try {
      await tryAll('success');
      for (const fault of ['stall', 'reset_before_commit', 'error_500_after_commit'] as const) {
        ordered(fault);
        await tryAll(fault);
      }
      const refused = [
        byCard('canary refused', { card: { ...card, number: '4242424242424242' } }),
        byCard('canary wrong', { card: { ...card, number: '4242424242424241' } }),
        byCard('canary csc', { card: { ...card, csc: `${card.csc} ` } }),
        { ...byToken('canary both'), card },
        Object.assign(byCard('canary stray'), { [card.number]: walletToken }),
      ];
      for (const input of refused) errors.push(await failure(cards(caller).create(input)));
    } finally {
      Logger.overrideLogger(false);
    }
    expect(errors).toHaveLength(3 * 2 + 5);
    const tables = await bench.asOwner<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()`,
    );
    const rows: string[] = [];
    for (const { name } of tables) {
      const found = await bench.asOwner<{ row: string }>(`SELECT t::text AS row FROM "${name}" t`);
      rows.push(...found.map(({ row }) => row));
    }
    const inspected = errors.map(
      (error) => inspect(error, { depth: Infinity, showHidden: true }) + JSON.stringify(error),
    );
    const seen = [...rows, ...inspected, inspect(logs, { depth: Infinity })].join('\n');
    expect(rows.join('\n')).toContain('canary success card');
    expect(seen).not.toMatch(/424242424242|CANARY HOLDER/);
    expect(canariesIn(seen)).toEqual([]);
  });
});
