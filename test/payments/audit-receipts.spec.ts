import {
  PaymentsOperator,
  receiptOfPart,
  receiptTotal,
  yookassaProfile,
  type AuditDifference,
  type AuditSlice,
  type PaymentsModuleOptions,
  type ReceiptInput,
} from '@holdfast/payments';
import { testAccount } from '../support/account.js';
import { eventually } from '../support/eventually.js';
import { openBench, paidPayment, type Bench, type PaymentsHost } from '../support/payments-host.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const rub = (value: string) => ({ value, currency: 'RUB' as const });
const cups: ReceiptInput = {
  customer: { email: 'anna@buyer.example' },
  items: [{ description: 'Cup', amount: rub('50.00'), quantity: 2, vatCode: 11 }],
};
const cup = receiptOfPart(cups, { lines: [{ line: 0, quantity: 1 }] });

/** A shop with its audits; each begins where the last test ended. */
interface Shop {
  readonly bench: Bench;
  readonly host: PaymentsHost;
  audit(from?: Date): Promise<AuditSlice[]>;
  differences(from?: Date): Promise<AuditDifference[]>;
  nextTest(): Promise<void>;
  /** Sends a receipt as another system of the shop would. */
  sendElsewhere(body: object): Promise<void>;
}

async function openShop(
  scenario: 'with_payment' | 'after_payment',
  options: Partial<PaymentsModuleOptions> = {},
): Promise<Shop> {
  const bench = await openBench(testAccount, {
    profile: 'yookassa',
    receipts: { scenario, provider: 'atol' },
  });
  const host = await bench.startHost({ profile: yookassaProfile, ...options });
  let started = now();
  function now(): Date {
    return new Date(Date.now() + bench.sandbox.clock.offsetMs());
  }
  async function audit(from = started): Promise<AuditSlice[]> {
    const slices: AuditSlice[] = [];
    const to = new Date(now().getTime() + 1_000);
    for await (const slice of host.app.get(PaymentsOperator).audit({ from, to })) slices.push(slice);
    return slices;
  }
  return {
    bench,
    host,
    audit,
    differences: async (from) => (await audit(from)).flatMap((slice) => slice.differences),
    async nextTest() {
      bench.sandbox.faults.clear();
      await bench.sandbox.clock.advance(HOUR_MS);
      started = now();
    },
    async sendElsewhere(body) {
      const { shopId, secretKey } = testAccount;
      const answer = await fetch(`${bench.sandbox.url}/v3/receipts`, {
        method: 'POST',
        headers: {
          Authorization: `Basic ${Buffer.from(`${shopId}:${secretKey}`).toString('base64')}`,
          'Idempotence-Key': crypto.randomUUID(),
          'Content-Type': 'application/json',
        },
        body: JSON.stringify({ customer: { phone: '79001234567' }, send: true, ...body }),
      });
      expect(answer.status).toBe(200);
    },
  };
}

const wireItems = [{ description: 'Cups', amount: rub('100.00'), quantity: 1, vat_code: 11 }];
const cashless = [{ type: 'cashless', amount: rub('100.00') }];

