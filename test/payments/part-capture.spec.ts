import {
  OnPaymentEvent,
  OperationInProgressError,
  OperationRefusedError,
  OrderAmountExceededError,
  PaymentInputError,
  PaymentNotHeldError,
  PaymentsService,
  type CreatePaymentInput,
  type HandlerContext,
  type Payment,
  type PaymentEvent,
} from '@holdfast/payments';
import { PaymentsApi, shopCredentials } from '@holdfast/payments/client';
import { jest } from '@jest/globals';
import { Injectable, Logger } from '@nestjs/common';
import { testAccount } from '../support/account.js';
import { eventually } from '../support/eventually.js';
import {
  reread,
  openBench,
  orderInput,
  paymentBecomes,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';

const roubles = (value: string) => ({ value, currency: 'RUB' as const });
const part = { amount: roubles('60.00') };

/** Captures what the metadata say, in the handler's transaction. */
@Injectable()
class CaptureAtOnce {
  constructor(private readonly payments: PaymentsService) {}

  @OnPaymentEvent('payment.waiting_for_capture', { id: 'test.capture-a-part' })
  async capture({ payment }: PaymentEvent, { manager }: HandlerContext): Promise<void> {
    const { keeps } = payment.metadata;
    if (keeps !== undefined)
      await this.payments.capture(payment.id, { ...part, keepsDue: keeps === 'yes', manager });
  }
}

/** What a capture of less lets go is no longer due, unless its caller charges the rest otherwise. */
describe('a captured part of a hold', () => {
  let bench: Bench;
  let host: PaymentsHost;
  beforeAll(async () => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    bench = await openBench();
    host = await bench.startHost({}, [CaptureAtOnce]);
  });
  afterAll(() => bench.close());
  afterEach(() => bench.sandbox.faults.clear());

  /** Of 100.00. */
  async function held(fields: Partial<CreatePaymentInput> = {}): Promise<Payment> {
    const payment = await host.payments.create({ ...orderInput(), capture: false, ...fields });
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    return paymentBecomes(host, payment.id, 'waiting_for_capture');
  }

  const captured = ({ id }: Payment) => paymentBecomes(host, id, 'succeeded');
  const stateOf = async ({ orderReference }: Payment) => {
    const order = await host.payments.getOrder(orderReference);
    return `${order?.state}, ${order?.waived.value} of ${order?.totalDue.value} waived`;
  };
  const captureElsewhere = ({ serviceId }: Payment, { amount } = part) => {
    const { shopId, secretKey } = testAccount;
    const credentials = shopCredentials(shopId, secretKey);
    const api = new PaymentsApi({ serviceUrl: bench.sandbox.url, credentials });
    return api.capturePayment(serviceId ?? '', { amount });
  };
  const again = (payment: Payment, value: string, fields: Partial<CreatePaymentInput> = {}) => {
    const reference = payment.orderReference;
    const order = { reference, totalDue: roubles('100.00') };
    return host.payments.create({ ...orderInput(reference), order, amount: roubles(value), ...fields });
  };
  const LET_GO = 'paid, 40.00 of 100.00 waived';
  const KEPT = 'unpaid, 0.00 of 100.00 waived';

  it.each([
    ['no', LET_GO],
    ['yes', KEPT],
  ])('in a handler, that keeps the rest due: %s', async (keeps, state) => {
    const payment = await host.payments.create({ ...orderInput(), capture: false, metadata: { keeps } });
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    await captured(payment);
    expect(await stateOf(payment)).toBe(state);
  });

  it.each([
    [false, LET_GO],
    [true, KEPT],
  ])('whose answer was lost, and that keeps the rest due: %s', async (keepsDue, state) => {
    const payment = await held();
    bench.sandbox.faults.order({ on: 'capture', fault: 'error_500_after_commit', times: 100 });
    await host.payments.capture(payment.id, { ...part, keepsDue }).catch(() => undefined);
    await captured(payment);
    expect(await stateOf(payment)).toBe(state);
  });

  it('whose answer was lost for longer than its key lives keeps the rest due all the same', async () => {
    const payment = await held();
    bench.sandbox.faults.order({ on: 'capture', fault: 'error_500_after_commit', times: 100 });
    bench.sandbox.faults.order({ on: 'read', fault: 'error_500_before_commit', times: 1_000 });
    await host.payments.capture(payment.id, { ...part, keepsDue: true }).catch(() => undefined);
    await bench.asOwner(
      `UPDATE payments_operations SET recorded_at = recorded_at - interval '25 hours', first_sent_at = first_sent_at - interval '25 hours'
       WHERE payment_id = $1 AND kind = 'capture'`,
      [payment.id],
    );
    bench.sandbox.faults.clear();
    await reread(host, payment.id);
    expect(await stateOf(payment)).toBe(KEPT);
  });

  it('beside other payments of its order counts with them', async () => {
    const order = { reference: 'in-parts', totalDue: roubles('150.00') };
    const deposit = await held({ order, part: 'deposit' });
    const rest = await held({ order, part: 'rest', amount: roubles('50.00') });
    await host.payments.capture(deposit.id, part);
    expect(await stateOf(deposit)).toBe('authorized, 40.00 of 150.00 waived');
    await host.payments.capture(rest.id, { amount: roubles('30.00'), keepsDue: true });
    expect(await stateOf(deposit)).toBe('unpaid, 40.00 of 150.00 waived');
    const more = { order, part: 'more', returnUrl: 'https://shop.example/' };
    const tooMuch = host.payments.create({ ...more, amount: roubles('20.01') });
    await expect(tooMuch).rejects.toBeInstanceOf(OrderAmountExceededError);
    const last = await host.payments.create({ ...more, amount: roubles('20.00') });
    bench.sandbox.payments.pay(last.serviceId ?? '', { outcome: 'succeed' });
    await captured(last);
    expect(await stateOf(deposit)).toBe('paid, 40.00 of 150.00 waived');
  });

  it('lets the rest go where it was captured elsewhere, whatever a refused capture of ours had said', async () => {
    const payment = await held();
    bench.sandbox.faults.order({ on: 'capture', fault: 'forbidden' });
    const refused = host.payments.capture(payment.id, { ...part, keepsDue: true });
    await expect(refused).rejects.toBeInstanceOf(OperationRefusedError);
    await captureElsewhere(payment);
    await captured(payment);
    expect(await stateOf(payment)).toBe(LET_GO);
  });

  it('says of the rest what its own capture says, and not a refused one before it', async () => {
    for (const [first, second, state] of [
      [true, false, LET_GO],
      [false, true, KEPT],
    ] as const) {
      const payment = await held();
      bench.sandbox.faults.order({ on: 'capture', fault: 'forbidden' });
      const refused = host.payments.capture(payment.id, { ...part, keepsDue: first });
      await expect(refused).rejects.toBeInstanceOf(OperationRefusedError);
      await host.payments.capture(payment.id, { ...part, keepsDue: second });
      expect(await stateOf(payment)).toBe(state);
    }
  });

  it('of a total that is met again opens no other payment, and of one that is kept due opens the rest', async () => {
    const gone = await held();
    await host.payments.capture(gone.id, part);
    await expect(again(gone, '100.00', { capture: false })).rejects.toMatchObject({
      code: 'order_already_paid',
    });
    for (const fields of [{}, { part: 'rest' }, { replace: true }])
      await expect(again(gone, '40.00', fields)).rejects.toMatchObject({
        code: 'order_amount_exceeded',
        claimedMinor: 10_000,
      });
    expect(await stateOf(gone)).toBe(LET_GO);
    const kept = await held();
    await host.payments.capture(kept.id, { ...part, keepsDue: true });
    expect(await again(kept, '40.00')).toMatchObject({ status: 'pending' });
  });

  it('is the same capture only with the same word about the rest', async () => {
    const payment = await held();
    bench.sandbox.faults.order({ on: 'capture', fault: 'stall' });
    const first = host.payments.capture(payment.id, { ...part, keepsDue: true });
    const recorded = () =>
      bench.asOwner(`SELECT FROM payments_operations WHERE payment_id = $1 AND kind = 'capture'`, [
        payment.id,
      ]);
    await eventually(recorded, ({ length }) => length === 1);
    const other = host.payments.capture(payment.id, part);
    await expect(other).rejects.toBeInstanceOf(OperationInProgressError);
    bench.sandbox.faults.clear();
    await first.catch(() => undefined);
    await captured(payment);
    await expect(host.payments.capture(payment.id, part)).rejects.toBeInstanceOf(PaymentNotHeldError);
    expect(await host.payments.capture(payment.id, { ...part, keepsDue: true })).toMatchObject({
      status: 'succeeded',
    });
    expect(await stateOf(payment)).toBe(KEPT);
  });

  it('keeps nothing due of a whole hold, and takes no other word than true or false', async () => {
    const payment = await held();
    for (const keepsDue of [null, 'yes', 1])
      // @ts-expect-error as a caller without types does it
      await expect(host.payments.capture(payment.id, { keepsDue })).rejects.toThrow(PaymentInputError);
    await host.payments.capture(payment.id, { keepsDue: true });
    expect(await stateOf(payment)).toBe('paid, 0.00 of 100.00 waived');
  });

  it('whose money is given back leaves the whole order due again', async () => {
    const payment = await held();
    await host.payments.capture(payment.id, part);
    await host.payments.refund(payment.id, { refundKey: 'a', amount: roubles('20.00') });
    expect(await stateOf(payment)).toBe('partially_refunded, 40.00 of 100.00 waived');
    await host.payments.refund(payment.id, { refundKey: 'b' });
    expect(await stateOf(payment)).toBe('refunded, 0.00 of 100.00 waived');
    expect(await again(payment, '100.00')).toMatchObject({ status: 'pending' });
  });

  it.each([
    [
      'before',
      async (payment: Payment, change: () => Promise<unknown>) => {
        await change();
        await host.payments.capture(payment.id, part);
      },
    ],
    [
      'after',
      async (payment: Payment, change: () => Promise<unknown>) => {
        await host.payments.capture(payment.id, part);
        await change();
      },
    ],
  ])('is not too much where its shop lowers what is due by itself, %s it', async (_when, both) => {
    const payment = await held();
    await both(payment, () => host.payments.changeTotalDue(payment.orderReference, part.amount));
    expect(await stateOf(payment)).toBe('paid, 0.00 of 60.00 waived');
  });

  /** Each on its own payment and order: what is due in the end does not depend on which came first. */
  describe.each([
    [
      'lowered by all that was let go',
      '60.00',
      ['CTR', 'TCR', 'CRT'],
      'partially_refunded, 0.00 of 60.00 waived',
    ],
    ['lowered to what was captured, and raised', '60.00', ['CTU', 'TCU'], 'unpaid, 0.00 of 80.00 waived'],
    ['lowered, and raised before the capture', '60.00', ['TUC'], 'paid, 20.00 of 80.00 waived'],
    ['lowered by a part of it', '80.00', ['CTRS', 'TCRS', 'CRTS', 'CRST'], 'paid, 20.00 of 80.00 waived'],
    [
      'raised',
      '120.00',
      ['CRTS', 'CTRS', 'CTSR', 'TCRS', 'TCSR', 'TSCR'],
      'partially_refunded, 40.00 of 120.00 waived',
    ],
    ['raised, and lowered to what it was', '140.00', ['CTL', 'TCL'], 'paid, 40.00 of 100.00 waived'],
  ])('of an order whose total is %s', (_name, total, orders, state) => {
    /** Capture of 60.00 of 100.00, total, another 80.00 or 100.00, refund of 20.00, second payment of 20.00. */
    const steps: Record<string, (payment: Payment) => Promise<unknown>> = {
      C: ({ id }) => host.payments.capture(id, part),
      T: ({ orderReference }) => host.payments.changeTotalDue(orderReference, roubles(total)),
      U: ({ orderReference }) => host.payments.changeTotalDue(orderReference, roubles('80.00')),
      L: ({ orderReference }) => host.payments.changeTotalDue(orderReference, roubles('100.00')),
      R: ({ id }) => host.payments.refund(id, { refundKey: 'back', amount: roubles('20.00') }),
      S: async (payment) => {
        const { orderReference: reference } = payment;
        const { totalDue } = (await host.payments.getOrder(reference)) ?? {};
        const order = { reference, ...(totalDue && { totalDue }) };
        const second = await again(payment, '20.00', { order, part: 'second' });
        bench.sandbox.payments.pay(second.serviceId ?? '', { outcome: 'succeed' });
        return captured(second);
      },
    };
    it.each(orders)('in the order %s', async (order) => {
      const payment = await held();
      for (const step of order) await steps[step]?.(payment);
      expect(await stateOf(payment)).toBe(state);
    });
  });

  it('of a total that is lowered to it leaves what was given back to be charged again', async () => {
    const payment = await held();
    await host.payments.capture(payment.id, part);
    await host.payments.changeTotalDue(payment.orderReference, part.amount);
    await host.payments.refund(payment.id, { refundKey: 'a', amount: roubles('20.00') });
    const order = { reference: payment.orderReference, totalDue: part.amount };
    const second = { order, part: 'second' };
    await expect(again(payment, '20.01', second)).rejects.toMatchObject({ claimedMinor: 4_000 });
    expect(await again(payment, '20.00', second)).toMatchObject({ status: 'pending' });
  });

  it('of a payment that was replaced lets nothing go of what its order owes', async () => {
    const payment = await held();
    // The service refuses the release, which would end the hold.
    bench.sandbox.faults.order({ on: 'cancel', fault: 'forbidden', times: 100 });
    await again(payment, '80.00', { replace: true, order: { reference: payment.orderReference } });
    await captureElsewhere(payment);
    await captured(payment);
    expect(await stateOf(payment)).toBe('unpaid, 0.00 of 80.00 waived');
  });
});
