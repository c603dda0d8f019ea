import {
  OperationInProgressError,
  OnPaymentEvent,
  PaymentInputError,
  PaymentNotFoundError,
  PaymentNotHeldError,
  PaymentOutcomeUnknownError,
  PaymentsOperator,
  PaymentsService,
  type HandlerContext,
  type Payment,
  type PaymentEvent,
  type PaymentStatus,
} from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import { Client } from 'pg';
import { eventually } from '../support/eventually.js';
import { LOCK_WAITS } from '../support/lock-waits.js';
import {
  EffectHandlers,
  openBench,
  orderInput,
  type Bench,
  type PaymentsHost,
  cancelBehindOurBack,
  paymentBecomes,
} from '../support/payments-host.js';
import { noteStatements } from '../support/statements.js';

/** A shop that ships at once: captures inside the handler, in its transaction; the first run fails after that. */
@Injectable()
class ShipAtOnce {
  failures = 1;

  constructor(private readonly payments: PaymentsService) {}

  @OnPaymentEvent('payment.waiting_for_capture', { id: 'test.ship-at-once' })
  async ship({ payment }: PaymentEvent, { manager, attempt }: HandlerContext): Promise<void> {
    if (payment.metadata['ship'] !== 'at once') return;
    await this.payments.capture(payment.id, { manager });
    if (attempt <= this.failures) throw new Error('the printer is on fire');
  }
}

