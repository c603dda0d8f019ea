import {
  OnPaymentEvent,
  PaymentInputError,
  PaymentsOperator,
  receiptOfPart,
  receiptTotal,
  yookassaProfile,
  type AuditSlice,
  type HandlerContext,
  type ReceiptEvent,
  type ReceiptInput,
  type UnsettledPrepayment,
} from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import { Client } from 'pg';
import { testAccount } from '../support/account.js';
import { eventually } from '../support/eventually.js';
import { openBench, paidPayment, type Bench, type PaymentsHost } from '../support/payments-host.js';
import { customer, rub } from '../support/receipts.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const TERM_MS = 10 * DAY_MS;

@Injectable()
class Told {
  @OnPaymentEvent('receipt.unsettled', { id: 'unsettled' })
  async told(event: ReceiptEvent, { manager }: HandlerContext): Promise<void> {
    const said = `${event.name}: ${Number(event.evidence['leftMinor'])}, ${event.receipt?.id ?? 'the payment’s own'}`;
    await manager.query('INSERT INTO effects (event, payment_id) VALUES ($1, $2)', [said, event.payment.id]);
  }
}

const item = { vatCode: 11, paymentMode: 'full_prepayment' } as const;
const prepaid: ReceiptInput = {
  customer,
  items: [
    { ...item, description: 'Cup', amount: rub('30.00'), quantity: 2 },
    { ...item, description: 'Delivery', amount: rub('40.00'), quantity: 1, paymentMode: 'full_payment' },
  ],
};
const advance: ReceiptInput = {
  customer,
  items: [{ ...item, description: 'Advance', amount: rub('100.00'), quantity: 1, paymentMode: 'advance' }],
};
const cup = receiptOfPart(prepaid, { lines: [{ line: 0, quantity: 1 }] });
/** Of both cups, once they were settled. */
const takesBack = (receiptKey: string) => ({
  receiptKey,
  type: 'refund' as const,
  receipt: {
    ...prepaid,
    items: prepaid.items.slice(0, 1).map((one) => ({ ...one, paymentMode: 'full_payment' }) as const),
  },
  settlements: [{ type: 'prepayment' as const, amount: rub('60.00') }],
});
const refundCup = (refundKey: string) => ({ refundKey, amount: receiptTotal(cup), receipt: cup });

function describeShop(scenario: 'with_payment' | 'after_payment', tests: (shop: () => Shop) => void): void {
  describe(`a prepayment whose receipt goes ${scenario}`, () => {
    let shop: Shop;
    beforeAll(async () => {
      shop = await openShop(scenario);
    });
    afterEach(() => shop.bench.sandbox.faults.clear());
    afterAll(() => shop.bench.close());
    tests(() => shop);
  });
}

interface Shop {
  readonly bench: Bench;
  readonly host: PaymentsHost;
  readonly operator: PaymentsOperator;
  /** A payment of 100.00 that is paid, its receipts registered. */
  readonly paid: (receipt?: ReceiptInput) => Promise<string>;
  /** What the list says of a payment; null: it is not in it. */
  readonly listed: (id: string) => Promise<UnsettledPrepayment | null>;
  /** How often its host was told by the end of another re-read. */
  readonly timesTold: (id: string) => Promise<number>;
  /** Waits until its host was told exactly this. */
  readonly isTold: (id: string, ...events: string[]) => Promise<unknown>;
  /** Waits until so much is left to settle. */
  readonly leftIs: (id: string, value: string | null) => Promise<UnsettledPrepayment | null>;
  /** Lets so much time pass, and waits until nothing is due any more. */
  readonly pass: (ms: number) => Promise<void>;
  readonly audit: () => Promise<AuditSlice[]>;
}

