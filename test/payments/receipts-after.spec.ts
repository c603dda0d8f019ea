import {
  PaymentInputError,
  PaymentOutcomeUnknownError,
  PaymentsOperator,
  ReceiptNotPossibleError,
  receiptOfCart,
  receiptOfPart,
  receiptTotal,
  yookassaProfile,
  type AuditDifference,
  type CreatePaymentInput,
  type Payment,
  type ReceiptInput,
  type ReceiptProblem,
} from '@holdfast/payments';
import { testAccount } from '../support/account.js';
import { eventually } from '../support/eventually.js';
import {
  reread,
  cancelBehindOurBack,
  openBench,
  orderInput,
  paidPayment,
  paymentBecomes,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';
import { cupAndSpoon, cups, receiptHandlers, rub } from '../support/receipts.js';

/** A demo store has no credit. */
const account = { ...testAccount, shopId: '4711' };
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const Handlers = receiptHandlers(
  ({ receipt, refund }) => receipt?.receiptKey ?? (refund ? 'a refund' : 'the payment'),
);

let bench: Bench;
let host: PaymentsHost;
let operator: PaymentsOperator;
beforeAll(async () => {
  bench = await openBench(account, {
    profile: 'yookassa',
    receipts: { scenario: 'after_payment', provider: 'atol' },
  });
  const options = {
    profile: yookassaProfile,
    fiscalization: { register: 'third_party', scenario: 'after_payment', lateAfterMs: HOUR_MS },
  } as const;
  host = await bench.startHost(options, [Handlers]);
  // Two replicas see the same money move.
  await bench.startHost(options, [Handlers]);
  operator = host.app.get(PaymentsOperator);
});
afterAll(() => bench.close());
afterEach(() => bench.sandbox.faults.clear());

const create = (input: Partial<CreatePaymentInput> = {}) =>
  host.payments.create({ ...orderInput(), receipt: cups, ...input });
const paid = (input: Partial<CreatePaymentInput> = {}) =>
  paidPayment(bench, host, { receipt: cups, ...input });
const held = () => paid({ capture: false });

/** What the module knows of a payment's receipts, oldest first. */
const known = async ({ id }: Pick<Payment, 'id'>) =>
  (await host.payments.receipts.list(id)).map(({ receiptKey, status }) => `${receiptKey} ${status}`);

/** Waits until they are these, while the register answers. */
async function become(payment: Pick<Payment, 'id'>, expected: readonly string[]): Promise<void> {
  const last = await eventually(
    async () => {
      await bench.sandbox.clock.advance(5_000);
      return known(payment);
    },
    (receipts) => receipts.join() === expected.join(),
  ).catch(() => known(payment));
  expect(last).toEqual(expected);
}

/** Moves money whose receipt the service refuses. */
async function withReceiptRefused(
  { id }: Payment,
  on: 'capture' | 'refund',
  move: () => Promise<unknown>,
): Promise<void> {
  bench.sandbox.faults.order({ on, fault: 'error_500_before_commit', times: 1_000 });
  await expect(move()).rejects.toThrow(PaymentOutcomeUnknownError);
  await bench.asOwner(
    `UPDATE payments_receipts SET body = replace(body, '"send":true', '"send":false')
     WHERE payment_id = $1 AND status = 'owed'`,
    [id],
  );
  bench.sandbox.faults.clear();
}

/** What the service has of a payment's receipts, and whether they are the money. */
function atService({ serviceId }: Pick<Payment, 'serviceId'>) {
  const sent = bench.sandbox.receipts.list().filter(({ payment_id: id }) => id === serviceId);
  const short = bench.sandbox.ledger
    .report()
    .receiptsShort.filter(({ paymentId }) => paymentId === serviceId);
  return {
    sent: sent.map(({ type, settlements }) => [type, settlements[0]?.amount.value]).toReversed(),
    short,
  };
}

const problemsOf = async ({ id }: Pick<Payment, 'id'>): Promise<ReceiptProblem[]> =>
  (await operator.receiptProblems()).filter(({ paymentId }) => paymentId === id);
const becomeProblems = (payment: Payment, count = 1) =>
  eventually(
    async () => {
      await bench.sandbox.clock.advance(5_000);
      return problemsOf(payment);
    },
    ({ length }) => length === count,
  );

describe('a receipt that follows its payment', () => {
  it('is kept with the create, sent once the buyer has paid, and registered once by two replicas', async () => {
    const payment = await create();
    expect(await known(payment)).toEqual(['auto:payment owed']);
    const [request] = await bench.asOwner<{ body: string }>(
      'SELECT body FROM payments_operations WHERE payment_id = $1',
      [payment.id],
    );
    expect(request?.body).not.toContain('receipt');
    expect(atService(payment).sent).toEqual([]);
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    await become(payment, ['auto:payment succeeded']);
    expect(atService(payment)).toEqual({ sent: [['payment', '100.00']], short: [] });
    expect(
      await eventually(
        () => bench.effects(host, payment.id),
        ({ length }) => length > 0,
      ),
    ).toEqual(['receipt.succeeded: auto:payment']);
  });

  it('is kept apart from whom it goes to, and forgotten there once it is sent', async () => {
    const payment = await create();
    const kept = () =>
      bench.asOwner('SELECT body, personal FROM payments_receipts WHERE payment_id = $1', [payment.id]);
    expect(await kept()).toEqual([
      { body: expect.not.stringContaining('anna'), personal: expect.stringContaining('anna') },
    ]);
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    await become(payment, ['auto:payment succeeded']);
    expect(await kept()).toEqual([{ body: null, personal: null }]);
  });

  it('is dropped, with whom it goes to, where the buyer never pays', async () => {
    const payment = await create();
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'decline' });
    await paymentBecomes(host, payment.id, 'canceled');
    expect(await known(payment)).toEqual(['auto:payment void']);
    expect(
      await bench.asOwner('SELECT 1 FROM payments_receipts WHERE payment_id = $1 AND personal IS NOT NULL', [
        payment.id,
      ]),
    ).toEqual([]);
    expect(atService(payment)).toEqual({ sent: [], short: [] });
  });

  it('is dropped where the service refuses the create', async () => {
    bench.sandbox.faults.order({ on: 'create', fault: 'forbidden' });
    const input = { ...orderInput(), receipt: cups };
    await expect(host.payments.create(input)).rejects.toMatchObject({ code: 'payment_rejected' });
    const [payment] = await host.payments.findByOrder(input.order.reference);
    expect(await known({ id: payment?.id ?? '' })).toEqual(['auto:payment void']);
  });

  it('is sent when it is held, and not again when all of it is captured', async () => {
    const payment = await held();
    await become(payment, ['auto:payment succeeded']);
    await host.payments.capture(payment.id);
    await become(payment, ['auto:payment succeeded']);
    expect(atService(payment)).toEqual({ sent: [['payment', '100.00']], short: [] });
  });

  it('is taken back, and that of the part sent, where a part is captured', async () => {
    const payment = await held();
    await become(payment, ['auto:payment succeeded']);
    const amount = rub('40.00');
    await host.payments.capture(payment.id, { amount, receipt: receiptOfPart(cups, { amount }) });
    await become(payment, ['auto:payment succeeded', 'auto:capture succeeded', 'auto:return succeeded']);
    const { sent, short } = atService(payment);
    expect(sent).toHaveLength(3);
    expect(sent).toEqual(
      expect.arrayContaining([
        ['payment', '40.00'],
        ['refund', '100.00'],
      ]),
    );
    expect(short).toEqual([]);
  });

  it('is registered before its prepayment is settled, so that only what was captured is', async () => {
    const items = cups.items.map((item) => ({ ...item, paymentMode: 'full_prepayment' }) as const);
    const prepaid = { ...cups, items };
    const payment = await paid({ capture: false, receipt: prepaid });
    await become(payment, ['auto:payment succeeded']);
    const amount = rub('40.00');
    await host.payments.capture(payment.id, { amount, receipt: receiptOfPart(prepaid, { amount }) });
    await expect(host.payments.settlePrepayment(payment.id)).rejects.toThrow(
      'its own receipts are not registered yet',
    );
    await become(payment, ['auto:payment succeeded', 'auto:capture succeeded', 'auto:return succeeded']);
    expect(await host.payments.settlePrepayment(payment.id)).toMatchObject({ amount });
  });

  it('is settled less what a refund gave back whose own receipt was refused', async () => {
    const items = cupAndSpoon.items.map((item) => ({ ...item, paymentMode: 'full_prepayment' }) as const);
    const receipt = { ...cupAndSpoon, items };
    const payment = await paid({ receipt });
    await become(payment, ['auto:payment succeeded']);
    const cup = { refundKey: 'cup', receiptOf: receipt, lines: [{ line: 0 }] };
    await withReceiptRefused(payment, 'refund', () => host.payments.refund(payment.id, cup));
    const [refund] = await host.payments.refunds(payment.id);
    await become(payment, ['auto:payment succeeded', `auto:refund:${refund?.id} rejected`]);
    expect(await host.payments.settlePrepayment(payment.id)).toMatchObject({ amount: rub('60.00') });
  });

  it('is not settled while the receipt of a refund made elsewhere is missing, and for less once that was made by hand', async () => {
    const items = cups.items.map((item) => ({ ...item, paymentMode: 'full_prepayment' }) as const);
    const payment = await paid({ receipt: { ...cups, items } });
    await become(payment, ['auto:payment succeeded']);
    bench.sandbox.refunds.make(payment.serviceId ?? '', '30.00');
    await reread(host, payment.id);
    const [problem] = await becomeProblems(payment);
    await expect(host.payments.settlePrepayment(payment.id)).rejects.toThrow('a receipt of it is missing');
    await operator.resolveReceipt(problem?.id ?? '', { by: 'anna', note: 'Receipt 4711' });
    expect(await host.payments.settlePrepayment(payment.id)).toMatchObject({ amount: rub('70.00') });
  });

  it('is settled as it was captured where a person has made the receipt of that part', async () => {
    const items = cupAndSpoon.items.map((item) => ({ ...item, paymentMode: 'full_prepayment' }) as const);
    const receipt = { ...cupAndSpoon, items };
    const payment = await paid({ receipt, capture: false });
    await become(payment, ['auto:payment succeeded']);
    const part = receiptOfPart(receipt, { lines: [{ line: 0 }] });
    const capture = { amount: receiptTotal(part), receipt: part };
    await withReceiptRefused(payment, 'capture', () => host.payments.capture(payment.id, capture));
    await become(payment, ['auto:payment succeeded', 'auto:capture rejected', 'auto:return succeeded']);
    const [problem] = await becomeProblems(payment);
    await operator.resolveReceipt(problem?.id ?? '', { by: 'anna', note: 'Receipt 4711' });
    expect(await host.payments.settlePrepayment(payment.id)).toMatchObject({ amount: rub('40.00') });
  });

  it('is given back whole as full payment once its prepayment was settled', async () => {
    const items = cups.items.map((item) => ({ ...item, paymentMode: 'full_prepayment' }) as const);
    const payment = await paid({ receipt: { ...cups, items } });
    await become(payment, ['auto:payment succeeded']);
    await host.payments.settlePrepayment(payment.id);
    await become(payment, ['auto:payment succeeded', 'settlement succeeded']);
    const handedOver = cups.items.map((item) => ({ ...item, paymentMode: 'full_payment' }) as const);
    const { id } = await host.payments.refund(payment.id, {
      refundKey: 'all of it',
      amount: rub('100.00'),
      receipt: { ...cups, items: handedOver },
    });
    await become(payment, ['auto:payment succeeded', 'settlement succeeded', `auto:refund:${id} succeeded`]);
    const [last] = bench.sandbox.receipts.list().filter(({ refund_id: of }) => of !== undefined);
    expect(last).toMatchObject({ type: 'refund', items: [{ payment_mode: 'full_payment' }, {}] });
  });

  it('names the supplier of what an agent sells, on all of its receipts', async () => {
    const supplier = { name: 'Potter', phone: '79001234567', inn: '7708123456' };
    const items = cups.items.map((item) => ({ ...item, agentType: 'agent', supplier }) as const);
    const sold = { ...cups, items };
    const payment = await paid({ receipt: sold });
    await become(payment, ['auto:payment succeeded']);
    const { id } = await host.payments.refund(payment.id, {
      refundKey: 'one',
      receiptOf: sold,
      lines: [{ line: 1, quantity: 1 }],
    });
    await become(payment, ['auto:payment succeeded', `auto:refund:${id} succeeded`]);
    const named = bench.sandbox.receipts
      .list()
      .filter(({ payment_id: of }) => of === payment.serviceId)
      .flatMap((receipt) => receipt.items);
    expect(named).toHaveLength(3);
    for (const item of named)
      expect(item).toMatchObject({ agent_type: 'agent', supplier: { ...supplier, inn: '***' } });
  });

  it('is taken back where the hold is canceled, here or elsewhere', async () => {
    const [here, there] = [await held(), await held()];
    for (const payment of [here, there]) await become(payment, ['auto:payment succeeded']);
    await host.payments.cancel(here.id);
    await cancelBehindOurBack(bench, there, account);
    await reread(host, there.id);
    for (const payment of [here, there]) {
      await become(payment, ['auto:payment succeeded', 'auto:return succeeded']);
      expect(atService(payment).short).toEqual([]);
    }
  });

  it('is taken back once it is registered at last, and not at all if it never was', async () => {
    bench.sandbox.receipts.next({ status: 'pending' });
    const payment = await held();
    await become(payment, ['auto:payment pending']);
    await host.payments.cancel(payment.id);
    await become(payment, ['auto:payment pending']);
    const [receipt] = await host.payments.receipts.list(payment.id);
    bench.sandbox.receipts.finish(receipt?.serviceId ?? '', 'succeeded');
    await bench.sandbox.clock.advance(HOUR_MS);
    await become(payment, ['auto:payment succeeded', 'auto:return succeeded']);
    bench.sandbox.receipts.next({ status: 'canceled' });
    const failed = await held();
    await become(failed, ['auto:payment canceled']);
    await host.payments.cancel(failed.id);
    await become(failed, ['auto:payment canceled']);
    expect(atService(failed).short).toEqual([]);
  });

  it('and failed needs nobody once its hold was let go, or a part of it captured', async () => {
    const amount = rub('40.00');
    const letGo = {
      cancel: (id: string) => host.payments.cancel(id),
      capture: (id: string) =>
        host.payments.capture(id, { amount, receipt: receiptOfPart(cups, { amount }) }),
    };
    for (const [how, receipts] of [
      ['cancel', []],
      ['capture', ['auto:capture succeeded']],
    ] as const) {
      bench.sandbox.receipts.next({ status: 'canceled' });
      const payment = await held();
      const [problem] = await becomeProblems(payment);
      expect(problem).toMatchObject({ kind: 'failed', receiptKey: 'auto:payment' });
      await letGo[how](payment.id);
      await become(payment, ['auto:payment canceled', ...receipts]);
      expect(await problemsOf(payment)).toEqual([]);
      expect(atService(payment).short).toEqual([]);
    }
  });

  it('is no failure where it is refused, or not registered, once its hold is gone', async () => {
    bench.sandbox.receipts.next({ status: 'pending' });
    const slow = await held();
    await become(slow, ['auto:payment pending']);
    await host.payments.cancel(slow.id);
    const [receipt] = await host.payments.receipts.list(slow.id);
    bench.sandbox.receipts.finish(receipt?.serviceId ?? '', 'canceled');
    bench.sandbox.faults.order({ on: 'receipt', fault: 'error_500_before_commit', times: 1_000 });
    const payment = await held();
    await become(payment, ['auto:payment submitting']);
    await host.payments.cancel(payment.id);
    bench.sandbox.faults.clear();
    await become(payment, ['auto:payment rejected']);
    await bench.sandbox.clock.advance(HOUR_MS);
    await become(slow, ['auto:payment canceled']);
    for (const { id } of [slow, payment]) {
      expect(await problemsOf({ id })).toEqual([]);
      const timeline = await host.payments.timeline(id);
      expect(timeline.map(({ name }) => name)).not.toContain('receipt.failed');
    }
  });

  it('is sent for less where the service has taken a discount off', async () => {
    const receipt = receiptOfCart(cups, rub('5000.00'));
    const payment = await create({ method: 'sber_loan', amount: rub('5000.00'), receipt });
    bench.sandbox.payments.pay(payment.serviceId ?? '', {
      outcome: 'succeed',
      loan: 'installments_6',
      discount: '150.00',
    });
    await become(payment, ['auto:payment void', 'auto:payment~2 succeeded']);
    expect(atService(payment)).toEqual({ sent: [['payment', '4850.00']], short: [] });
  });

  it('is needed with the create, and its key is the module’s', async () => {
    await expect(host.payments.create(orderInput())).rejects.toThrow('receipt: is required');
    const company = { paymentPurpose: 'Tea', vatData: { type: 'untaxed' } } as const;
    await host.payments.create({ ...orderInput(), method: 'b2b_sberbank', methodData: company });
    const { id } = await paid();
    const own = { receiptKey: 'auto:payment', type: 'payment', receipt: cups } as const;
    const rule = 'receiptKey: must not begin with “auto:” or contain “~”';
    await expect(host.payments.receipts.create(id, own)).rejects.toThrow(rule);
    for (const receiptKey of ['auto:payment', 'parcel~2'])
      await expect(host.payments.settlePrepayment(id, { receiptKey })).rejects.toThrow(rule);
  });
});

