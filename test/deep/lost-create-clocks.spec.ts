import { PaymentClosedError, PaymentOutcomeUnknownError, type Payment } from '@holdfast/payments';
import { CardPaymentsService } from '@holdfast/payments/card-data';
import { canaries } from '../support/canaries.js';
import { eventually } from '../support/eventually.js';
import { markOf } from '../support/marks.js';
import { openBench, orderInput, type Bench, type PaymentsHost } from '../support/payments-host.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const skews: [name: string, ms: number][] = [
  ['7 min fast', 7 * MINUTE_MS],
  ['7 min slow', -7 * MINUTE_MS],
  ['3 h fast', 3 * HOUR_MS],
  ['3 h slow', -3 * HOUR_MS],
  ['2 days fast', 2 * DAY_MS],
  ['2 days slow', -2 * DAY_MS],
];
const kinds = ['by a saved method', 'by a cryptogram'] as const;
const surroundings = [
  'and that shows it in its Date only',
  'and whose answers carry no Date',
  'and whose Date is wrong by hours',
  'with payments known from before and after',
  'with payments known from before, whose Date is wrong by hours',
] as const;

/** Takes money without a buyer: one more create is one more charge. */
describe('a create that charges at once and whose answer was lost', () => {
  let bench: Bench;
  let host: PaymentsHost;
  // A demo store accepts no cryptogram. Nothing is sent again within a call, and nothing is looked up by itself.
  beforeAll(async () => {
    bench = await openBench({ shopId: '100500', secretKey: canaries.secretKey });
    host = await bench.startHost({
      sweeps: false,
      cardData: true,
      circuit: false,
      requestTimeoutMs: 10_000,
      callDeadlineMs: 10_000,
    });
    bench.sandbox.setNotifyUrl(null);
  });
  afterEach(() => bench.sandbox.faults.clear());
  afterAll(() => bench.close());

  const clock = () => bench.sandbox.clock;

  function create(kind: (typeof kinds)[number], reference?: string): Promise<Payment> {
    const { order, amount } = orderInput(reference);
    return kind === 'by a cryptogram'
      ? host.app.get(CardPaymentsService).create({ order, amount, walletToken: canaries.cryptogram })
      : host.payments.create({ order, amount, paymentMethodId: bench.sandbox.paymentMethods.bind().id });
  }

  async function lost(
    kind: (typeof kinds)[number],
    fault: 'reset_after_commit' | 'reset_before_commit',
  ): Promise<Payment> {
    const { order } = orderInput();
    bench.sandbox.faults.order({ on: 'create', fault });
    await expect(create(kind, order.reference)).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
    const [payment] = await host.payments.findByOrder(order.reference);
    if (payment?.status !== 'submitting') throw new Error('Its outcome is known.');
    return payment;
  }

  /** One whose caller may come back. */
  function losing() {
    const { order, amount } = orderInput();
    const input = { order, amount, paymentMethodId: bench.sandbox.paymentMethods.bind().id };
    const loseIt = async (fault: 'reset_before_commit' | 'reset_after_commit') => {
      bench.sandbox.faults.order({ on: 'create', fault });
      await expect(host.payments.create(input)).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
    };
    const lostOne = async () => {
      const [payment] = await host.payments.findByOrder(order.reference);
      if (!payment) throw new Error('It was recorded.');
      return payment;
    };
    return { loseIt, lostOne };
  }

  async function charges({ id }: Payment): Promise<number[]> {
    const mark = await markOf(bench, id);
    return bench.sandbox.payments
      .list()
      .filter(({ metadata }) => metadata['holdfast_payment'] === mark)
      .map((made) => bench.sandbox.ledger.totals(made.id).charges);
  }

  it.each(skews.flatMap(([name, ms]) => surroundings.map((around) => [name, around, ms] as const)))(
    'at a service whose clock is %s %s is found, and charged once',
    async (_name, around, ms) => {
      const known = around.startsWith('with payments');
      clock().skew(ms);
      for (const kind of kinds) {
        if (known) await create('by a saved method');
        const payment = await lost(kind, 'reset_after_commit');
        await clock().advance(20 * MINUTE_MS);
        if (known && around.endsWith('after')) await create('by a saved method');
        if (around.includes('no Date'))
          bench.sandbox.faults.order({ on: 'list', fault: 'no_date', times: 100 });
        if (around.includes('wrong'))
          bench.sandbox.faults.order({ on: 'list', fault: 'wrong_date', ms: -5 * HOUR_MS, times: 100 });
        expect(await host.payments.refresh(payment.id)).toMatchObject({ status: 'succeeded' });
        expect(await charges(payment)).toEqual([1]);
        // The next call finds the order paid and sends nothing.
        await expect(create(kind, payment.orderReference)).rejects.toMatchObject({
          code: expect.stringMatching(/^order_(already_paid|amount_exceeded)$/),
        });
        bench.sandbox.faults.clear();
      }
    },
  );

  /** As if the database's clock had been ahead by so much while this one was made. */
  async function asMadeAt({ id }: Payment, aheadMs: number): Promise<void> {
    const columns = ['recorded_at', 'first_sent_at', 'last_sent_at', 'settled_at'];
    const moved = columns.map((column) => `${column} = ${column} + interval '${aheadMs} ms'`).join(', ');
    await bench.asOwner(`UPDATE payments_operations SET ${moved} WHERE payment_id = $1`, [id]);
  }

  async function others(after: number, aheadMs = 0): Promise<void> {
    await clock().advance(after);
    for (let made = 1; made <= 3; made += 1) await asMadeAt(await create('by a saved method'), aheadMs);
  }

  it.each<[string, number, [number, number][]]>([
    ['was an hour ahead as it was made, and right before and after', 60, [[180, 0]]],
    ['was an hour back as it was made, and right before and after', -60, [[180, 0]]],
    ['was an hour ahead as it was made, and right before that hour was over', 60, [[30, 0]]],
    [
      'was set back by an hour after it',
      0,
      [
        [60, -61],
        [60, -61],
      ],
    ],
    [
      'was set ahead by an hour after it, and back',
      0,
      [
        [60, 61],
        [60, 0],
      ],
    ],
  ])('is found where the clock of the database %s', async (_name, ahead, later) => {
    clock().skew(0);
    await others(DAY_MS);
    await others(2 * HOUR_MS);
    await clock().advance(MINUTE_MS);
    const payment = await lost('by a saved method', 'reset_after_commit');
    await asMadeAt(payment, ahead * MINUTE_MS);
    for (const [after, aheadThen] of later) await others(after * MINUTE_MS, aheadThen * MINUTE_MS);
    await clock().advance(40 * MINUTE_MS);
    expect(await host.payments.refresh(payment.id)).toMatchObject({ status: 'succeeded' });
    expect(await charges(payment)).toEqual([1]);
  });

  it('is found where it was sent again after others, and the clock of the database was set back meanwhile', async () => {
    clock().skew(0);
    await others(DAY_MS);
    const { loseIt, lostOne } = losing();
    await loseIt('reset_before_commit');
    const payment = await lostOne();
    await others(MINUTE_MS);
    await clock().advance(3 * HOUR_MS);
    await loseIt('reset_after_commit');
    await bench.asOwner(
      'UPDATE payments_operations SET last_sent_at = first_sent_at WHERE payment_id = $1 AND attempts = 2',
      [payment.id],
    );
    await others(HOUR_MS);
    expect(await host.payments.refresh(payment.id)).toMatchObject({ status: 'succeeded' });
    expect(await charges(payment)).toEqual([1]);
  });

  const anomalies = async ({ id }: Payment) =>
    (await host.payments.timeline(id)).flatMap(({ name, evidence }) =>
      name === 'payment.anomaly' ? [evidence['reason']] : [],
    );
  const itHas = (serviceId: string | null) =>
    `it is rejected, but the service has it as ${serviceId}, succeeded, 100.00 RUB`;

  it('is raised with its sum if it was closed as rejected and a later look finds it', async () => {
    const closed = await create('by a saved method');
    await host.dataSource.query(
      `UPDATE payments_payments SET service_id = NULL, status = 'rejected', captured_minor = 0, authorized_minor = 0 WHERE id = $1`,
      [closed.id],
    );
    const payment = await lost('by a cryptogram', 'reset_before_commit');
    await clock().advance(20 * MINUTE_MS);
    await host.payments.refresh(payment.id);
    expect(await anomalies(closed)).toEqual([itHas(closed.serviceId)]);
  });

  it('is raised with its sum if it was closed as rejected while its answer was on the way', async () => {
    bench.sandbox.faults.order({ on: 'create', fault: 'stall_after_commit' });
    const { order } = orderInput();
    const before = bench.sandbox.payments.list().length;
    const answered = create('by a saved method', order.reference).catch((error: unknown) => error);
    await eventually(
      () => Promise.resolve(bench.sandbox.payments.list()),
      ({ length }) => length > before,
    );
    const [closed] = await host.payments.findByOrder(order.reference);
    if (!closed) throw new Error('It was recorded.');
    await host.dataSource.query(`UPDATE payments_payments SET status = 'rejected' WHERE id = $1`, [
      closed.id,
    ]);
    await host.dataSource.query(
      `UPDATE payments_operations SET outcome = 'refused', settled_at = now() WHERE payment_id = $1`,
      [closed.id],
    );
    bench.sandbox.faults.clear();
    const [made] = bench.sandbox.payments.list();
    // An answer in hand is never told as a refusal.
    const told = await answered;
    expect(told).toBeInstanceOf(PaymentClosedError);
    expect(told).toMatchObject({ paymentId: closed.id, serviceId: made?.id, serviceStatus: 'succeeded' });
    expect(await anomalies(closed)).toEqual([itHas(made?.id ?? null)]);
    expect(await host.payments.get(closed.id)).toMatchObject({ status: 'rejected' });
  });

  it('is not closed by a list from before its caller came back and sent it again', async () => {
    const { loseIt, lostOne } = losing();
    await loseIt('reset_before_commit');
    const payment = await lostOne();
    await clock().advance(20 * MINUTE_MS);

    const lists = () => bench.sandbox.ledger.requestCount({ endpoint: 'list' });
    const before = lists();
    bench.sandbox.faults.order({ on: 'list', fault: 'stall_after_commit' });
    const looking = host.payments.refresh(payment.id);
    await eventually(
      () => Promise.resolve(lists()),
      (count) => count > before,
    );
    // The list on its way does not show what this charges.
    await loseIt('reset_after_commit');
    bench.sandbox.faults.clear();
    expect(await looking).toMatchObject({ status: 'submitting' });

    await clock().advance(20 * MINUTE_MS);
    expect(await host.payments.refresh(payment.id)).toMatchObject({ status: 'succeeded' });
    expect(await charges(payment)).toEqual([1]);
  });

  it.each(skews)('and that never reached a service whose clock is %s is rejected', async (_name, ms) => {
    clock().skew(ms);
    await create('by a saved method');
    const payment = await lost('by a cryptogram', 'reset_before_commit');
    await clock().advance(20 * MINUTE_MS);
    expect(await host.payments.refresh(payment.id)).toMatchObject({ status: 'rejected' });
  });
});

describe('a capture that was given up while its answer was on the way', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await openBench();
  });
  afterAll(() => bench.close());

  it('is booked as the answer says, and told so', async () => {
    const host = await bench.startHost({ sweeps: false });
    bench.sandbox.setNotifyUrl(null);
    const { id, serviceId } = await host.payments.create({ ...orderInput(), capture: false });
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    await host.payments.refresh(id);
    bench.sandbox.faults.order({ on: 'capture', fault: 'stall_after_commit' });
    const captured = host.payments.capture(id);
    await eventually(
      () => Promise.resolve(bench.sandbox.payments.get(serviceId ?? '')),
      (payment) => payment?.status === 'succeeded',
    );
    await bench.asOwner(
      `UPDATE payments_operations SET outcome = 'refused', settled_at = now() WHERE kind = 'capture'`,
    );
    bench.sandbox.faults.clear();
    expect(await captured).toMatchObject({ id, status: 'succeeded' });
  });
});
