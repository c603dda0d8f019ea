import {
  PaymentNotFoundError,
  PaymentsOperator,
  yookassaProfile,
  type CreatePaymentInput,
  type ReceiptInput,
} from '@holdfast/payments';
import { testAccount } from '../support/account.js';
import { eventually } from '../support/eventually.js';
import { openBench, paidPayment, type Bench, type PaymentsHost } from '../support/payments-host.js';
import { cups, cupAndSpoon, customer, rub } from '../support/receipts.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let bench: Bench;
let host: PaymentsHost;
let operator: PaymentsOperator;
beforeAll(async () => {
  bench = await openBench(testAccount, {
    profile: 'yookassa',
    receipts: { scenario: 'with_payment', provider: 'atol' },
  });
  host = await bench.startHost({
    profile: yookassaProfile,
    fiscalization: { register: 'third_party', requireReceipt: false },
    holds: { policy: 'cancel', leadTimeMs: HOUR_MS },
  });
  operator = host.app.get(PaymentsOperator);
});
afterAll(() => bench.close());

const paid = (input: Partial<CreatePaymentInput> = {}) =>
  paidPayment(bench, host, { receipt: cups, ...input });

const notesOf = async (id: string): Promise<unknown[]> =>
  (await operator.inspect(id)).timeline
    .filter(({ name }) => name === 'payment.noted')
    .map(({ evidence }) => evidence);

describe('what a payment has paid for', () => {
  it('is told item by item, with what no refund gives back, and makes the receipt of a refund by pieces', async () => {
    const { id } = await paid({ receipt: { ...cupAndSpoon, taxSystemCode: 2 } });
    const goods = await operator.paidGoods(id);
    const cup = { line: 0, description: 'Cup', price: rub('40.00'), quantity: 1 };
    const spoon = { line: 1, description: 'Spoon', price: rub('60.00'), quantity: 1 };
    expect(goods?.items).toEqual([
      { ...cup, quantityLeft: 1, left: rub('40.00') },
      { ...spoon, quantityLeft: 1, left: rub('60.00') },
    ]);
    expect(goods?.receipt).toMatchObject({ customer, taxSystemCode: 2 });
    const receiptOf = goods?.receipt ?? cupAndSpoon;
    expect(goods?.worthOf([{ line: 1 }])).toEqual(rub('60.00'));
    expect(() => goods?.worthOf([{ line: 1, quantity: 2 }])).toThrow('lines[0].quantity: must be at most 1');
    expect(() => goods?.worthOf([])).toThrow('lines: needs at least one line');
    const refund = await host.payments.refund(id, { refundKey: 'r', receiptOf, lines: [{ line: 1 }] });
    expect(refund.amount).toEqual(rub('60.00'));
    expect((await operator.paidGoods(id))?.items).toEqual([
      { ...cup, quantityLeft: 1, left: rub('40.00') },
      { ...spoon, quantityLeft: 0, left: rub('0.00') },
    ]);
    await host.payments.refund(id, { refundKey: 's', receiptOf, amount: rub('10.00') });
    const later = await operator.paidGoods(id);
    expect(later?.items[0]).toEqual({ ...cup, quantityLeft: 1, left: rub('30.00') });
    expect(later?.worthOf([{ line: 0 }])).toEqual(rub('30.00'));
    expect(() => later?.worthOf([{ line: 1 }])).toThrow('lines[0]: must be at most what is left of it, 0.00');
  });

  it('is what was captured, where a part was', async () => {
    const { id } = await paid({ receipt: cupAndSpoon, capture: false });
    const [, spoon] = cupAndSpoon.items;
    const receipt: ReceiptInput = { ...cupAndSpoon, items: spoon === undefined ? [] : [spoon] };
    await host.payments.capture(id, { amount: rub('60.00'), receipt });
    expect((await operator.paidGoods(id))?.items).toEqual([
      {
        line: 0,
        description: 'Spoon',
        price: rub('60.00'),
        quantity: 1,
        quantityLeft: 1,
        left: rub('60.00'),
      },
    ]);
  });

  it('is told without the receipt once its contact is not kept any more, and not at all where none was recorded', async () => {
    const { id } = await paid({ receipt: cups });
    await bench.asOwner('UPDATE payments_operations SET personal = NULL WHERE payment_id = $1', [id]);
    const goods = await operator.paidGoods(id);
    expect(goods?.receipt).toBeNull();
    expect(() => goods?.worthOf([{ line: 0 }])).toThrow('receipt: is not kept any more');
    expect(goods?.items.map(({ left }) => left)).toEqual([rub('66.66'), rub('33.34')]);
    await bench.asOwner(
      `UPDATE payments_operations SET body = body::jsonb - 'receipt' WHERE payment_id = $1`,
      [id],
    );
    expect(await operator.paidGoods(id)).toBeNull();
  });
});

