import { OnPaymentEvent, type HandlerContext, type Payment, type PaymentEvent } from '@holdfast/payments';
import { jest } from '@jest/globals';
import { Injectable, Logger } from '@nestjs/common';
import { nextEvents } from '../support/deliveries.js';
import { eventually } from '../support/eventually.js';
import {
  EffectHandlers,
  openBench,
  orderInput,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';

/** Misbehaves as the payment's metadata says, after writing through the given transaction. */
@Injectable()
class Unruly {
  readonly runs: { paymentId: string; attempt: number; effectKey: string }[] = [];

  @OnPaymentEvent('payment.succeeded', { id: 'test.unruly' })
  async succeeded(
    { name, payment }: PaymentEvent,
    { manager, attempt, effectKey }: HandlerContext,
  ): Promise<void> {
    this.runs.push({ paymentId: payment.id, attempt, effectKey });
    await manager.query('INSERT INTO effects (event, payment_id) VALUES ($1, $2)', [
      `unruly ${name}`,
      payment.id,
    ]);
    const { unruly, until = '1' } = payment.metadata;
    if (attempt > Number(until)) return;
    if (unruly === 'throws') throw new Error('no stock');
    const { queryRunner } = manager;
    if (unruly === 'ROLLBACK') await manager.query('ROLLBACK');
    if (unruly === 'COMMIT') await manager.query('COMMIT');
    if (unruly === 'ROLLBACK; BEGIN') await manager.query('ROLLBACK; BEGIN');
    if (unruly === 'rollbackTransaction()') await queryRunner?.rollbackTransaction();
    if (unruly === 'commitTransaction()') await queryRunner?.commitTransaction();
    if (unruly === 'swallows') await manager.query('SELECT 1 / 0').catch(() => undefined);
    if (unruly === 'recovers')
      await manager.transaction((part) => part.query('SELECT 1 / 0')).catch(() => undefined);
    if (unruly === 'leaves open') await queryRunner?.startTransaction();
    if (unruly === 'hangs') await new Promise(() => undefined);
  }
}

describe('a handler', () => {
  let bench: Bench;
  let host: PaymentsHost;
  let unruly: Unruly;
  beforeAll(async () => {
    bench = await openBench();
    host = await bench.startHost({ handlerTimeoutMs: 5_000, handlerAttempts: 3 }, [EffectHandlers, Unruly]);
    unruly = host.app.get(Unruly);
  });
  afterAll(() => bench.close());

  it('that fails is one warning with its order, payment and event, and with the place of the failure once it is given up', async () => {
    const logged: unknown[][] = [];
    const spies = (['warn', 'error', 'debug'] as const).map((level) =>
      jest
        .spyOn(Logger.prototype, level)
        .mockImplementation(
          (line: unknown, _fields: unknown, ...more: unknown[]) => void logged.push([level, line, ...more]),
        ),
    );
    try {
      const payment = await paid({ unruly: 'throws', until: '3' });
      const lines = async () => logged.filter(([, line]) => String(line).includes(payment.id));
      for (let attempt = 1; attempt <= 3; attempt += 1) {
        await eventually(lines, ({ length }) => length === attempt);
        await bench.sandbox.clock.advance(60_000);
      }
      expect(await lines()).toEqual([
        ['warn', failure(payment, 1)],
        ['warn', failure(payment, 2)],
        ['error', failure(payment, 3), expect.stringMatching(/^Error: no stock[^]* at Unruly\.succeeded /)],
      ]);
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
  });
  const failure = ({ id, orderReference }: Payment, attempt: number): unknown =>
    expect.stringMatching(
      new RegExp(
        `^Handler test\\.unruly failed at payment\\.succeeded \\(event \\d+\\) of payment ${id}, order "${orderReference}" \\(attempt ${attempt}\\)\\. .*no stock`,
      ),
    );

  async function paid(metadata: Record<string, string>): Promise<Payment> {
    const payment = await host.payments.create({ ...orderInput(), metadata });
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    return payment;
  }
  const deliveries = (payment: Payment) =>
    host.dataSource.query<
      { handler_id: string; attempts: number; done: boolean; parked: boolean; last_error: string | null }[]
    >(
      `SELECT handler_id, attempts, done_at IS NOT NULL AS done, parked_at IS NOT NULL AS parked, last_error
       FROM payments_deliveries WHERE sequence = $1 ORDER BY handler_id`,
      [payment.id],
    );
  const unrulyDelivery = async (payment: Payment) =>
    (await deliveries(payment)).find(({ handler_id: id }) => id === 'test.unruly');
  /** After its first run. */
  const ran = (payment: Payment) =>
    eventually(
      () => unrulyDelivery(payment),
      (delivery) => delivery !== undefined && (delivery.done || delivery.last_error !== null),
    );
  const leased = (payment: Payment) => () =>
    host.dataSource.query<object[]>(
      'SELECT 1 FROM payments_deliveries WHERE sequence = $1 AND lease_until IS NOT NULL',
      [payment.id],
    );
  const effects = (payment: Payment) => bench.effects(host, payment.id);

  it('that throws leaves nothing behind, delays no other handler, and is run again', async () => {
    const payment = await paid({ unruly: 'throws' });
    await eventually(
      () => unrulyDelivery(payment),
      (delivery) => delivery?.last_error === 'Error: no stock',
    );
    await eventually(
      () => effects(payment),
      (rows) => rows.length > 0,
    );
    expect(await effects(payment)).toEqual(['payment.succeeded']);

    await bench.sandbox.clock.advance(10_000);
    await eventually(
      () => unrulyDelivery(payment),
      (delivery) => delivery?.done === true,
    );
    expect(await effects(payment)).toEqual(['payment.succeeded', 'unruly payment.succeeded']);
    const runs = unruly.runs.filter(({ paymentId }) => paymentId === payment.id);
    expect(runs.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(new Set(runs.map(({ effectKey }) => effectKey)).size).toBe(1);
  });

  it('that hangs is given up in time, its writes rolled back, and is run again', async () => {
    const payment = await paid({ unruly: 'hangs' });
    await eventually(
      () => unrulyDelivery(payment),
      (delivery) =>
        delivery?.last_error?.startsWith(
          'HandlerDeadlineError: The handler did not finish within 5000 ms',
        ) === true && delivery.last_error.includes('handlerTimeoutMs'),
    );
    await bench.sandbox.clock.advance(10_000);
    await eventually(
      () => unrulyDelivery(payment),
      (delivery) => delivery?.done === true,
    );
    expect(
      await eventually(
        () => effects(payment),
        (rows) => rows.length === 2,
      ),
    ).toEqual(['payment.succeeded', 'unruly payment.succeeded']);
  });

  it.each(['ROLLBACK', 'COMMIT', 'ROLLBACK; BEGIN', 'rollbackTransaction()', 'commitTransaction()'])(
    'that ends its transaction itself by %s is not done, and its error says what to do instead',
    async (way) => {
      const payment = await paid({ unruly: way });
      expect(await ran(payment)).toMatchObject({
        done: false,
        last_error: expect.stringMatching(/^HandlerTransactionEndedError: .*throw to roll it back/),
      });
      await bench.sandbox.clock.advance(10_000);
      await eventually(
        () => unrulyDelivery(payment),
        (delivery) => delivery?.done === true,
      );
      expect(await effects(payment)).toContain('unruly payment.succeeded');
    },
  );

  it('that continues after a statement failed is not done, and its error says what to do instead', async () => {
    const payment = await paid({ unruly: 'swallows' });
    expect(await ran(payment)).toMatchObject({
      done: false,
      last_error: expect.stringMatching(/^HandlerTransactionFailedError: .*manager\.transaction\(\)/),
    });
  });

  it.each(['recovers', 'leaves open'])('that %s a part of its transaction is done', async (way) => {
    const payment = await paid({ unruly: way });
    expect(await ran(payment)).toMatchObject({ attempts: 1, done: true });
    expect(await effects(payment)).toContain('unruly payment.succeeded');
  });

  it('that fails every time is parked after the configured attempts', async () => {
    const payment = await paid({ unruly: 'throws', until: '99' });
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await eventually(
        () => Promise.resolve(unruly.runs.filter(({ paymentId }) => paymentId === payment.id)),
        ({ length }) => length === attempt,
      );
      await eventually(leased(payment), (rows) => rows.length === 0);
      await bench.sandbox.clock.advance(60_000);
    }
    expect(await unrulyDelivery(payment)).toMatchObject({ attempts: 3, done: false, parked: true });
    expect(
      await eventually(
        () => effects(payment),
        (rows) => rows.length > 0,
      ),
    ).toEqual(['payment.succeeded']);
  });

  it('sees the events of one payment in their order: a failed one delays the next until it is done', async () => {
    const payment = await paid({ unruly: 'throws' });
    await eventually(
      () => unrulyDelivery(payment),
      (delivery) => delivery?.last_error === 'Error: no stock',
    );
    // Another event of the same payment for the same handler, due at once.
    await nextEvents(bench, [payment.id]);
    const runs = () =>
      unruly.runs.filter(({ paymentId }) => paymentId === payment.id).map(({ effectKey }) => effectKey);
    // The other handler processes both of its events; ours has not begun the second.
    await eventually(
      () => effects(payment),
      (rows) => rows.length === 2,
    );
    expect(runs()).toHaveLength(1);
    await bench.sandbox.clock.advance(10_000);
    // The first event's second run, then the second event's first, which fails as well.
    await eventually(
      () => Promise.resolve(runs()),
      ({ length }) => length === 3,
    );
    const [first] = runs();
    expect(runs().slice(0, 2)).toEqual([first, first]);
    expect(new Set(runs()).size).toBe(2);
  });

  it('that only a newer process knows gets its deliveries from an older one, and makes them when it is there', async () => {
    await host.dataSource.query(
      `INSERT INTO payments_handlers (id, event) VALUES ('test.newer', 'payment.succeeded')`,
    );
    const payment = await paid({});
    await eventually(
      () => deliveries(payment),
      (rows) => rows.filter(({ done }) => done).length === 2,
    );
    const newer = async () => (await deliveries(payment)).find(({ handler_id: id }) => id === 'test.newer');
    expect(await newer()).toMatchObject({ attempts: 0, done: false });

    @Injectable()
    class Newer {
      @OnPaymentEvent('payment.succeeded', { id: 'test.newer' })
      async succeeded(): Promise<void> {}
    }
    const deployed = await bench.startHost({}, [Newer]);
    await eventually(newer, (delivery) => delivery?.done === true);
    await deployed.close();
  });

  it('is counted in the two lines that a start logs, with what is configured and nothing secret', async () => {
    const lines: unknown[] = [];
    const spy = jest
      .spyOn(Logger.prototype, 'log')
      .mockImplementation((line: unknown) => void lines.push(line));
    try {
      await (await bench.startHost({}, [EffectHandlers, Unruly])).close();
    } finally {
      spy.mockRestore();
    }
    const { host: address } = new URL(bench.sandbox.url);
    expect(lines.filter((line) => /^(Shop|Handlers)/.test(String(line)))).toEqual([
      `Shop test_shop at ${address}, profile documented, no receipts asked for.`,
      expect.stringMatching(
        /^Handlers: \d+, sweeps every \d+ ms\. Notifications from \d+ listed networks, trusted proxies: 2\.$/,
      ),
    ]);
  });
});
