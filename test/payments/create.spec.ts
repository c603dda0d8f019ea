import {
  OrderAlreadyPaidError,
  OrderAmountExceededError,
  OrderPaymentOpenError,
  PaymentInputError,
  PaymentOutcomeUnknownError,
  PaymentRejectedError,
  type CreatePaymentInput,
} from '@holdfast/payments';
import { eventually } from '../support/eventually.js';
import { openBench, orderInput, type Bench, type PaymentsHost } from '../support/payments-host.js';

const amount = (value: string) => ({ amount: { value, currency: 'RUB' } });

describe('create', () => {
  let bench: Bench;
  let host: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    host = await bench.startHost();
  });
  afterAll(() => bench.close());
  afterEach(() => bench.sandbox.faults.clear());

  const charges = () => bench.sandbox.ledger.totals().charges;
  const paymentsAtService = () => bench.sandbox.payments.list().length;
  const pay = (payment: { serviceId: string | null }) =>
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
  const becomes = (id: string, status: string) =>
    eventually(
      () => host.payments.get(id),
      (payment) => payment.status === status,
    );
  const rows = async () => {
    const [row] = await host.dataSource.query<{ count: string }[]>(
      `SELECT (SELECT count(*) FROM payments_payments) + (SELECT count(*) FROM payments_operations) + (SELECT count(*) FROM payments_orders) AS count`,
    );
    return Number(row?.count);
  };

  it('returns a pending payment with the address to send the buyer to', async () => {
    const payment = await host.payments.create({
      ...orderInput(),
      description: 'Two cups',
      metadata: { basket: '7' },
    });
    expect(payment).toMatchObject({
      status: 'pending',
      test: true,
      capture: true,
      metadata: { basket: '7' },
    });
    expect(payment.confirmationUrl).toMatch(new RegExp(`^${bench.sandbox.url}/`));
    expect(bench.sandbox.payments.get(payment.serviceId ?? '')).toMatchObject({
      description: 'Two cups',
      metadata: { basket: '7', holdfast_payment_id: payment.id },
    });
  });

  it('of two tabs and a double click is one payment and one charge', async () => {
    const input = orderInput();
    const [before, chargesBefore] = [paymentsAtService(), charges()];
    const created = await Promise.all(Array.from({ length: 8 }, () => host.payments.create(input)));
    expect(new Set(created.map(({ id }) => id)).size).toBe(1);
    expect(paymentsAtService()).toBe(before + 1);
    const again = await host.payments.create(input);
    expect(again.confirmationUrl).toBe(created[0]?.confirmationUrl);
    pay(again);
    await becomes(again.id, 'succeeded');
    expect(charges()).toBe(chargesBefore + 1);
  });

  it('for an order that is paid says so, and charges nothing', async () => {
    const input = orderInput();
    const payment = await host.payments.create(input);
    pay(payment);
    await becomes(payment.id, 'succeeded');
    const before = charges();
    await expect(host.payments.create(input)).rejects.toMatchObject({
      code: 'order_already_paid',
      paymentId: payment.id,
      status: 'succeeded',
    });
    expect(charges()).toBe(before);
  });

  it('for an order paid a moment ago, its notification lost, says so instead of giving a dead link', async () => {
    const input = orderInput();
    const payment = await host.payments.create(input);
    bench.sandbox.faults.order({ on: 'notification', fault: 'drop' });
    pay(payment);
    await expect(host.payments.create(input)).rejects.toBeInstanceOf(OrderAlreadyPaidError);
  });

  it('for an order whose payment is held says so', async () => {
    const input = { ...orderInput(), capture: false };
    const payment = await host.payments.create(input);
    pay(payment);
    await becomes(payment.id, 'waiting_for_capture');
    await expect(host.payments.create(input)).rejects.toMatchObject({ status: 'waiting_for_capture' });
  });

  it('after a canceled payment opens a new one, however often it is clicked', async () => {
    const input = orderInput();
    const first = await host.payments.create(input);
    bench.sandbox.payments.pay(first.serviceId ?? '', { outcome: 'decline' });
    await becomes(first.id, 'canceled');
    const clicks = await Promise.all(Array.from({ length: 8 }, () => host.payments.create(input)));
    expect(new Set(clicks.map(({ id }) => id)).size).toBe(1);
    expect(clicks[0]?.id).not.toBe(first.id);
    expect(await host.payments.findByOrder(input.order.reference)).toHaveLength(2);
  });

  it('for a changed cart is refused, and with replace takes the place of the old payment', async () => {
    const { order, ...rest } = orderInput();
    const old = await host.payments.create({ order, ...rest });
    const changed: CreatePaymentInput = { order, ...rest, amount: { value: '150.00', currency: 'RUB' } };
    await expect(host.payments.create(changed)).rejects.toMatchObject({
      code: 'order_amount_exceeded',
      openPaymentId: old.id,
      claimedMinor: 10_000,
      totalDueMinor: 15_000,
    });
    const before = charges();
    const replacement = await host.payments.create({ ...changed, replace: true });
    expect((await host.payments.get(old.id)).superseded).toBe(true);
    expect((await host.payments.create({ ...changed, replace: true })).id).toBe(replacement.id);
    pay(replacement);
    await becomes(replacement.id, 'succeeded');
    expect(charges()).toBe(before + 1);
    expect(await host.payments.getOrder(order.reference)).toMatchObject({
      state: 'paid',
      paid: { value: '150.00', currency: 'RUB' },
    });
  });

  it('raises order.overpaid once when a superseded payment is paid after all', async () => {
    const { order, ...rest } = orderInput();
    const old = await host.payments.create({ order, ...rest });
    await host.payments.create({
      order,
      ...rest,
      amount: { value: '150.00', currency: 'RUB' },
      replace: true,
    });
    pay(old);
    await becomes(old.id, 'succeeded');
    expect(
      await eventually(
        () => bench.effects(host, old.id),
        (effects) => effects.length === 2,
      ),
    ).toEqual(['order.overpaid', 'payment.succeeded']);
  });

  it('cancels the hold of a superseded payment that is held later', async () => {
    const { order, ...rest } = orderInput();
    const old = await host.payments.create({ order, ...rest, capture: false });
    await host.payments.create({
      order,
      ...rest,
      capture: false,
      amount: { value: '150.00', currency: 'RUB' },
      replace: true,
    });
    pay(old);
    await becomes(old.id, 'canceled');
    expect(bench.sandbox.ledger.totals(old.serviceId ?? '')).toMatchObject({
      charges: 1,
      captures: 0,
      cancels: 1,
    });
  });

  it('cancels the hold of a payment that is replaced while it is held', async () => {
    const { order, ...rest } = orderInput();
    const old = await host.payments.create({ order, ...rest, capture: false });
    pay(old);
    await becomes(old.id, 'waiting_for_capture');
    const changed = { order, ...rest, amount: { value: '150.00', currency: 'RUB' }, replace: true };
    await host.payments.create(changed);
    expect(await becomes(old.id, 'canceled')).toMatchObject({ superseded: true });
  });

  it('lets an order be paid in named parts, each of them once, up to what is due', async () => {
    const { order, ...rest } = orderInput();
    const due = { ...rest, order: { ...order, totalDue: { value: '200.00', currency: 'RUB' } } };
    const clicks = await Promise.all([1, 2, 3].map(() => host.payments.create({ ...due, part: 'deposit' })));
    const [first] = clicks;
    expect(new Set(clicks.map(({ id }) => id)).size).toBe(1);
    const second = await host.payments.create({ ...due, part: 'rest' });
    expect(second.id).not.toBe(first?.id);
    await expect(host.payments.create({ ...due, part: 'tip' })).rejects.toBeInstanceOf(
      OrderAmountExceededError,
    );
    pay({ serviceId: first?.serviceId ?? null });
    pay(second);
    await becomes(first?.id ?? '', 'succeeded');
    await becomes(second.id, 'succeeded');
    expect(await host.payments.getOrder(order.reference)).toMatchObject({ state: 'paid' });
  });

  it('does not open a second payment of another kind beside an open one', async () => {
    const { order, ...rest } = orderInput();
    const totalDue = { value: '200.00', currency: 'RUB' };
    await host.payments.create({ ...rest, order: { ...order, totalDue } });
    const other: CreatePaymentInput = { ...rest, order: { ...order, totalDue }, method: 'wallet' };
    await expect(host.payments.create(other)).rejects.toBeInstanceOf(OrderPaymentOpenError);
  });

  it.each(['reset_after_commit', 'error_500_after_commit', 'truncated_body', 'reset_before_commit'] as const)(
    'that meets %s is repeated under its key and is one payment',
    async (fault) => {
      const before = paymentsAtService();
      bench.sandbox.faults.order({ on: 'create', fault });
      expect(await host.payments.create(orderInput())).toMatchObject({ status: 'pending' });
      expect(paymentsAtService()).toBe(before + 1);
    },
  );

  it('that is answered too late says so, and the next call resumes it', async () => {
    const before = paymentsAtService();
    bench.sandbox.faults.order({ on: 'create', fault: 'stall_after_commit' });
    const input = orderInput();
    await expect(host.payments.create(input)).rejects.toMatchObject({ cause: { code: 'service_timeout' } });
    expect(await host.payments.create(input)).toMatchObject({ status: 'pending' });
    expect(paymentsAtService()).toBe(before + 1);
  });

  it('whose answer never comes says so with our payment id, and calling again resumes it', async () => {
    bench.sandbox.faults.order({ on: 'create', fault: 'error_500_after_commit', times: 100 });
    const input = orderInput();
    const before = paymentsAtService();
    const error: unknown = await host.payments.create(input).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PaymentOutcomeUnknownError);
    const [unknown] = await host.payments.findByOrder(input.order.reference);
    expect(error).toMatchObject({ paymentId: unknown?.id, operation: 'create' });
    expect(unknown?.status).toBe('submitting');
    bench.sandbox.faults.clear();
    expect(await host.payments.create(input)).toMatchObject({ id: unknown?.id, status: 'pending' });
    expect(paymentsAtService()).toBe(before + 1);
  });

  it('whose caller is gone is found by the sweep', async () => {
    bench.sandbox.faults.order({ on: 'create', fault: 'error_500_after_commit', times: 100 });
    const input = orderInput();
    await expect(host.payments.create(input)).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
    const [{ id } = { id: '' }] = await host.payments.findByOrder(input.order.reference);
    bench.sandbox.faults.clear();
    await bench.sandbox.clock.advance(60_000);
    await becomes(id, 'pending');
  });

  it('that the service refuses is rejected with its reason, and may be made anew', async () => {
    const strict = await bench.startHost({ secretKey: 'wrong_key', sweeps: false });
    const input = orderInput();
    const error: unknown = await strict.payments.create(input).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PaymentRejectedError);
    expect(error).toMatchObject({ cause: { code: 'service_credentials', details: { httpStatus: 401 } } });
    expect(JSON.stringify(error)).not.toContain('wrong_key');
    await strict.close();
    bench.sandbox.setNotifyUrl(`${host.url}/webhooks/payments`);
    expect(await host.payments.create(input)).toMatchObject({ status: 'pending' });
  });

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
    ['no amount', { amount: undefined }, 'amount', /required/],
    ['a description of 129 characters', { description: 'x'.repeat(129) }, 'description', /at most 128/],
    ['a missing return_url', { returnUrl: undefined }, 'returnUrl', /required/],
    [
      'a return_url of 2049 characters',
      { returnUrl: `https://shop.example/${'x'.repeat(2028)}` },
      'returnUrl',
      /2048/,
    ],
    ['a return_url that is no address', { returnUrl: 'javascript:alert(1)' }, 'returnUrl', /http or https/],
    ['an unknown method', { method: 'cash' }, 'method', /bank_card, wallet/],
    [
      'sixteen metadata entries',
      { metadata: Object.fromEntries(Array.from({ length: 16 }, (_, n) => [`k${n}`, 'v'])) },
      'metadata',
      /15/,
    ],
    ['our own metadata key', { metadata: { holdfast_payment_id: 'x' } }, 'metadata', /holdfast_payment_id/],
    ['a NUL in the description', { description: 'a\u0000b' }, 'description', /128/],
    ['an empty order reference', { order: { reference: '' } }, 'order.reference', /1 to 128/],
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