describe('an audit of receipts that go with the money', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop('with_payment', { fiscalization: { register: 'third_party' } });
  });
  beforeEach(() => shop.nextTest());
  afterAll(() => shop.bench.close());

  const paid = (capture = true) => paidPayment(shop.bench, shop.host, { receipt: cups, capture });
  const lists = () => shop.bench.sandbox.ledger.requestCount({ endpoint: 'list_receipts' });
  const registered = () => shop.bench.sandbox.clock.advance(MINUTE_MS);
  const refundCup = (id: string) =>
    shop.host.payments.refund(id, { refundKey: 'cup', amount: receiptTotal(cup), receipt: cup });

  it('that add up counts them, and asks for no payment by itself', async () => {
    const [part, released, , returned] = [
      await paid(false),
      await paid(false),
      await paid(false),
      await paid(),
    ];
    await shop.host.payments.capture(part.id, { amount: receiptTotal(cup), receipt: cup });
    await shop.host.payments.cancel(released.id);
    await refundCup(returned.id);
    const before = lists();
    expect(await shop.audit()).toMatchObject([{ payments: 4, refunds: 1, receipts: 8, differences: [] }]);
    expect(lists() - before).toBe(1);
  });

  it('names a payment whose receipt failed, until a person has resolved it', async () => {
    shop.bench.sandbox.receipts.next({ status: 'canceled' });
    const { id, serviceId } = await paid();
    await registered();
    const operator = shop.host.app.get(PaymentsOperator);
    const [problem] = await eventually(
      async () => (await operator.receiptProblems()).filter(({ paymentId }) => paymentId === id),
      ({ length }) => length > 0,
    );
    expect(await shop.differences()).toEqual([
      {
        kind: 'different',
        object: 'receipts',
        serviceId,
        paymentId: id,
        here: { status: 'succeeded', amount: rub('100.00'), refunded: rub('0.00') },
        there: { status: 'canceled', amount: rub('0.00'), refunded: rub('0.00') },
        fields: ['amount'],
      },
    ]);
    await operator.resolveReceipt(problem?.id ?? '', {
      by: 'anna',
      note: 'Receipt 4711 made in the register',
    });
    expect(await shop.differences()).toEqual([]);
  });

  it('names a payment whose income another system sent once more, but no settlement of a prepayment', async () => {
    const { id, serviceId } = await paid();
    const sent = { type: 'payment', payment_id: serviceId, items: wireItems };
    await shop.sendElsewhere({ ...sent, settlements: [{ type: 'prepayment', amount: rub('100.00') }] });
    expect(await shop.differences()).toEqual([]);
    await shop.sendElsewhere({ ...sent, settlements: cashless });
    expect(await shop.differences()).toMatchObject([
      {
        paymentId: id,
        object: 'receipts',
        // It registers after two real seconds.
        there: { status: expect.stringMatching(/^(pending|succeeded)$/), amount: rub('200.00') },
        fields: ['amount'],
      },
    ]);
  });

  it('that begins in the middle finds what happened before it, and income that comes a day late', async () => {
    const [returned, part, doubled] = [await paid(), await paid(false), await paid()];
    await shop.bench.sandbox.clock.advance(DAY_MS);
    await shop.nextTest();
    await refundCup(returned.id);
    await shop.host.payments.capture(part.id, { amount: receiptTotal(cup), receipt: cup });
    const before = lists();
    expect(await shop.audit()).toMatchObject([{ payments: 0, refunds: 1, receipts: 3, differences: [] }]);
    // The list of the period, and that of the payment that was captured in part.
    expect(lists() - before).toBe(2);
    const sent = { type: 'payment', payment_id: doubled.serviceId, items: wireItems };
    await shop.sendElsewhere({ ...sent, settlements: cashless });
    expect(await shop.differences()).toMatchObject([
      { object: 'receipts', paymentId: doubled.id, fields: ['amount'] },
    ]);
  });

  describe.each([
    ['the list of the period', 0],
    ['the list of a payment that differs', 1],
  ])('that is not given %s', (_what, answered) => {
    beforeEach(async () => {
      shop.bench.sandbox.receipts.next({ status: 'canceled' });
      await paid();
      await registered();
      const order = { on: 'list_receipts', fault: 'no_date' } as const;
      if (answered > 0) shop.bench.sandbox.faults.order({ ...order, times: answered });
    });

    it('since the key may not list receipts, says so and compares the rest', async () => {
      const { id } = await paid();
      await shop.bench.asOwner(`UPDATE payments_payments SET captured_minor = 9000 WHERE id = $1`, [id]);
      shop.bench.sandbox.faults.order({ on: 'list_receipts', fault: 'forbidden' });
      expect(await shop.audit()).toMatchObject([
        {
          payments: 2,
          receipts: null,
          differences: [{ object: 'payment', paymentId: id, fields: ['amount'] }],
        },
      ]);
    });

    it('since the service fails, fails', async () => {
      const inAnHour = { fault: 'too_many_requests', retry_after: HOUR_MS } as const;
      shop.bench.sandbox.faults.order({ on: 'list_receipts', ...inAnHour });
      await expect(shop.audit()).rejects.toMatchObject({ code: 'service_too_many_requests' });
    });
  });
});