async function openShop(scenario: 'with_payment' | 'after_payment'): Promise<Shop> {
  const bench = await openBench(testAccount, {
    profile: 'yookassa',
    receipts: { scenario, provider: 'atol' },
  });
  const fiscalization = { register: 'third_party', scenario, unsettledAfterMs: TERM_MS } as const;
  // Two replicas on one database.
  await bench.startHost({ profile: yookassaProfile, fiscalization }, [Told]);
  const host = await bench.startHost({ profile: yookassaProfile, fiscalization }, [Told]);
  const operator = host.app.get(PaymentsOperator);
  const started = new Date(Date.now() + bench.sandbox.clock.offsetMs());

  async function listed(id: string): Promise<UnsettledPrepayment | null> {
    const { items } = await operator.unsettledPrepayments();
    return items.find(({ paymentId }) => paymentId === id) ?? null;
  }
  const isQuiet = async (): Promise<boolean> => {
    const { payments, operations, notifications, deliveries } = await operator.backlog();
    return [payments, operations, notifications, deliveries].every(({ count }) => count === 0);
  };
  async function pass(ms: number): Promise<void> {
    await bench.sandbox.clock.advance(ms);
    await eventually(isQuiet, Boolean);
  }
  async function isRegistered(id: string): Promise<boolean> {
    const { receiptStatus } = await host.payments.get(id);
    const statuses = [
      receiptStatus ?? 'succeeded',
      ...(await host.payments.receipts.list(id)).map(({ status }) => status),
    ];
    return statuses.every((status) => status === 'succeeded');
  }
  return {
    bench,
    host,
    operator,
    listed,
    pass,
    async paid(receipt = prepaid) {
      const { id } = await paidPayment(bench, host, { receipt });
      while (!(await isRegistered(id))) await pass(MINUTE_MS);
      return id;
    },
    leftIs: (id, value) =>
      eventually(
        () => listed(id),
        (found) => (found?.left.value ?? null) === value,
      ),
    async timesTold(id) {
      await host.payments.refresh(id);
      return (await host.payments.timeline(id)).filter(({ name }) => name === 'receipt.unsettled').length;
    },
    isTold: (id, ...events) =>
      eventually(
        () => bench.effects(host, id),
        (told) => JSON.stringify(told) === JSON.stringify(events),
      ),
    async audit() {
      const to = new Date(Date.now() + bench.sandbox.clock.offsetMs());
      const slices: AuditSlice[] = [];
      for await (const slice of operator.audit({ from: started, to })) slices.push(slice);
      return slices;
    },
  };
}