describe("a buyer's details", () => {
  const said = { ...cupAndSpoon, customer: { fullName: 'Anna Ivanova', email: 'anna@buyer.example' } };

  it('are masked, and told in full to whoever the timeline then names', async () => {
    const { id } = await paid({ receipt: said });
    expect(await operator.buyer(id)).toEqual([
      { name: 'full_name', value: 'A… I…' },
      { name: 'email', value: 'a…@buyer.example' },
    ]);
    expect(await notesOf(id)).toEqual([]);
    expect(await operator.showBuyer(id, { by: 'anna' })).toEqual([
      { name: 'full_name', value: 'Anna Ivanova' },
      { name: 'email', value: 'anna@buyer.example' },
    ]);
    expect(await notesOf(id)).toEqual([{ by: 'anna', note: "Saw the buyer's details" }]);
  });

  it('are in no request that is told with its body', async () => {
    const { id } = await paid({ receipt: said });
    const { operations } = await operator.inspect(id);
    expect(operations.map(({ kind }) => kind)).toEqual(['create']);
    expect(operations[0]?.body).toContain('"description":"Spoon"');
    expect(operations[0]?.body).not.toMatch(/anna|Ivanova/i);
  });

  it('are told to nobody where that could not be written down', async () => {
    const { id } = await paid({ receipt: said });
    await bench.asOwner('ALTER TABLE payments_events RENAME TO gone');
    const shown = operator.showBuyer(id, { by: 'anna' });
    await expect(shown).rejects.toThrow('payments_events');
    await bench.asOwner('ALTER TABLE gone RENAME TO payments_events');
    expect(await notesOf(id)).toEqual([]);
    await expect(operator.showBuyer(crypto.randomUUID(), { by: 'anna' })).rejects.toThrow(
      PaymentNotFoundError,
    );
  });
});

describe('a hold that a person leaves to people', () => {
  const doing = { by: 'anna', note: 'the buyer answers tomorrow' };

  it('is not let go by its policy, waits for somebody, and is captured by a person', async () => {
    const left = await paid({ capture: false });
    const other = await paid({ capture: false });
    expect(
      await Promise.all([operator.leaveHold(left.id, doing), operator.leaveHold(left.id, doing)]),
    ).toContain(true);
    expect(await operator.leaveHold(left.id, doing)).toBe(false);
    expect(await notesOf(left.id)).toEqual([
      { by: 'anna', note: 'Leaves the hold to a person: the buyer answers tomorrow' },
    ]);
    expect((await operator.inspect(left.id)).needs).toEqual(['holds_flagged']);
    expect((await operator.backlog()).flaggedHolds).toMatchObject({ count: 1 });
    await bench.sandbox.clock.advance(7 * DAY_MS - HOUR_MS / 2);
    await eventually(
      () => host.payments.get(other.id),
      ({ status }) => status === 'canceled',
    );
    await host.payments.refresh(left.id);
    expect(await host.payments.get(left.id)).toMatchObject({
      status: 'waiting_for_capture',
      holdDueAt: null,
    });
    expect((await host.payments.capture(left.id)).status).toBe('succeeded');
    expect(await operator.leaveHold(left.id, doing)).toBe(false);
  });
});

describe('the record of a payment', () => {
  it('has its receipts that need a person, and what was paid in advance', async () => {
    const item = { description: 'Cup', amount: rub('100.00'), quantity: 1, vatCode: 11 } as const;
    const receipt: ReceiptInput = { customer, items: [{ ...item, paymentMode: 'full_prepayment' }] };
    const { id } = await paid({ receipt });
    const other = await paid();
    const record = await operator.inspect(id);
    expect(record.unsettled).toEqual({ since: expect.any(Date), left: rub('100.00') });
    expect(record.receiptProblems).toEqual([]);
    bench.sandbox.receipts.next({ status: 'canceled' });
    await host.payments.settlePrepayment(id);
    const failed = await eventually(
      async () => {
        await bench.sandbox.clock.advance(60_000);
        return operator.inspect(id);
      },
      ({ receiptProblems }) => receiptProblems.length === 1,
    );
    expect(failed.receiptProblems).toMatchObject([
      { paymentId: id, kind: 'failed', receiptKey: 'settlement', remedy: 'send_again' },
    ]);
    expect(await operator.inspect(other.id)).toMatchObject({ receiptProblems: [], unsettled: null });
  });
});
