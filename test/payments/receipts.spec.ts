import {
  PaymentOutcomeUnknownError,
  PaymentsOperator,
  receiptOfPart,
  receiptTotal,
  yookassaProfile,
  type ReceiptInput,
} from '@holdfast/payments';
import { testAccount } from '../support/account.js';
import { eventually } from '../support/eventually.js';
import { moneyRequests } from '../support/money-requests.js';
import {
  cancelBehindOurBack,
  openBench,
  orderInput,
  paidPayment,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';
import { cupAndSpoon, cups, receiptHandlers, rub } from '../support/receipts.js';

/** By the status that is then shown. */
const Handlers = receiptHandlers(
  ({ payment, refund }) => `${(refund ?? payment).receiptStatus}${refund ? ', of a refund' : ''}`,
);

let bench: Bench;
let host: PaymentsHost;
beforeAll(async () => {
  bench = await openBench(testAccount, {
    profile: 'yookassa',
    receipts: { scenario: 'with_payment', provider: 'atol' },
  });
  const options = { profile: yookassaProfile, fiscalization: { register: 'third_party' } } as const;
  host = await bench.startHost(options, [Handlers]);
  // Two replicas see the same registration.
  await bench.startHost(options, [Handlers]);
});
afterAll(() => bench.close());

const paid = (capture = true) => paidPayment(bench, host, { receipt: cups, capture });

/** What the service has of a payment's receipts, oldest first. */
const registered = (serviceId: string | null): unknown[] =>
  bench.sandbox.receipts
    .list()
    .filter(({ payment_id: id }) => id === serviceId)
    .map(({ type, settlements }) => [type, settlements[0]?.amount.value])
    .toReversed();

describe('a receipt', () => {
  it('goes with a create, and adds up although no price times the quantity does', async () => {
    const { serviceId } = await paid();
    expect(registered(serviceId)).toEqual([['payment', '100.00']]);
    expect(cups.items.map(({ amount, quantity }) => [amount.value, quantity])).toEqual([
      ['33.33', 2],
      ['33.34', 1],
    ]);
  });

  it('of a part goes with its capture, and the whole hold needs none', async () => {
    const part = await paid(false);
    const taken = rub('40.00');
    const receipt = receiptOfPart(cups, { amount: taken });
    await host.payments.capture(part.id, { amount: taken, receipt });
    expect(registered(part.serviceId)).toEqual([
      ['payment', '100.00'],
      ['refund', '100.00'],
      ['payment', '40.00'],
    ]);
    const whole = await paid(false);
    expect(await host.payments.capture(whole.id)).toMatchObject({ status: 'succeeded' });
  });

  it('that goes with the money names no agent, which the service would refuse', async () => {
    const items = cups.items.map((item) => ({ ...item, agentType: 'agent' }) as const);
    await expect(host.payments.create({ ...orderInput(), receipt: { ...cups, items } })).rejects.toThrow(
      'receipt.items[0].agentType: must be left out',
    );
  });

  it('of a refund gives goods back once, by two desks too, unless the refund was given up', async () => {
    const { id } = await paidPayment(bench, host, { receipt: cupAndSpoon });
    const one = receiptOfPart(cupAndSpoon, { lines: [{ line: 0 }] });
    const refund = (refundKey: string) =>
      host.payments.refund(id, { refundKey, amount: receiptTotal(one), receipt: one });
    bench.sandbox.refunds.next({ status: 'pending' });
    const both = await Promise.allSettled([refund('one desk'), refund('another desk')]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(refund('a third desk')).rejects.toThrow(
      'receipt.items[0]: gives back more than is left of “Cup”, 0.00: pass receiptOf in place of receipt',
    );
    const [made] = await host.payments.refunds(id);
    bench.sandbox.refunds.finish(made?.serviceId ?? '', 'canceled');
    await eventually(
      () => host.payments.refunds(id),
      ([first]) => first?.status === 'canceled',
    );
    expect(await refund('a third desk')).toMatchObject({ status: 'succeeded' });
  });

  it('of a refund gives back no goods that were not captured', async () => {
    const { id } = await paidPayment(bench, host, { receipt: cupAndSpoon, capture: false });
    const [cup, spoon] = [0, 1].map((line) => receiptOfPart(cupAndSpoon, { lines: [{ line }] }));
    if (!cup || !spoon) throw new Error('There are two lines.');
    await host.payments.capture(id, { amount: receiptTotal(spoon), receipt: spoon });
    const refund = host.payments.refund(id, { refundKey: 'cup', amount: receiptTotal(cup), receipt: cup });
    await expect(refund).rejects.toThrow('receipt.items[0]: gives back more than is left of “Cup”, 0.00');
  });

  it('of a refund is not stopped by goods of the payment that a rule of today would refuse', async () => {
    const { id } = await paidPayment(bench, host, { receipt: cupAndSpoon });
    await bench.asOwner(
      `UPDATE payments_operations SET body = replace(body, '"Cup"', '" "') WHERE payment_id = $1 AND kind = 'create'`,
      [id],
    );
    const receipt = receiptOfPart(cupAndSpoon, { lines: [{ line: 1 }] });
    const refund = { refundKey: 'spoon', amount: receiptTotal(receipt), receipt };
    expect(await host.payments.refund(id, refund)).toMatchObject({ status: 'succeeded' });
  });

  it('of the same capture again is the same capture', async () => {
    const { id, serviceId } = await paid(false);
    const taken = rub('40.00');
    const capture = () =>
      host.payments.capture(id, { amount: taken, receipt: receiptOfPart(cups, { amount: taken }) });
    await Promise.all([capture(), capture()]);
    await capture();
    expect(registered(serviceId)).toHaveLength(3);
  });

  it('goes with each partial refund, until nothing is left', async () => {
    const { id, serviceId } = await paid();
    const first = receiptOfPart(cups, { lines: [{ line: 0, quantity: 1 }] });
    expect(receiptTotal(first)).toEqual(rub('33.33'));
    const rest = receiptOfPart(cups, { amount: rub('66.67') }, [first]);
    const refund = (refundKey: string, value: string, receipt: ReceiptInput) =>
      host.payments.refund(id, { refundKey, amount: rub(value), receipt });
    await refund('first', '33.33', first);
    await refund('rest', '66.67', rest);
    expect(registered(serviceId)).toEqual([
      ['payment', '100.00'],
      ['refund', '33.33'],
      ['refund', '66.67'],
    ]);
  });

  it('of the whole refund is left to the service', async () => {
    const { id } = await paid();
    await host.payments.refund(id, { refundKey: 'whole' });
    const [last] = bench.sandbox.receipts.list();
    expect([last?.type, last?.settlements[0]?.amount.value]).toEqual(['refund', '100.00']);
  });
});

describe('money is not requested', () => {
  const other = { ...cups, items: cups.items.slice(1) };

  it.each<[string, { receipt?: ReceiptInput }, string]>([
    ['without a receipt', {}, 'receipt: is required (fiscalization.requireReceipt)'],
    ['with one that is short of it', { receipt: other }, 'receipt.items: must add up to the amount'],
    [
      'with one for nobody',
      { receipt: { ...cups, customer: {} } },
      'receipt.customer: needs an email or a phone',
    ],
  ])('by a create %s', async (_how, more, message) => {
    const before = moneyRequests(bench);
    await expect(host.payments.create({ ...orderInput(), ...more })).rejects.toThrow(message);
    expect(moneyRequests(bench)).toBe(before);
  });

  it('by a part without a receipt, nor by the whole with one', async () => {
    const [held, done] = [await paid(false), await paid()];
    const part = rub('40.00');
    const before = moneyRequests(bench);
    await expect(host.payments.capture(held.id, { amount: part })).rejects.toThrow(
      'receipt: is required for a part, 40.00 of 100.00',
    );
    await expect(host.payments.capture(held.id, { receipt: cups })).rejects.toThrow(
      'receipt: must be left out for the whole 100.00',
    );
    await expect(host.payments.refund(done.id, { refundKey: 'part', amount: part })).rejects.toThrow(
      'receipt: is required for a part',
    );
    await expect(host.payments.refund(done.id, { refundKey: 'whole', receipt: cups })).rejects.toThrow(
      'receipt: must be left out for the whole',
    );
    expect(moneyRequests(bench)).toBe(before);
    expect(await host.payments.refunds(done.id)).toEqual([]);
  });
});

describe('who gets a receipt', () => {
  it('is in one column of the database alone, and in no view, event or error', async () => {
    const { id } = await paid();
    const tables = await bench.asOwner<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    );
    const places: string[] = [];
    for (const { name } of tables) {
      const rows = await bench.asOwner<Record<string, unknown>>(`SELECT * FROM "${name}"`);
      for (const row of rows)
        for (const [column, value] of Object.entries(row))
          if (JSON.stringify(value)?.includes('anna@buyer')) places.push(`${name}.${column}`);
    }
    expect(new Set(places)).toEqual(new Set(['payments_operations.personal']));
    const views = [await host.payments.get(id), await host.payments.timeline(id)];
    expect(JSON.stringify(views)).not.toContain('anna@buyer');
  });

  it('is sent again in the same bytes after a lost answer, and from the database once its caller has given up', async () => {
    bench.sandbox.faults.order({ on: 'create', fault: 'reset_after_commit' });
    await expect(host.payments.create({ ...orderInput(), receipt: cups })).resolves.toMatchObject({
      status: 'pending',
    });
    const { id } = await paid();
    bench.sandbox.faults.order({ on: 'refund', fault: 'reset_before_commit', times: 50 });
    const refund = {
      refundKey: 'cup',
      amount: rub('33.33'),
      receipt: receiptOfPart(cups, { lines: [{ line: 0, quantity: 1 }] }),
    };
    await expect(host.payments.refund(id, refund)).rejects.toThrow(PaymentOutcomeUnknownError);
    bench.sandbox.faults.clear();
    const [made] = await eventually(
      () => host.payments.refunds(id),
      ([first]) => first?.status === 'succeeded',
    );
    expect(made?.refundKey).toBe('cup');
  });
});

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const emitted = (paymentId: string, events: readonly string[]): Promise<string[]> =>
  eventually(
    () => bench.effects(host, paymentId),
    ({ length }) => length >= events.length,
  );
const problemsOf = async (paymentId: string) =>
  (await host.app.get(PaymentsOperator).receiptProblems()).filter(
    (problem) => problem.paymentId === paymentId,
  );
const isDue = async (paymentId: string): Promise<boolean> =>
  (await host.dataSource.query<object[]>('SELECT FROM payments_due WHERE payment_id = $1', [paymentId]))
    .length > 0;

describe('the registration of a receipt', () => {
  it('is followed by polls, since nothing is sent of it, and emitted once by two replicas', async () => {
    const { id, receiptStatus } = await paid();
    expect(receiptStatus).toBe('pending');
    await bench.sandbox.clock.advance(MINUTE_MS);
    const events = ['receipt.succeeded: succeeded'];
    expect(await emitted(id, events)).toEqual(events);
    expect(await host.payments.get(id)).toMatchObject({ receiptStatus: 'succeeded' });
    expect(await isDue(id)).toBe(false);
    await host.payments.refresh(id);
    expect(await bench.effects(host, id)).toEqual(events);
    expect(await problemsOf(id)).toEqual([]);
  });

  it('that failed is listed until a person has resolved it, with who and why', async () => {
    bench.sandbox.receipts.next({ status: 'canceled' });
    const { id, store } = await paid();
    await bench.sandbox.clock.advance(MINUTE_MS);
    const events = ['receipt.failed: canceled'];
    expect(await emitted(id, events)).toEqual(events);
    const operator = host.app.get(PaymentsOperator);
    const [problem] = await problemsOf(id);
    expect(problem).toEqual({
      id: expect.any(String),
      store,
      paymentId: id,
      refundId: null,
      receiptKey: null,
      kind: 'failed',
      since: expect.any(Date),
      remedy: 'make_by_hand',
    });
    expect((await operator.backlog()).receiptProblems).toMatchObject({ count: 1, more: false });
    const resolution = { by: 'anna', note: 'Receipt 4711 made in the register' };
    expect(await operator.resolveReceipt(problem?.id ?? '', resolution)).toBe(true);
    expect(await operator.resolveReceipt(problem?.id ?? '', resolution)).toBe(false);
    expect(await problemsOf(id)).toEqual([]);
    const last = (await host.payments.timeline(id)).at(-1);
    expect(last).toMatchObject({ name: 'receipt.resolved', evidence: { refundId: null, ...resolution } });
  });

  it('that takes too long is late once, and no problem any more when it succeeds at last', async () => {
    bench.sandbox.receipts.next({ status: 'pending' });
    const { id, serviceId } = await paid();
    await bench.sandbox.clock.advance(25 * HOUR_MS);
    expect(await emitted(id, ['late'])).toEqual(['receipt.late: pending']);
    await bench.sandbox.clock.advance(HOUR_MS);
    await host.payments.refresh(id);
    expect(await problemsOf(id)).toMatchObject([{ kind: 'late' }]);
    const [receipt] = bench.sandbox.receipts.list().filter(({ payment_id: of }) => of === serviceId);
    bench.sandbox.receipts.finish(receipt?.id ?? '', 'succeeded');
    await bench.sandbox.clock.advance(HOUR_MS);
    expect(await emitted(id, ['late', 'succeeded'])).toEqual([
      'receipt.late: pending',
      'receipt.succeeded: succeeded',
    ]);
    expect(await problemsOf(id)).toEqual([]);
  });

  it('of a refund is followed likewise, and its failure is its own', async () => {
    const { id } = await paid();
    await bench.sandbox.clock.advance(MINUTE_MS);
    await emitted(id, ['succeeded']);
    bench.sandbox.receipts.next({ status: 'canceled' });
    // The notification would have the refunds listed once more; polls must do without.
    bench.sandbox.faults.order({ on: 'notification', fault: 'drop' });
    const { id: refundId } = await host.payments.refund(id, { refundKey: 'whole' });
    await bench.sandbox.clock.advance(MINUTE_MS);
    expect(await emitted(id, ['succeeded', 'failed'])).toEqual([
      'receipt.failed: canceled, of a refund',
      'receipt.succeeded: succeeded',
    ]);
    expect(await problemsOf(id)).toMatchObject([{ refundId, kind: 'failed' }]);
    expect(await host.payments.refunds(id)).toMatchObject([{ receiptStatus: 'canceled' }]);
    expect(await isDue(id)).toBe(false);
  });

  it('of a hold and then of the part that was captured are two', async () => {
    const { id } = await paid(false);
    await bench.sandbox.clock.advance(MINUTE_MS);
    await emitted(id, ['succeeded']);
    const amount = rub('40.00');
    await host.payments.capture(id, { amount, receipt: receiptOfPart(cups, { amount }) });
    await bench.sandbox.clock.advance(MINUTE_MS);
    expect(await emitted(id, ['succeeded', 'succeeded'])).toHaveLength(2);
  });

  it('of the part that was captured is listed when it fails, also if that of the hold failed and was resolved', async () => {
    const operator = host.app.get(PaymentsOperator);
    const fails = async (events: readonly string[]) => {
      await bench.sandbox.clock.advance(MINUTE_MS);
      await emitted(id, events);
      return problemsOf(id);
    };
    bench.sandbox.receipts.next({ status: 'canceled' });
    const { id } = await paid(false);
    const [first] = await fails(['failed']);
    await operator.resolveReceipt(first?.id ?? '', { by: 'anna', note: 'made in the register' });
    expect(await problemsOf(id)).toEqual([]);
    const amount = rub('40.00');
    // The first gives back what was held.
    for (const status of ['succeeded', 'canceled'] as const) bench.sandbox.receipts.next({ status });
    await host.payments.capture(id, { amount, receipt: receiptOfPart(cups, { amount }) });
    expect(await fails(['failed', 'failed'])).toMatchObject([{ kind: 'failed', refundId: null }]);
  });
});

describe('the receipt of a hold', () => {
  it('that was let go before anybody here knew of it was registered, and is told so', async () => {
    const payment = await host.payments.create({ ...orderInput(), receipt: cups, capture: false });
    bench.sandbox.faults.order({ on: 'notification', fault: 'drop', times: 1_000 });
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    await bench.sandbox.clock.advance(MINUTE_MS);
    await cancelBehindOurBack(bench, payment);
    await bench.sandbox.clock.advance(MINUTE_MS);
    await eventually(
      () => host.payments.refresh(payment.id),
      ({ receiptStatus, status }) => receiptStatus === 'succeeded' && status === 'canceled',
    );
    bench.sandbox.faults.clear();
    const names = (await host.payments.timeline(payment.id)).map(({ name }) => name);
    expect(names.filter((name) => name.startsWith('receipt.'))).toEqual(['receipt.succeeded']);
  });

  it('that failed is needed by nobody once the hold is let go', async () => {
    bench.sandbox.receipts.next({ status: 'canceled' });
    const { id } = await paid(false);
    await bench.sandbox.clock.advance(MINUTE_MS);
    await eventually(
      () => problemsOf(id),
      ({ length }) => length === 1,
    );
    bench.sandbox.receipts.next({ status: 'pending' });
    await host.payments.cancel(id);
    await host.payments.refresh(id);
    expect(await problemsOf(id)).toEqual([]);
  });
});

describe('a shop whose receipts come before the payment', () => {
  let first: Bench;
  let shop: PaymentsHost;
  beforeAll(async () => {
    first = await openBench(testAccount, {
      profile: 'yookassa',
      receipts: { scenario: 'before_payment', provider: 'atol' },
    });
    shop = await first.startHost(
      {
        profile: yookassaProfile,
        fiscalization: { register: 'third_party', lateAfterMs: HOUR_MS },
      },
      [Handlers],
    );
  });
  afterAll(() => first.close());

  const pay = async () => {
    const payment = await shop.payments.create({ ...orderInput(), receipt: cups });
    first.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    return payment;
  };

  it('waits with a payment that was paid until its receipt is registered', async () => {
    const { id } = await pay();
    await shop.payments.refresh(id);
    expect(await shop.payments.get(id)).toMatchObject({ status: 'pending', receiptStatus: 'pending' });
    await first.sandbox.clock.advance(MINUTE_MS);
    const payment = await eventually(
      () => shop.payments.get(id),
      ({ status }) => status === 'succeeded',
    );
    expect(payment).toMatchObject({ receiptStatus: 'succeeded' });
  });

  const problems = async (paymentId: string) =>
    (await shop.app.get(PaymentsOperator).receiptProblems()).filter((one) => one.paymentId === paymentId);
  const named = async (paymentId: string) =>
    (await shop.payments.timeline(paymentId))
      .map(({ name }) => name)
      .filter((name) => name.startsWith('receipt.'));

  it('asks nobody for the receipt of a payment that its register has refused', async () => {
    first.sandbox.receipts.next({ status: 'canceled' });
    const { id } = await pay();
    await shop.payments.refresh(id);
    await first.sandbox.clock.advance(MINUTE_MS);
    await eventually(
      () => shop.payments.get(id),
      ({ status }) => status === 'canceled',
    );
    expect(await shop.payments.get(id)).toMatchObject({ receiptStatus: 'canceled' });
    expect(await problems(id)).toEqual([]);
    expect(await named(id)).toEqual([]);
  });

  it('nor for one that was late, once its payment is over without it', async () => {
    first.sandbox.receipts.next({ status: 'pending' });
    const { id, serviceId } = await pay();
    await first.sandbox.clock.advance(2 * HOUR_MS);
    await eventually(
      () => problems(id),
      ({ length }) => length === 1,
    );
    const [receipt] = first.sandbox.receipts.list().filter(({ payment_id: of }) => of === serviceId);
    first.sandbox.receipts.finish(receipt?.id ?? '', 'canceled');
    await shop.payments.refresh(id);
    expect(await shop.payments.get(id)).toMatchObject({ status: 'canceled' });
    expect(await problems(id)).toEqual([]);
    expect(await named(id)).toEqual(['receipt.late', 'receipt.not_needed']);
  });

  it('learns that a register does not answer while the payment is still pending', async () => {
    first.sandbox.receipts.next({ status: 'pending' });
    const { id } = await pay();
    await first.sandbox.clock.advance(2 * HOUR_MS);
    await eventually(
      () => first.effects(shop, id),
      (events) => events.includes('receipt.late: pending'),
    );
    expect(await shop.payments.get(id)).toMatchObject({ status: 'pending' });
  });
});