for (const scenario of ['with_payment', 'after_payment'] as const)
  describeShop(scenario, (shop) => {
    it('is listed from its payment on until all of it is settled, in parcels', async () => {
      const { host, paid, listed, leftIs, pass, timesTold } = shop();
      const id = await paid();
      const { orderReference } = await host.payments.get(id);
      expect(await listed(id)).toMatchObject({ orderReference, left: rub('60.00'), isOverdue: false });
      const one = [{ description: 'Cup', quantity: 1 }];
      await host.payments.settlePrepayment(id, { receiptKey: 'parcel-1', items: one });
      await pass(MINUTE_MS);
      const before = await leftIs(id, '30.00');
      await host.payments.settlePrepayment(id, { receiptKey: 'parcel-2' });
      expect(before?.since).toEqual((await listed(id))?.since);
      await pass(MINUTE_MS);
      await leftIs(id, null);
      await pass(TERM_MS);
      expect(await timesTold(id)).toBe(0);
    });

    it('is told to its host once, when the term is over, with what is left', async () => {
      const { host, bench, paid, leftIs, pass, isTold, timesTold } = shop();
      const [id, other] = [await paid(), await paid()];
      await host.payments.refund(id, refundCup('one cup'));
      await pass(MINUTE_MS);
      await leftIs(id, '30.00');
      await pass(TERM_MS - 3_600_000);
      expect(await timesTold(id)).toBe(0);
      await pass(3_600_000);
      await isTold(id, 'receipt.unsettled: 3000, the payment’s own');
      await isTold(other, 'receipt.unsettled: 6000, the payment’s own');
      await pass(TERM_MS);
      expect(await timesTold(id)).toBe(1);
      expect(await bench.effects(host, id)).toHaveLength(1);
      expect(await leftIs(id, '30.00')).toMatchObject({ isOverdue: true });
      await host.payments.settlePrepayment(id);
      await pass(MINUTE_MS);
      await leftIs(id, null);
    });

    it('has no place in the queue of re-reads meanwhile, and keeps it from nobody', async () => {
      const { host, bench, paid, pass, isTold } = shop();
      const [id, other] = [await paid(), await paid()];
      await pass(MINUTE_MS);
      const ids = [id, other];
      expect(
        await host.dataSource.query('SELECT FROM payments_due WHERE payment_id = ANY($1)', [ids]),
      ).toEqual([]);
      const handler = new Client({ connectionString: bench.database.url });
      await handler.connect();
      try {
        await handler.query('BEGIN');
        await handler.query('SELECT FROM payments_payments WHERE id = $1 FOR UPDATE', [id]);
        await bench.sandbox.clock.advance(TERM_MS);
        await isTold(other, 'receipt.unsettled: 6000, the payment’s own');
        expect(await bench.effects(host, id)).toEqual([]);
      } finally {
        await handler.end();
      }
      await isTold(id, 'receipt.unsettled: 6000, the payment’s own');
    });

    it('is left out once all of its money went back, and counts goods that came back after they were settled', async () => {
      const { host, paid, leftIs, pass } = shop();
      const [back, returned] = [await paid(), await paid()];
      await host.payments.refund(back, { refundKey: 'all' });
      expect(await leftIs(back, null)).toBeNull();
      await host.payments.settlePrepayment(returned, {
        receiptKey: 'one',
        items: [{ description: 'Cup', quantity: 1 }],
      });
      await pass(MINUTE_MS);
      const paidInFull = {
        ...cup,
        items: cup.items.map((one) => ({ ...one, paymentMode: 'full_payment' }) as const),
      };
      await host.payments.refund(returned, { ...refundCup('it'), receipt: paidInFull });
      await pass(MINUTE_MS);
      expect(await leftIs(returned, '30.00')).not.toBeNull();
    });

    it('stays, where its settlement failed, until that was made by hand', async () => {
      const { host, bench, operator, paid, leftIs, pass } = shop();
      const id = await paid(advance);
      bench.sandbox.receipts.next({ status: 'canceled' });
      const goods = { description: 'Tea', amount: rub('100.00'), quantity: 1, vatCode: 11 } as const;
      await host.payments.settlePrepayment(id, { receiptKey: 'tea', items: [goods] });
      await pass(MINUTE_MS);
      const problem = await eventually(
        async () => (await operator.receiptProblems()).find(({ paymentId }) => paymentId === id),
        (found) => found !== undefined,
      );
      await leftIs(id, '100.00');
      await operator.resolveReceipt(problem?.id ?? '', { by: 'anna', note: 'made in the register' });
      expect(await leftIs(id, null)).toBeNull();
    });

    it('is owed again where its settlement was taken back', async () => {
      const { host, paid, leftIs, pass } = shop();
      const id = await paid();
      await host.payments.settlePrepayment(id);
      await pass(MINUTE_MS);
      await leftIs(id, null);
      await host.payments.receipts.create(id, takesBack('back'));
      await pass(MINUTE_MS);
      expect(await leftIs(id, '60.00')).toMatchObject({ isOverdue: false });
    });
  });

describeShop('after_payment', (shop) => {
  it('is left out once it went back, also while the receipt of that waits for its payment’s', async () => {
    const { host, bench, listed, operator } = shop();
    bench.sandbox.receipts.next({ status: 'canceled' });
    const { id } = await paidPayment(bench, host, { receipt: prepaid });
    await eventually(
      async () => {
        await bench.sandbox.clock.advance(MINUTE_MS);
        return operator.receiptProblems();
      },
      (problems) => problems.some(({ paymentId }) => paymentId === id),
    );
    expect(await listed(id)).toMatchObject({ left: rub('60.00') });
    const cups = receiptOfPart(prepaid, { lines: [{ line: 0 }] });
    await host.payments.refund(id, { refundKey: 'cups', amount: receiptTotal(cups), receipt: cups });
    await eventually(
      () => host.payments.refunds(id),
      ([refund]) => refund?.status === 'succeeded',
    );
    expect(await listed(id)).toBeNull();
  });
});