describe('an audit of receipts that the shop sends by itself', () => {
  let shop: Shop;
  let strict: PaymentsHost;
  beforeAll(async () => {
    shop = await openShop('after_payment');
    strict = await shop.bench.startHost({
      profile: yookassaProfile,
      fiscalization: { register: 'third_party' },
    });
  });
  beforeEach(() => shop.nextTest());
  afterAll(() => shop.bench.close());

  const paid = () => paidPayment(shop.bench, shop.host);
  const send = (id: string, receiptKey = 'sale') =>
    shop.host.payments.receipts.create(id, {
      receiptKey,
      type: 'payment',
      receipt: cups,
      settlements: [{ type: 'cashless', amount: rub('100.00') }],
    });

  it('compares each with ours, and lets polls take their time', async () => {
    const { id } = await paid();
    const { serviceId } = await send(id);
    const theirs = shop.bench.sandbox.receipts.get(serviceId ?? '');
    shop.bench.sandbox.receipts.finish(theirs.id, 'succeeded');
    expect(await shop.differences()).toEqual([]);
    await shop.bench.sandbox.clock.advance(MINUTE_MS);
    await eventually(
      () => shop.host.payments.receipts.list(id),
      ([first]) => first?.status === 'succeeded',
    );
    // A notification that came late has the payment read once more, and a receipt is followed until then.
    await eventually(
      () => shop.bench.asOwner('SELECT 1 FROM payments_due WHERE payment_id = $1', [id]),
      (places) => places.length === 0,
    );
    const set = (what: string) =>
      shop.bench.asOwner(`UPDATE payments_receipts SET ${what} WHERE payment_id = $1`, [id]);
    await set(`amount_minor = 9000`);
    expect(await shop.differences()).toMatchObject([
      { object: 'receipt', kind: 'different', serviceId, paymentId: id, fields: ['amount'] },
    ]);
    await set(`amount_minor = 10000, status = 'canceled'`);
    expect(await shop.differences()).toMatchObject([
      { kind: 'different', here: { status: 'canceled' }, there: { status: 'succeeded' }, fields: ['status'] },
    ]);
    // Nobody asks for it any more.
    await set(`status = 'pending'`);
    expect(await shop.differences()).toMatchObject([{ fields: ['status'] }]);
    await set(`status = 'succeeded', service_id = 'rt-nowhere'`);
    expect(await shop.differences()).toMatchObject([
      {
        object: 'receipt',
        kind: 'missing_there',
        serviceId: 'rt-nowhere',
        here: { status: 'succeeded', amount: rub('100.00') },
        there: null,
      },
    ]);
  });

  it('names a refund whose receipt never came', async () => {
    const { id, serviceId } = await paid();
    await send(id);
    await shop.host.payments.refund(id, { refundKey: 'cup', amount: rub('50.00') });
    expect(await shop.differences()).toMatchObject([
      {
        object: 'receipts',
        serviceId,
        paymentId: id,
        here: { amount: rub('100.00'), refunded: rub('50.00') },
        there: { amount: rub('100.00'), refunded: rub('0.00') },
        fields: ['refunded'],
      },
    ]);
  });

  it('names a payment without any where all need one, and none where nobody said so', async () => {
    const { id } = await paid();
    expect(await shop.differences()).toEqual([]);
    const found: AuditDifference[] = [];
    const to = new Date(Date.now() + shop.bench.sandbox.clock.offsetMs() + 1_000);
    const period = { from: new Date(to.getTime() - 10 * MINUTE_MS), to };
    for await (const slice of strict.app.get(PaymentsOperator).audit(period))
      found.push(...slice.differences);
    expect(found).toMatchObject([
      { object: 'receipts', kind: 'missing_there', paymentId: id, there: null, fields: [] },
    ]);
  });
});
