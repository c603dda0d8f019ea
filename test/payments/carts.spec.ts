import {
  receiptOfCart,
  receiptOfPart,
  receiptTotal,
  yookassaProfile,
  type CreatePaymentInput,
  type ReceiptInput,
} from '@holdfast/payments';
import { testAccount } from '../support/account.js';
import { eventually } from '../support/eventually.js';
import {
  openBench,
  orderInput,
  paidPayment,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';
import { cupAndSpoon, cups, rub } from '../support/receipts.js';

/** A demo store has no credit. */
const account = { ...testAccount, shopId: '4711' };
const otherAddress: ReceiptInput = { ...cups, customer: { email: 'boris@buyer.example' } };

describe.each(['with_payment', 'after_payment'] as const)('an order whose receipts go %s', (scenario) => {
  let bench: Bench;
  let host: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench(account, { profile: 'yookassa', receipts: { scenario, provider: 'atol' } });
    host = await bench.startHost({
      profile: yookassaProfile,
      fiscalization: { register: 'third_party', scenario },
    });
  });
  afterAll(() => bench.close());

  const create = (input: CreatePaymentInput, receipt: ReceiptInput, replace = false) =>
    host.payments.create({ ...input, receipt, replace });
  const pay = ({ serviceId }: { readonly serviceId: string | null }) =>
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });

  it('has the same payment for the same goods and buyer, however they are written', async () => {
    const input = orderInput();
    const first = await create(input, cups);
    const items = cups.items.map(({ quantity, ...item }) => ({ quantity: `${quantity}.000`, ...item }));
    expect(await create(input, { items: items.toReversed(), customer: cups.customer })).toMatchObject({
      id: first.id,
    });
  });

  it.each([
    ['goods', cupAndSpoon],
    ['address', otherAddress],
  ])(
    'has another payment for other %s at the same sum, where the old one may be replaced',
    async (_what, other) => {
      const input = orderInput();
      const first = await create(input, cups);
      await expect(create(input, other)).rejects.toMatchObject({
        code: 'order_amount_exceeded',
        openPaymentId: first.id,
      });
      const second = await create(input, other, true);
      expect(second.id).not.toBe(first.id);
      expect(await host.payments.get(first.id)).toMatchObject({ superseded: true });
      expect(await create(input, other, true)).toMatchObject({ id: second.id });
      const kept = await bench.asOwner<{ said: string }>(
        `SELECT body || coalesce(personal, '') AS said FROM payments_operations WHERE payment_id = $1
       UNION SELECT body || coalesce(personal, '') FROM payments_receipts WHERE payment_id = $1`,
        [second.id],
      );
      const said = kept.map((row) => row.said).join();
      expect(said).toContain(other.customer.email);
      expect(said).toContain(`"${other.items.at(-1)?.description}"`);
      expect(said).toContain(`"${other.items.at(-1)?.amount.value}"`);
    },
  );

  it('gives its hold up for other goods, and is paid whatever is asked for later', async () => {
    const input = { ...orderInput(), capture: false };
    const held = await create(input, cups);
    pay(held);
    await host.payments.refresh(held.id);
    for (const [receipt, replace] of [
      [cups, true],
      [cupAndSpoon, false],
    ] as const)
      await expect(create(input, receipt, replace)).rejects.toMatchObject({ code: 'order_already_paid' });
    const other = await create(input, cupAndSpoon, true);
    expect(other.id).not.toBe(held.id);
    const paid = { ...orderInput() };
    const first = await create(paid, cups);
    pay(first);
    await host.payments.refresh(first.id);
    await expect(create(paid, otherAddress)).rejects.toMatchObject({ code: 'order_already_paid' });
  });

  const sentOf = ({ serviceId }: { readonly serviceId: string | null }) =>
    bench.sandbox.receipts.list().filter(({ payment_id: of }) => of === serviceId);
  const registered = (payment: { readonly serviceId: string | null }, count: number) =>
    eventually(
      async () => {
        await bench.sandbox.clock.advance(5_000);
        return sentOf(payment);
      },
      (receipts) => receipts.length === count && receipts.every(({ status }) => status === 'succeeded'),
    );

  it('gives lines of it back, each once, and then the rest, of what was recorded', async () => {
    const receipt = { ...cups, items: cups.items.map((item) => ({ ...item, id: 'cup' })) };
    const payment = await paidPayment(bench, host, { receipt });
    const cup = (refundKey: string, quantity = 1) =>
      host.payments.refund(payment.id, { refundKey, receiptOf: receipt, lines: [{ id: 'cup', quantity }] });
    const [first, again] = await Promise.all([cup('cup'), cup('cup')]);
    expect(again).toMatchObject({ id: first.id, amount: rub('33.33') });
    expect(await cup('cup')).toMatchObject({ id: first.id });
    await expect(cup('cup', 2)).rejects.toMatchObject({ code: 'refund_key_reused' });
    await expect(cup('three more', 3)).rejects.toThrow('lines[0]: must be at most what is left of it, 66.67');
    await registered(payment, 2);
    const rest = () => host.payments.refund(payment.id, { refundKey: 'rest' });
    const [one, two] = await Promise.all([rest(), rest()]);
    expect(one).toMatchObject({ id: two.id, status: 'succeeded', amount: rub('66.67') });
    const [last] = await registered(payment, 3);
    expect(last?.items).toMatchObject([
      { quantity: 1, amount: rub('33.33') },
      { quantity: 1, amount: rub('33.34') },
    ]);
    await expect(cup('nothing')).rejects.toMatchObject({ code: 'payment_wholly_refunded' });
  });

  it('gives back what was registered where the service has taken a discount off, and no kopeck more', async () => {
    const goods = { quantity: 1, vatCode: 11 } as const;
    const receipt = receiptOfCart({
      ...cups,
      items: [
        { ...goods, id: 'tv', description: 'TV', amount: rub('20000.00') },
        { ...goods, id: 'cable', description: 'Cable', amount: rub('1000.00') },
      ],
    });
    const input = { ...orderInput(), amount: rub('21000.00'), method: 'sber_loan' } as const;
    const payment = await create(input, receipt);
    const paid = { outcome: 'succeed', loan: 'installments_6', discount: '500.00' } as const;
    bench.sandbox.payments.pay(payment.serviceId ?? '', paid);
    await host.payments.refresh(payment.id);
    await registered(payment, 1);
    const whole = { amount: rub('20000.00'), receipt: { ...receipt, items: receipt.items.slice(0, 1) } };
    await expect(host.payments.refund(payment.id, { refundKey: 'at its price', ...whole })).rejects.toThrow(
      'receipt.items[0]: gives back more than is left of “TV”, 19523.81',
    );
    const back = await host.payments.refund(payment.id, {
      refundKey: 'tv',
      receiptOf: receipt,
      lines: [{ id: 'tv' }],
    });
    expect(back.amount).toEqual(rub('19523.81'));
    await registered(payment, 2);
    expect(await host.payments.refund(payment.id, { refundKey: 'rest' })).toMatchObject({
      amount: rub('976.19'),
    });
    const receipts = await registered(payment, 3);
    const sums = receipts.map(({ type, settlements }) => [type, settlements[0]?.amount.value]);
    expect(sums.toReversed()).toEqual([
      ['payment', '20500.00'],
      ['refund', '19523.81'],
      ['refund', '976.19'],
    ]);
  });

  it('asks for the receipt of the rest where the contact was forgotten, and takes that of the payment', async () => {
    const payment = await paidPayment(bench, host, { receipt: cups });
    const refund = (refundKey: string, more: object = {}) =>
      host.payments.refund(payment.id, { refundKey, ...more });
    await refund('sum', { amount: rub('10.00'), receiptOf: cups });
    await registered(payment, 2);
    await bench.asOwner(
      'UPDATE payments_operations SET personal = NULL, has_personal = false WHERE payment_id = $1',
      [payment.id],
    );
    await expect(refund('rest')).rejects.toThrow('receipt: is required for a part, 90.00 of 100.00');
    expect(await refund('rest', { receiptOf: cups })).toMatchObject({ status: 'succeeded' });
    const [last] = await registered(payment, 3);
    expect(last).toMatchObject({ settlements: [{ amount: rub('90.00') }] });
    expect(last?.items).toHaveLength(3);
  });

  it('gives marked goods back in the status of a return, the whole order and a part of it', async () => {
    const marked = (code: string, plannedStatus: number) =>
      ({
        description: 'Coat',
        amount: rub('50.00'),
        quantity: 1,
        vatCode: 11,
        measure: 'piece',
        paymentSubject: 'marked',
        markMode: '0',
        markCodeInfo: { gs1m: code },
        markQuantity: { numerator: 1, denominator: 1 },
        plannedStatus,
      }) as const;
    const receipt = { customer: cups.customer, items: [marked('A', 1), marked('B', 1)] };
    const payment = await paidPayment(bench, host, { receipt });
    await host.payments.refund(payment.id, {
      refundKey: 'half a coat',
      receiptOf: receipt,
      lines: [{ line: 0, quantity: 0.5 }],
    });
    await registered(payment, 2);
    await host.payments.refund(payment.id, { refundKey: 'rest' });
    const statuses = (receipts: ReturnType<typeof sentOf>) =>
      receipts.map(({ items }) =>
        items.map((item) => ('planned_status' in item ? item.planned_status : null)),
      );
    expect(statuses(await registered(payment, 3))).toEqual([[4, 3], [4], [1, 1]]);
    if (scenario === 'with_payment') return;
    const whole = await paidPayment(bench, host, { receipt });
    await host.payments.refund(whole.id, { refundKey: 'all' });
    expect(statuses(await registered(whole, 2))).toEqual([
      [3, 3],
      [1, 1],
    ]);
  });

  it('has no refund of other goods, or for another address, under the same key', async () => {
    const { id } = await paidPayment(bench, host, { receipt: cupAndSpoon });
    const receipt = receiptOfPart(cupAndSpoon, { lines: [{ line: 0 }] });
    const spoon = receiptOfPart(cupAndSpoon, { amount: receiptTotal(receipt) });
    const refund = (said?: ReceiptInput) =>
      host.payments.refund(id, { refundKey: 'cup', amount: rub('40.00'), ...(said && { receipt: said }) });
    const { id: refundId } = await refund(receipt);
    expect(await refund({ items: receipt.items, customer: receipt.customer })).toMatchObject({
      id: refundId,
    });
    for (const other of [spoon, { ...receipt, customer: otherAddress.customer }, undefined])
      await expect(refund(other)).rejects.toMatchObject({ code: 'refund_key_reused' });
    await bench.asOwner(
      'UPDATE payments_operations SET personal = NULL, has_personal = false WHERE payment_id = $1',
      [id],
    );
    expect(await refund(receipt)).toMatchObject({ id: refundId });
    await expect(refund({ ...receipt, customer: otherAddress.customer })).rejects.toMatchObject({
      code: 'refund_key_reused',
    });
  });
});