describe('a create of unknown outcome', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await openBench();
  });
  afterAll(() => bench.close());

  it('whose caller is long gone is only looked up: found by our id in the list, or rejected once a full pass proves it was never received', async () => {
    // The caller's process ends; sweeps run in another one, twenty minutes later.
    const caller = await bench.startHost({ sweeps: false });
    bench.sandbox.faults.order({ on: 'create', fault: 'error_500_after_commit', times: 100 });
    await expect(caller.payments.create(orderInput('found'))).rejects.toBeInstanceOf(
      PaymentOutcomeUnknownError,
    );
    bench.sandbox.faults.clear();
    bench.sandbox.faults.order({ on: 'create', fault: 'reset_before_commit', times: 100 });
    await expect(caller.payments.create(orderInput('lost'))).rejects.toBeInstanceOf(
      PaymentOutcomeUnknownError,
    );
    bench.sandbox.faults.clear();
    const sent = bench.sandbox.ledger.requestCount({ endpoint: 'create' });
    await bench.sandbox.clock.advance(20 * 60_000);

    const host = await bench.startHost();
    const only = async (reference: string, status: string) =>
      eventually(
        () => host.payments.findByOrder(reference),
        ([payment]) => payment?.status === status,
      );
    const [found] = await only('found', 'pending');
    await only('lost', 'rejected');
    expect(bench.sandbox.ledger.requestCount({ endpoint: 'create' })).toBe(sent);
    expect(bench.sandbox.payments.list().map(({ id }) => id)).toEqual([found?.serviceId]);
    await host.close();
  });

  it('of yesterday is not sent again when its order is paid for anew: its key has expired', async () => {
    const caller = await bench.startHost({ sweeps: false });
    bench.sandbox.faults.order({ on: 'create', fault: 'error_500_after_commit', times: 100 });
    const input = orderInput('yesterday');
    await expect(caller.payments.create(input)).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
    bench.sandbox.faults.clear();
    const created = bench.sandbox.payments.list().length;
    const sent = bench.sandbox.ledger.requestCount({ endpoint: 'create' });
    await bench.sandbox.clock.advance(25 * 3_600_000);

    // The lost one is found in the list, canceled by now, and a new payment is made: one request, one payment.
    const payment = await caller.payments.create(input);
    expect(payment).toMatchObject({ status: 'pending' });
    const statuses = (await caller.payments.findByOrder('yesterday')).map(({ status }) => status);
    expect(statuses).toEqual(['canceled', 'pending']);
    expect(bench.sandbox.ledger.requestCount({ endpoint: 'create' })).toBe(sent + 1);
    expect(bench.sandbox.payments.list()).toHaveLength(created + 1);
  });

  it('is not taken for refused when the next attempt is answered 401', async () => {
    const caller = await bench.startHost({ sweeps: false });
    bench.sandbox.faults.order({ on: 'create', fault: 'error_500_after_commit', times: 100 });
    const input = orderInput('rotated');
    await expect(caller.payments.create(input)).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
    bench.sandbox.faults.clear();
    const rotated = await bench.startHost({ sweeps: false, secretKey: 'wrong_key' });
    await expect(rotated.payments.create(input)).rejects.toMatchObject({
      code: 'payment_outcome_unknown',
      cause: { code: 'service_credentials' },
    });
    const [payment] = await caller.payments.findByOrder('rotated');
    expect(payment?.status).toBe('submitting');
  });
});