describe('a receipt that follows a refund', () => {
  it('is of what was returned: all of it, or a part', async () => {
    const [whole, part] = [await paid(), await paid()];
    const all = await host.payments.refund(whole.id, { refundKey: 'all' });
    const receipt = receiptOfPart(cups, { lines: [{ line: 0, quantity: 1 }] });
    const one = { refundKey: 'one cup', amount: receiptTotal(receipt), receipt };
    const cup = await host.payments.refund(part.id, one);
    await become(whole, ['auto:payment succeeded', `auto:refund:${all.id} succeeded`]);
    await become(part, ['auto:payment succeeded', `auto:refund:${cup.id} succeeded`]);
    expect(atService(whole)).toEqual({ sent: expect.arrayContaining([['refund', '100.00']]), short: [] });
    expect(atService(part)).toEqual({ sent: expect.arrayContaining([['refund', '33.33']]), short: [] });
  });

  it('gives goods back once, those of refunds that follow included', async () => {
    const { id } = await paid({ receipt: cupAndSpoon });
    const receipt = receiptOfPart(cupAndSpoon, { lines: [{ line: 0 }] });
    const refund = (refundKey: string) =>
      host.payments.refund(id, { refundKey, amount: receiptTotal(receipt), receipt });
    const both = await Promise.allSettled([refund('one desk'), refund('another desk')]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(refund('a third desk')).rejects.toThrow(
      'receipt.items[0]: gives back more than is left of “Cup”, 0.00',
    );
    const part = await paid({ receipt: cupAndSpoon, capture: false });
    const amount = receiptTotal(receipt);
    const spoon = receiptOfPart(cupAndSpoon, { lines: [{ line: 1 }] });
    await host.payments.capture(part.id, { amount: receiptTotal(spoon), receipt: spoon });
    await expect(host.payments.refund(part.id, { refundKey: 'cup', amount, receipt })).rejects.toThrow(
      'left of “Cup”, 0.00',
    );
  });

  it('is dropped where the refund is given up', async () => {
    const payment = await paid();
    await become(payment, ['auto:payment succeeded']);
    bench.sandbox.faults.order({ on: 'refund', fault: 'forbidden' });
    await expect(host.payments.refund(payment.id, { refundKey: 'all' })).rejects.toMatchObject({
      code: 'operation_refused',
    });
    expect(await known(payment)).toEqual([
      'auto:payment succeeded',
      expect.stringMatching(/^auto:refund:.* void$/),
    ]);
  });

  it('made elsewhere is that of the payment, or a person is asked for it', async () => {
    const [whole, part] = [await paid(), await paid()];
    for (const payment of [whole, part]) await become(payment, ['auto:payment succeeded']);
    bench.sandbox.refunds.make(whole.serviceId ?? '', '100.00');
    await reread(host, whole.id);
    const [made] = await host.payments.refunds(whole.id);
    await become(whole, ['auto:payment succeeded', `auto:refund:${made?.id} succeeded`]);
    expect(atService(whole).short).toEqual([]);
    bench.sandbox.refunds.make(part.serviceId ?? '', '30.00');
    await reread(host, part.id);
    const [problem] = await becomeProblems(part);
    expect(problem).toMatchObject({ kind: 'missing', remedy: 'send_it', receiptKey: null });
    expect(
      await eventually(
        () => bench.effects(host, part.id),
        (effects) => effects.includes('receipt.failed: a refund'),
      ),
    ).toEqual(['receipt.failed: a refund', 'receipt.succeeded: auto:payment']);
    const amount = rub('30.00');
    const receipt = receiptOfPart(cups, { amount });
    const refundId = problem?.refundId ?? '';
    await host.payments.receipts.create(part.id, {
      receiptKey: 'by hand',
      type: 'refund',
      refundId,
      receipt,
    });
    expect(atService(part).short).toEqual([]);
    await become(part, ['auto:payment succeeded', 'by hand succeeded']);
    expect(await problemsOf(part)).toEqual([]);
    await reread(host, part.id);
    expect(await problemsOf(part)).toEqual([]);
  });

  it('made elsewhere stays missing where one of another sum was sent', async () => {
    const payment = await paid();
    await become(payment, ['auto:payment succeeded']);
    bench.sandbox.refunds.make(payment.serviceId ?? '', '30.00');
    await reread(host, payment.id);
    const [problem] = await becomeProblems(payment);
    const receipt = receiptOfPart(cups, { amount: rub('10.00') });
    const refundId = problem?.refundId ?? '';
    const sent = { receiptKey: 'too little', type: 'refund', refundId, receipt } as const;
    await host.payments.receipts.create(payment.id, sent);
    await become(payment, ['auto:payment succeeded', 'too little succeeded']);
    expect(await problemsOf(payment)).toMatchObject([{ kind: 'missing', id: problem?.id }]);
  });

  it('made elsewhere, and by hand in the register, is no difference of an audit any more', async () => {
    const from = new Date(Date.now() + bench.sandbox.clock.offsetMs());
    const payment = await paid();
    await become(payment, ['auto:payment succeeded']);
    bench.sandbox.refunds.make(payment.serviceId ?? '', '30.00');
    await reread(host, payment.id);
    const [problem] = await becomeProblems(payment);
    const differences = async () => {
      const to = new Date(Date.now() + bench.sandbox.clock.offsetMs() + 1_000);
      const found: AuditDifference[] = [];
      for await (const slice of operator.audit({ from, to })) found.push(...slice.differences);
      return found.filter(({ paymentId }) => paymentId === payment.id);
    };
    expect(await differences()).toMatchObject([{ object: 'receipts', fields: ['refunded'] }]);
    await operator.resolveReceipt(problem?.id ?? '', { by: 'anna', note: 'Receipt 4711' });
    expect(await differences()).toEqual([]);
  });

  it('of all of it names whom it goes to once that of the payment was forgotten', async () => {
    const payment = await paid();
    await become(payment, ['auto:payment succeeded']);
    await bench.asOwner(
      'UPDATE payments_operations SET personal = NULL, has_personal = false WHERE payment_id = $1',
      [payment.id],
    );
    const refund = (receipt?: ReceiptInput) =>
      host.payments.refund(payment.id, { refundKey: 'all', ...(receipt && { receipt }) });
    await expect(refund()).rejects.toThrow(PaymentInputError);
    expect(await host.payments.refunds(payment.id)).toEqual([]);
    const { id } = await refund({ ...cups, customer: { phone: '79001234567' } });
    await become(payment, ['auto:payment succeeded', `auto:refund:${id} succeeded`]);
    expect(atService(payment).short).toEqual([]);
  });
});

describe('a receipt that was sent and not registered', () => {
  it('is sent again by a person, once, as it was', async () => {
    bench.sandbox.receipts.next({ status: 'canceled' });
    const payment = await paid();
    const [problem] = await becomeProblems(payment);
    expect(problem).toMatchObject({ kind: 'failed', remedy: 'send_again', receiptKey: 'auto:payment' });
    const again = () => operator.sendReceiptAgain(problem?.id ?? '', { by: 'anna', note: 'works again' });
    const sent = await Promise.all([again(), again()]);
    expect(sent.flatMap((receipt) => receipt?.receiptKey ?? [])).toEqual(['auto:payment~2']);
    expect(await problemsOf(payment)).toEqual([]);
    await become(payment, ['auto:payment canceled', 'auto:payment~2 succeeded']);
    expect(atService(payment)).toEqual({
      sent: [
        ['payment', '100.00'],
        ['payment', '100.00'],
      ],
      short: [],
    });
    const timeline = await host.payments.timeline(payment.id);
    expect(timeline.map(({ name }) => name)).toContain('receipt.sent_again');
    // What depends on it looks at the attempt that was registered.
    const { id } = await host.payments.refund(payment.id, { refundKey: 'all' });
    await become(payment, [
      'auto:payment canceled',
      'auto:payment~2 succeeded',
      `auto:refund:${id} succeeded`,
    ]);
  });

  it('may say something else then, for the same sum', async () => {
    bench.sandbox.receipts.next({ status: 'canceled' });
    const payment = await paid();
    const [problem] = await becomeProblems(payment);
    const id = problem?.id ?? '';
    const doing = { by: 'anna', note: 'the right rate' };
    const items = [{ description: 'Cups', amount: rub('100.00'), quantity: 1, vatCode: 1 }] as const;
    const receipt = { customer: { phone: '79001234567' }, items };
    const dearer = { ...receipt, items: [{ ...items[0], amount: rub('101.00') }] };
    await expect(operator.sendReceiptAgain(id, { ...doing, receipt: dearer })).rejects.toThrow('1.00 more');
    const sent = await operator.sendReceiptAgain(id, { ...doing, receipt });
    await become(payment, ['auto:payment canceled', 'auto:payment~2 succeeded']);
    const { serviceId } = (await host.payments.receipts.get(payment.id, sent?.receiptKey ?? '')) ?? {};
    expect(bench.sandbox.receipts.get(serviceId ?? '').items).toMatchObject([{ description: 'Cups' }]);
  });

  it('goes to another contact as it was otherwise, also once the first is forgotten', async () => {
    for (const status of ['canceled', 'canceled'] as const) bench.sandbox.receipts.next({ status });
    const payment = await paid();
    const doing = { by: 'anna', note: 'the buyer wrote another' };
    const sendTo = async (customer: ReceiptInput['customer']) => {
      const [problem] = await becomeProblems(payment);
      return operator.sendReceiptAgain(problem?.id ?? '', { ...doing, customer });
    };
    const requests = () =>
      bench.asOwner<{ body: string; personal: string | null }>(
        `SELECT body, personal FROM payments_operations WHERE payment_id = $1 AND kind = 'receipt' ORDER BY id`,
        [payment.id],
      );
    await expect(sendTo({ fullName: 'Anna' })).rejects.toThrow('needs an email or a phone');
    await sendTo({ email: 'second@buyer.example' });
    await become(payment, ['auto:payment canceled', 'auto:payment~2 canceled']);
    await bench.asOwner(`UPDATE payments_operations SET personal = NULL WHERE payment_id = $1`, [payment.id]);
    await sendTo({ email: 'third@buyer.example', fullName: 'Anna Orlova' });
    await become(payment, ['auto:payment canceled', 'auto:payment~2 canceled', 'auto:payment~3 succeeded']);
    const [first, ...others] = await requests();
    expect(others).toEqual([
      { body: first?.body, personal: null },
      {
        body: first?.body,
        personal: '{"customer":{"email":"third@buyer.example","full_name":"Anna Orlova"}}',
      },
    ]);
    expect(JSON.stringify(await host.payments.timeline(payment.id))).not.toContain('@');
  });

  it('says whom it goes to once: in the receipt, or beside what it was', async () => {
    bench.sandbox.receipts.next({ status: 'canceled' });
    const payment = await paid();
    const [problem] = await becomeProblems(payment);
    const doing = { by: 'anna', note: 'corrected' };
    await expect(
      operator.sendReceiptAgain(problem?.id ?? '', { ...doing, receipt: cups, customer: cups.customer }),
    ).rejects.toThrow('customer: must be left out beside receipt');
  });

  it('holds back those that depend on it, until it was made by hand', async () => {
    bench.sandbox.receipts.next({ status: 'canceled' });
    const payment = await paid();
    const [problem] = await becomeProblems(payment);
    const { id } = await host.payments.refund(payment.id, { refundKey: 'all' });
    expect(await known(payment)).toEqual(['auto:payment canceled', `auto:refund:${id} owed`]);
    await operator.resolveReceipt(problem?.id ?? '', { by: 'anna', note: 'Receipt 4711' });
    await become(payment, ['auto:payment canceled', `auto:refund:${id} succeeded`]);
  });

  it('that the service refuses is a failure that a person learns of', async () => {
    const payment = await create();
    // As if the service knew this rate no more.
    await bench.asOwner(
      `UPDATE payments_receipts SET body = replace(body, '"vat_code":11', '"vat_code":13') WHERE payment_id = $1`,
      [payment.id],
    );
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    const [problem] = await becomeProblems(payment);
    expect(problem).toMatchObject({ kind: 'failed', remedy: 'send_again' });
    await operator.sendReceiptAgain(problem?.id ?? '', { by: 'anna', note: 'a known rate', receipt: cups });
    await become(payment, ['auto:payment rejected', 'auto:payment~2 succeeded']);
    expect(atService(payment).short).toEqual([]);
  });

  it('is late where it is not registered in time, and where it cannot be sent', async () => {
    bench.sandbox.receipts.next({ status: 'pending' });
    const slow = await paid();
    await become(slow, ['auto:payment pending']);
    bench.sandbox.faults.order({ on: 'receipt', fault: 'error_500_before_commit', times: 1_000 });
    const unsent = await paid();
    await become(unsent, ['auto:payment submitting']);
    await bench.sandbox.clock.advance(2 * HOUR_MS);
    for (const payment of [slow, unsent]) {
      const [problem] = await becomeProblems(payment);
      expect(problem).toMatchObject({ kind: 'late', remedy: 'make_by_hand' });
      await expect(
        operator.sendReceiptAgain(problem?.id ?? '', { by: 'anna', note: 'hurry' }),
      ).rejects.toThrow(ReceiptNotPossibleError);
    }
    bench.sandbox.faults.clear();
    await become(unsent, ['auto:payment succeeded']);
    await becomeProblems(unsent, 0);
  });
});