describeShop('with_payment', (shop) => {
  it('is told after a term of its own where a person has made by hand what took its settlement back', async () => {
    const { host, bench, operator, paid, leftIs, pass, isTold } = shop();
    const id = await paid();
    await host.payments.settlePrepayment(id);
    await pass(MINUTE_MS);
    await leftIs(id, null);
    bench.sandbox.receipts.next({ status: 'canceled' });
    await host.payments.receipts.create(id, takesBack('back'));
    await pass(MINUTE_MS);
    const problem = await eventually(
      async () => (await operator.receiptProblems()).find(({ paymentId }) => paymentId === id),
      (found) => found !== undefined,
    );
    await operator.resolveReceipt(problem?.id ?? '', { by: 'anna', note: 'made in the register' });
    expect(await leftIs(id, '60.00')).toMatchObject({ isOverdue: false });
    await pass(TERM_MS);
    await isTold(id, 'receipt.unsettled: 6000, the payment’s own');
  });

  it('is not told while its settlement is on its way, and is once that failed', async () => {
    const { host, bench, paid, pass, isTold, timesTold } = shop();
    const id = await paid();
    await pass(TERM_MS - 10 * MINUTE_MS);
    bench.sandbox.receipts.next({ status: 'canceled', ms: 60 * MINUTE_MS });
    await host.payments.settlePrepayment(id);
    await pass(30 * MINUTE_MS);
    expect(await timesTold(id)).toBe(0);
    await pass(2 * 60 * MINUTE_MS);
    await isTold(id, 'receipt.unsettled: 6000, the payment’s own');
  });

  it('is listed by what a captured part says of it', async () => {
    const { host, bench, listed, leftIs, pass } = shop();
    const hold = () => paidPayment(bench, host, { receipt: prepaid, capture: false });
    const [part, handedOver] = [await hold(), await hold()];
    expect(await listed(part.id)).toBeNull();
    // No re-read comes before the answers: each of them is what is written.
    await pass(MINUTE_MS);
    bench.sandbox.faults.order({ on: 'notification', fault: 'drop', times: 2 });
    await host.payments.capture(part.id, { amount: receiptTotal(cup), receipt: cup });
    const now = { ...cup, items: cup.items.map((one) => ({ ...one, paymentMode: 'full_payment' }) as const) };
    await host.payments.capture(handedOver.id, { amount: receiptTotal(cup), receipt: now });
    expect(await listed(handedOver.id)).toBeNull();
    await pass(MINUTE_MS);
    await leftIs(part.id, '30.00');
    expect(await listed(handedOver.id)).toBeNull();
  });

  it('is in the audit as a receipt that is due, and no difference, once the term is over', async () => {
    const { host, paid, pass, audit } = shop();
    const [id, settled] = [await paid(), await paid()];
    await host.payments.settlePrepayment(settled);
    await pass(MINUTE_MS);
    const found = async () => {
      const slices = await audit();
      expect(slices.flatMap(({ differences }) => differences)).toEqual([]);
      return slices
        .flatMap(({ unsettled }) => unsettled)
        .filter(({ paymentId }) => [id, settled].includes(paymentId));
    };
    expect(await found()).toEqual([]);
    await pass(TERM_MS);
    expect(await found()).toMatchObject([{ paymentId: id, left: rub('60.00'), isOverdue: true }]);
  });

  it('is listed page by page, the oldest first', async () => {
    const { bench, operator, paid } = shop();
    const ids = [await paid(), await paid()];
    const sql = `INSERT INTO payments_payments (id, store_id, order_id, intent_key, status, currency, amount_minor, authorized_minor, captured_minor, capture,
        prepaid_minor, unsettled_minor, unsettled_since, created_at, updated_at)
      SELECT gen_random_uuid(), store_id, order_id, intent_key, 'succeeded', 'RUB', 100, 100, 100, true, 100, 100, unsettled_since, created_at, updated_at
      FROM payments_payments, generate_series(1, 120) WHERE id = $1`;
    await bench.asOwner(sql, [ids[0]]);
    const seen: UnsettledPrepayment[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { items, nextCursor } = await operator.unsettledPrepayments(cursor === '' ? {} : { cursor });
      expect(items.length).toBeLessThanOrEqual(100);
      seen.push(...items);
      cursor = nextCursor;
    }
    expect(new Set(seen.map(({ paymentId }) => paymentId)).size).toBe(seen.length);
    expect(seen.map(({ paymentId }) => paymentId)).toEqual(expect.arrayContaining(ids));
    expect(seen.length).toBeGreaterThanOrEqual(122);
    const times = seen.map(({ since }) => since.getTime());
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    await bench.asOwner('DELETE FROM payments_payments WHERE amount_minor = 100');
    for (const wrong of ['', 'next', '2030-01-01T00:00:00Z'])
      await expect(operator.unsettledPrepayments({ cursor: wrong })).rejects.toThrow(PaymentInputError);
  });
});
