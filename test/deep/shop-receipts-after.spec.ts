import { Buyer } from '../support/buyer.js';
import { eventually } from '../support/eventually.js';
import { startShopWithReceiptsAfter, type TestShop } from '../support/shop.js';
import { Staff } from '../support/staff.js';

const MINUTE_MS = 60_000;

describe('the shop with receipts that follow the money', () => {
  let test: TestShop;
  let buyer: Buyer;
  let staff: Staff;

  beforeAll(async () => {
    test = await startShopWithReceiptsAfter();
    buyer = new Buyer(test.shop.url);
    staff = new Staff(test.shop.url);
  });
  afterAll(() => test.close());

  const ordered = async (product: string, quantity: number) => {
    const reference = await buyer.newReference(product);
    await buyer.checkOut(reference, product, quantity);
    const serviceId = (await staff.order(reference)).payments[0]?.serviceId ?? '';
    return { reference, serviceId };
  };
  const receiptsOf = (serviceId: string) =>
    test.sandbox.receipts
      .list()
      .filter((receipt) => receipt.payment_id === serviceId)
      .toReversed();
  /** What the staff see of an order's receipts, while the register answers. */
  const become = (reference: string, expected: readonly string[]) =>
    eventually(
      async () => {
        await test.sandbox.clock.advance(MINUTE_MS);
        const { receipts, payments } = await staff.order(reference);
        const refunds = payments.flatMap((payment) => payment.refunds.map(({ id }) => id));
        return receipts.map(({ receiptKey, status }) => {
          const key = refunds.reduce((text, id, index) => text.replace(id, String(index)), receiptKey);
          return `${key} ${status}`;
        });
      },
      (seen) => seen.join() === expected.join(),
    );

  it('sends the receipt of a purchase and of pieces once their money has moved, and shows them to the staff', async () => {
    const { reference, serviceId } = await ordered('milk-oolong', 3);
    expect((await staff.order(reference)).receipts.map(({ status }) => status)).toEqual(['owed']);
    expect(receiptsOf(serviceId)).toEqual([]);
    test.sandbox.payments.pay(serviceId, { outcome: 'succeed' });
    await staff.orderBecomes(reference, 'paid');
    await become(reference, ['auto:payment succeeded']);
    const refundKey = await staff.refundKey(reference);
    await staff.refundPieces(reference, refundKey, '1');
    await staff.orderBecomes(reference, 'partially_refunded');
    await become(reference, ['auto:payment succeeded', 'auto:refund:0 succeeded']);
    const pieces = (quantity: number) => [{ quantity, amount: { value: '1234.50' } }];
    expect(receiptsOf(serviceId)).toMatchObject([
      { type: 'payment', items: pieces(3), settlements: [{ type: 'cashless' }] },
      { type: 'refund', items: pieces(1) },
    ]);
    expect(test.sandbox.ledger.report().receiptsShort).toEqual([]);
  });

  it('hands over once the payment’s receipt is registered, and says so until then', async () => {
    test.sandbox.receipts.next({ status: 'pending' });
    const { reference, serviceId } = await ordered('stoneware-cup', 1);
    test.sandbox.payments.pay(serviceId, { outcome: 'succeed' });
    await staff.orderBecomes(reference, 'paid');
    const handOver = async () =>
      (await staff.send(`/staff/orders/${reference}/hand-over`)).headers.get('location');
    const notice = `/staff/orders/${reference}?notice=receipt_not_possible`;
    expect(await handOver()).toBe(notice);
    expect(await staff.read(notice)).toContain('press “Handed over” again once the payment’s is registered');
    await become(reference, ['auto:payment pending']);
    test.sandbox.receipts.finish(receiptsOf(serviceId)[0]?.id ?? '', 'succeeded');
    await become(reference, ['auto:payment succeeded']);
    expect(await handOver()).toBe(`/staff/orders/${reference}`);
    await become(reference, ['auto:payment succeeded', 'settlement succeeded']);
  });
});