describe('capture and cancel', () => {
  let bench: Bench;
  let host: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    host = await bench.startHost({}, [EffectHandlers, ShipAtOnce]);
  });
  afterAll(() => bench.close());
  afterEach(() => bench.sandbox.faults.clear());

  const becomes = (id: string, status: PaymentStatus) => paymentBecomes(host, id, status);
  const totals = (payment: Payment) => bench.sandbox.ledger.totals(payment.serviceId ?? '');

  async function held(metadata: Record<string, string> = {}): Promise<Payment> {
    const payment = await host.payments.create({ ...orderInput(), capture: false, metadata });
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    return becomes(payment.id, 'waiting_for_capture');
  }

  it('takes the whole hold', async () => {
    const payment = await held();
    expect(payment.holdExpiresAt).toBeInstanceOf(Date);
    expect(await host.payments.getOrder(payment.orderReference)).toMatchObject({ state: 'authorized' });
    expect(await host.payments.capture(payment.id)).toMatchObject({
      status: 'succeeded',
      capturedAmount: { value: '100.00', currency: 'RUB' },
    });
    expect(totals(payment)).toMatchObject({ charges: 1, captures: 1, captured: '100.00' });
    expect(await host.payments.getOrder(payment.orderReference)).toMatchObject({ state: 'paid' });
  });

  it('captures a part, and the order shows it', async () => {
    const payment = await held();
    const captured = await host.payments.capture(payment.id, { amount: { value: '60.00', currency: 'RUB' } });
    expect(captured).toMatchObject({
      status: 'succeeded',
      capturedAmount: { value: '60.00', currency: 'RUB' },
    });
    expect(await host.payments.getOrder(payment.orderReference)).toMatchObject({
      state: 'paid',
      paid: { value: '60.00', currency: 'RUB' },
      held: { value: '0.00', currency: 'RUB' },
    });
  });

  it('releases the whole hold', async () => {
    const payment = await held();
    expect(await host.payments.cancel(payment.id)).toMatchObject({
      status: 'canceled',
      cancellation: { party: 'merchant', reason: 'canceled_by_merchant' },
    });
    expect(totals(payment)).toMatchObject({ captures: 0, cancels: 1 });
  });

  it('of eight clicks at once, and one later, is one operation', async () => {
    const payment = await held();
    const results = await Promise.all(Array.from({ length: 8 }, () => host.payments.capture(payment.id)));
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['succeeded']));
    expect(await host.payments.capture(payment.id)).toMatchObject({ status: 'succeeded' });
    expect(totals(payment)).toMatchObject({ charges: 1, captures: 1 });
    expect(bench.sandbox.ledger.requestCount({ endpoint: 'capture', paymentId: payment.serviceId })).toBe(1);
  });

  it('at the same moment: one wins, the other gets an error', async () => {
    const payment = await held();
    const results = await Promise.allSettled([
      host.payments.capture(payment.id),
      host.payments.cancel(payment.id),
    ]);
    const lost = results
      .filter((result) => result.status === 'rejected')
      .map(({ reason }): unknown => reason);
    expect(lost).toHaveLength(1);
    expect(lost[0] instanceof OperationInProgressError || lost[0] instanceof PaymentNotHeldError).toBe(true);
    const { captures, cancels } = totals(payment);
    expect(captures + cancels).toBe(1);
  });

  it.each([
    ['cancel', 'capture', 'succeeded', { captures: 1, cancels: 0 }],
    ['capture', 'cancel', 'canceled', { captures: 0, cancels: 1 }],
  ] as const)('such as a %s is refused by name while a %s is on its way', async (kind, first, end, made) => {
    const payment = await held();
    bench.sandbox.faults.order({ on: first, fault: 'stall' });
    const sent = { endpoint: first, paymentId: payment.serviceId } as const;
    const call = host.payments[first](payment.id);
    await eventually(
      async () => bench.sandbox.ledger.requestCount(sent),
      (count) => count === 1,
    );
    await expect(host.payments[kind](payment.id)).rejects.toBeInstanceOf(OperationInProgressError);
    bench.sandbox.faults.clear();
    expect(await call).toMatchObject({ status: end });
    expect(totals(payment)).toMatchObject(made);
  });

  it.each(['reset_after_commit', 'error_500_after_commit', 'truncated_body', 'reset_before_commit'] as const)(
    'that meets %s takes effect once',
    async (fault) => {
      const payment = await held();
      bench.sandbox.faults.order({ on: 'capture', fault });
      expect(await host.payments.capture(payment.id)).toMatchObject({ status: 'succeeded' });
      expect(totals(payment)).toMatchObject({ captures: 1 });
    },
  );

  it.each([
    ['capture', 'succeeded', { captures: 1, cancels: 0 }],
    ['cancel', 'canceled', { captures: 0, cancels: 1 }],
  ] as const)(
    'of a %s whose answer never comes says so, and is settled by a re-read',
    async (kind, end, made) => {
      const payment = await held();
      bench.sandbox.faults.order({ on: kind, fault: 'error_500_after_commit', times: 100 });
      bench.sandbox.faults.order({ on: 'read', fault: 'error_500_before_commit', times: 100 });
      await expect(host.payments[kind](payment.id)).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
      expect((await host.payments.get(payment.id)).status).toBe('waiting_for_capture');
      // Reads work again, and the answers are still lost: what is read settles it.
      bench.sandbox.faults.clear();
      bench.sandbox.faults.order({ on: kind, fault: 'error_500_after_commit', times: 100 });
      await becomes(payment.id, end);
      expect(totals(payment)).toMatchObject(made);
      const [operation] = await host.dataSource.query<{ outcome: string }[]>(
        `SELECT outcome FROM payments_operations WHERE payment_id = $1 AND kind = $2`,
        [payment.id, kind],
      );
      expect(operation?.outcome).toBe('confirmed');
    },
  );

  it('inside a handler is recorded in its transaction and sent once, after its commit', async () => {
    const payment = await host.payments.create({
      ...orderInput(),
      capture: false,
      metadata: { ship: 'at once' },
    });
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    const delivery = () =>
      host.dataSource.query<{ attempts: number; last_error: string | null }[]>(
        `SELECT attempts, last_error FROM payments_deliveries WHERE handler_id = 'test.ship-at-once' AND sequence = $1`,
        [payment.id],
      );
    await eventually(delivery, ([row]) => row?.last_error === 'Error: the printer is on fire');
    // The first run threw after its capture, which was rolled back with the rest of its transaction.
    expect(bench.sandbox.ledger.requestCount({ endpoint: 'capture', paymentId: payment.serviceId })).toBe(0);
    await bench.sandbox.clock.advance(15_000);
    await becomes(payment.id, 'succeeded');
    expect(totals(payment)).toMatchObject({ captures: 1 });
    expect(await delivery()).toEqual([{ attempts: 2, last_error: null }]);
  });

  it('refuses what is no hold, no part of it, and no payment', async () => {
    const pending = await host.payments.create(orderInput());
    await expect(host.payments.capture(pending.id)).rejects.toMatchObject({
      code: 'payment_not_held',
      status: 'pending',
    });
    await expect(host.payments.cancel(pending.id)).rejects.toBeInstanceOf(PaymentNotHeldError);
    const payment = await held();
    for (const value of ['100.01', '0.00', '1']) {
      const capture = host.payments.capture(payment.id, { amount: { value, currency: 'RUB' } });
      await expect(capture).rejects.toBeInstanceOf(PaymentInputError);
    }
    // What a JavaScript caller may pass, whatever the types say: null must not capture the whole hold.
    const nothing: object = { amount: null };
    await expect(host.payments.capture(payment.id, nothing)).rejects.toMatchObject({ field: 'amount' });
    await expect(host.payments.capture('no-uuid')).rejects.toBeInstanceOf(PaymentNotFoundError);
    await expect(host.payments.get(crypto.randomUUID())).rejects.toBeInstanceOf(PaymentNotFoundError);
    expect(bench.sandbox.ledger.requestCount({ endpoint: 'capture', paymentId: payment.serviceId })).toBe(0);
  });

  it("reports the payment's real status if the service refuses the capture", async () => {
    const payment = await held();
    await cancelBehindOurBack(bench, payment);
    await expect(host.payments.capture(payment.id)).rejects.toMatchObject({
      code: 'operation_refused',
      status: 'canceled',
    });
    expect(await host.payments.get(payment.id)).toMatchObject({ status: 'canceled' });
  });
});

