import {
  PaymentOutcomeUnknownError,
  receiptOfCart,
  receiptOfPart,
  yookassaProfile,
  type ReceiptInput,
} from '@holdfast/payments';
import { eventually } from '../support/eventually.js';
import {
  openBench,
  orderInput,
  paidPayment,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';
import { testAccount } from '../support/shop.js';

const rub = (value: string) => ({ value, currency: 'RUB' });
const customer = { email: 'anna@buyer.example' };
/** Three cups for 100.00: no price times three hits it. */
const cups: ReceiptInput = receiptOfCart(
  { customer, items: [{ description: 'Cup', amount: rub('35.00'), quantity: 3, vatCode: 11 }] },
  rub('100.00'),
);

let bench: Bench;
let host: PaymentsHost;
beforeAll(async () => {
  bench = await openBench(testAccount, {
    profile: 'yookassa',
    receipts: { scenario: 'with_payment', provider: 'atol' },
  });
  host = await bench.startHost({ profile: yookassaProfile, fiscalization: { register: 'third_party' } });
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

const requests = () => bench.sandbox.ledger.requestCount({});

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
    const before = requests();
    await expect(host.payments.create({ ...orderInput(), ...more })).rejects.toThrow(message);
    expect(requests()).toBe(before);
  });

  it('by a part without a receipt, nor by the whole with one', async () => {
    const [held, done] = [await paid(false), await paid()];
    const part = rub('40.00');
    const before = requests();
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
    expect(requests()).toBe(before);
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
