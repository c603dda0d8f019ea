import { OrderAlreadyPaidError, OrderAmountExceededError } from '@holdfast/payments';
import {
  openBench,
  orderInput,
  paymentBecomes,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';

const rub = (value: string) => ({ value, currency: 'RUB' as const });
const SETTLED = 3_000;

describe('an order', () => {
  let bench: Bench;
  let host: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    host = await bench.startHost({ sweeps: false });
  });
  afterAll(() => bench.close());

  /** A payment of a part, paid or held. */
  async function paidPart(reference: string, totalDue: string, part: string, value: string, capture = true) {
    const { id, serviceId } = await host.payments.create({
      ...orderInput(reference),
      order: { reference, totalDue: rub(totalDue) },
      part,
      amount: rub(value),
      capture,
    });
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    await host.payments.refresh(id);
    return id;
  }
  const sums = async (reference: string) =>
    (
      await bench.asOwner<object>(
        `SELECT paid_minor::int AS paid, held_minor::int AS held, refunded_minor::int AS refunded, let_go_minor::int AS "letGo"
         FROM payments_orders WHERE reference = $1`,
        [reference],
      )
    )[0];

  it('keeps the sums of its payments as each of them is held, captured in part, refunded and given up', async () => {
    const reference = 'order-of-parts';
    await paidPart(reference, '1000.00', 'paid', '100.00');
    const held = await paidPart(reference, '1000.00', 'held', '200.00', false);
    const gone = await paidPart(reference, '1000.00', 'gone', '300.00', false);
    expect(await sums(reference)).toMatchObject({ paid: 10_000, held: 50_000, refunded: 0 });
    await host.payments.capture(held, { amount: rub('150.00') });
    await host.payments.cancel(gone);
    await host.payments.refund(held, { refundKey: 'some', amount: rub('50.00') });
    expect(await sums(reference)).toEqual({ paid: 25_000, held: 0, refunded: 5_000, letGo: 5_000 });
  });

  describe('of three thousand settled payments', () => {
    const reference = 'large-order';
    const totalDue = '4000.00';
    let first = '';
    beforeAll(async () => {
      first = await paidPart(reference, totalDue, 'first', '100.00');
      await bench.asOwner(
        `INSERT INTO payments_payments (id, store_id, order_id, part, service_id, intent_key, status, currency, amount_minor,
           authorized_minor, captured_minor, capture, test, created_at, updated_at)
         SELECT gen_random_uuid(), store_id, order_id, CASE WHEN n % 2 = 0 THEN 'many' ELSE 'part-' || n END, 'loaded-' || n, 'loaded-' || n,
           status, currency, 100 + n % 2, 100 + n % 2, 100 + n % 2, capture, test, created_at - n * interval '1 second', updated_at
         FROM payments_payments, generate_series(1, ${SETTLED}) n WHERE id = $1`,
        [first],
      );
      await bench.asOwner(
        `UPDATE payments_orders SET paid_minor = paid_minor + ${SETTLED * 100 + SETTLED / 2} WHERE reference = $1`,
        [reference],
      );
    });

    const create = (part: string, value: string) =>
      host.payments.create({
        ...orderInput(reference),
        order: { reference, totalDue: rub(totalDue) },
        part,
        amount: rub(value),
      });

    it('shows the one that was paid last, until another is open', async () => {
      expect(await host.payments.currentPayment(reference)).toMatchObject({ id: first });
      const { id } = await create('next', '200.00');
      expect(await host.payments.currentPayment(reference)).toMatchObject({ id });
    });

    it('takes no payment beyond what is due, and none of its parts twice', async () => {
      // 3,115 are paid, and 200 are open.
      await expect(create('more', '685.01')).rejects.toBeInstanceOf(OrderAmountExceededError);
      await expect(create('many', '1.00')).rejects.toBeInstanceOf(OrderAlreadyPaidError);
      await expect(create('part-7', '1.01')).rejects.toBeInstanceOf(OrderAlreadyPaidError);
      expect(await create('more', '685.00')).toMatchObject({ status: 'pending' });
    });

    it('is paid by its last payment', async () => {
      for (const { id, serviceId } of (await host.payments.findByOrder(reference)).slice(-2)) {
        bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
        await host.payments.refresh(id);
        await paymentBecomes(host, id, 'succeeded');
      }
      expect(await host.payments.getOrder(reference)).toMatchObject({ state: 'paid', paid: rub(totalDue) });
    });
  });
});
