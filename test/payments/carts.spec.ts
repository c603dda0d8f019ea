import {
  receiptOfPart,
  receiptTotal,
  yookassaProfile,
  type CreatePaymentInput,
  type ReceiptInput,
} from '@holdfast/payments';
import {
  openBench,
  orderInput,
  paidPayment,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';
import { cupAndSpoon, cups, rub } from '../support/receipts.js';
import { testAccount } from '../support/shop.js';

const otherAddress: ReceiptInput = { ...cups, customer: { email: 'boris@buyer.example' } };

describe.each(['with_payment', 'after_payment'] as const)('an order whose receipts go %s', (scenario) => {
  let bench: Bench;
  let host: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench(testAccount, { profile: 'yookassa', receipts: { scenario, provider: 'atol' } });
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