describe('a call that moves money', () => {
  let bench: Bench;
  let host: PaymentsHost;
  const log: string[] = [];
  beforeAll(async () => {
    bench = await openBench();
    const hooks = { onRequest: () => void log.push('the request') };
    host = await bench.startHost({ sweeps: false, hooks }, []);
    // Notifications would write in between.
    bench.sandbox.setNotifyUrl(null);
    noteStatements(host.dataSource, log);
  });
  afterAll(() => bench.close());

  /** What is sent to the database before the request, and after it. */
  async function sent(call: () => Promise<unknown>): Promise<string[][]> {
    log.length = 0;
    await call();
    const at = log.indexOf('the request');
    return [log.slice(0, at), log.slice(at + 1)];
  }
  const transaction = (...statements: string[]) => ['START TRANSACTION', ...statements, 'COMMIT'];
  /** A payment's state, all of it, or the payments of an order. */
  const READ = 'SELECT statement_timestamp()';
  /** Whose payment the row's id at the service is. */
  const LOOK = 'SELECT evidence';

  async function held(): Promise<string> {
    const { id, serviceId } = await host.payments.create({ ...orderInput(), capture: false });
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    await host.payments.refresh(id);
    return id;
  }

  it.each(['capture', 'cancel'] as const)(
    'such as a %s is read, recorded and looked at by its events before its request, and answered after it, by one statement each',
    async (kind) => {
      const id = await held();
      expect(await sent(() => host.payments[kind](id))).toEqual([[READ, 'WITH terms', LOOK], ['WITH terms']]);
    },
  );

  it("such as an order's first create is one statement before its request and one after it, and a second create a short transaction and one statement", async () => {
    const input = { ...orderInput(), part: 'first' };
    expect(await sent(() => host.payments.create(input))).toEqual([['WITH terms'], ['WITH terms']]);
    const totalDue = { value: '300.00', currency: 'RUB' as const };
    const more = { ...input, order: { ...input.order, totalDue }, part: 'second' };
    expect(await sent(() => host.payments.create(more))).toEqual([
      ['WITH terms', ...transaction('WITH terms', READ, 'WITH terms')],
      ['WITH terms'],
    ]);
  });

  it('leaves a payment due if that is requested while the answer waits for its place in the queue', async () => {
    const id = await held();
    const client = new Client(bench.database.url);
    await client.connect();
    try {
      bench.sandbox.faults.order({ on: 'capture', fault: 'stall_after_commit' });
      const capture = host.payments.capture(id);
      await eventually(
        () => Promise.resolve(log.at(-1)),
        (last) => last === 'the request',
      );
      await client.query('BEGIN');
      await client.query('SELECT FROM payments_due WHERE payment_id = $1 FOR UPDATE', [id]);
      bench.sandbox.faults.clear();
      await eventually(
        () => bench.asOwner(LOCK_WAITS),
        ({ length }) => length > 0,
      );
      await client.query('UPDATE payments_due SET ready_at = clock_timestamp() WHERE payment_id = $1', [id]);
      await client.query('COMMIT');
      expect(await capture).toMatchObject({ status: 'succeeded' });
      const due = await host.dataSource.query<object[]>(
        'SELECT FROM payments_due WHERE payment_id = $1 AND ready_at <= now()',
        [id],
      );
      expect(due).toHaveLength(1);
    } finally {
      await client.end();
    }
  });

  it('without an answer is followed from the shortest pause on, however long its hold was polled', async () => {
    const id = await held();
    await bench.asOwner('UPDATE payments_due SET checks = 40 WHERE payment_id = $1', [id]);
    bench.sandbox.faults.order({ on: 'capture', fault: 'reset_before_commit', times: 4 });
    await expect(host.payments.capture(id)).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
    expect(await bench.asOwner('SELECT checks FROM payments_due WHERE payment_id = $1', [id])).toEqual([
      { checks: 0 },
    ]);
  });

  it('without an outcome for over an hour is reported to a person once, and is no incident', async () => {
    const id = await held();
    bench.sandbox.faults.order({ on: 'capture', fault: 'reset_before_commit', times: 100 });
    await expect(host.payments.capture(id)).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
    await bench.sandbox.clock.advance(2 * 3_600_000);
    for (const _ of [1, 2]) await host.payments.refresh(id);
    bench.sandbox.faults.clear();
    const events = await host.payments.timeline(id);
    expect(events.filter(({ name }) => name === 'payment.anomaly')).toMatchObject([
      { evidence: { reason: expect.stringContaining('has had no outcome for over an hour') } },
    ]);
    const incidents = await host.app.get(PaymentsOperator).incidents();
    expect(incidents.filter(({ paymentId }) => paymentId === id)).toEqual([]);
  });

  it('leaves what the other part of an order holds in its totals, and what becomes of that meanwhile', async () => {
    const { order, returnUrl } = orderInput();
    const half = { value: '50.00', currency: 'RUB' as const };
    const parts = [];
    const whole = { ...order, totalDue: { value: '150.00', currency: 'RUB' as const } };
    for (const part of ['first', 'second', 'third']) {
      const { id, serviceId } = await host.payments.create({
        order: whole,
        amount: half,
        returnUrl,
        part,
        capture: false,
      });
      bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
      await host.payments.refresh(id);
      parts.push(id);
    }
    const totals = () =>
      bench.asOwner(
        'SELECT paid_minor::int AS paid, held_minor::int AS held FROM payments_orders WHERE reference = $1',
        [order.reference],
      );
    const [first = '', second = '', third = ''] = parts;
    expect(await totals()).toEqual([{ paid: 0, held: 15_000 }]);
    await host.payments.capture(first);
    expect(await totals()).toEqual([{ paid: 5_000, held: 10_000 }]);
    bench.sandbox.faults.order({ on: 'capture', fault: 'stall_after_commit' });
    const captures = bench.sandbox.ledger.totals().captures;
    const capture = host.payments.capture(second);
    await eventually(
      async () => bench.sandbox.ledger.totals().captures,
      (count) => count > captures,
    );
    await host.payments.cancel(third);
    bench.sandbox.faults.clear();
    expect(await capture).toMatchObject({ status: 'succeeded' });
    expect(await totals()).toEqual([{ paid: 10_000, held: 0 }]);
  });

  it('such as a refund likewise', async () => {
    const id = await held();
    await host.payments.capture(id);
    const moved = expect.stringMatching(/^SELECT \(?statement_timestamp\(\)/);
    expect(await sent(() => host.payments.refund(id, { refundKey: 'all' }))).toEqual([
      [moved, 'WITH terms', LOOK],
      ['WITH terms'],
    ]);
  });
});
