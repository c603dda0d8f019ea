import {
  OnPaymentEvent,
  PaymentOutcomeUnknownError,
  PaymentRejectedError,
  PaymentsOperator,
  receiptOfCart,
  yookassaProfile,
  type HandlerContext,
  type Payment,
  type PaymentEvent,
} from '@holdfast/payments';
import { CardPaymentsService } from '@holdfast/payments/card-data';
import { jest } from '@jest/globals';
import { Injectable, Logger } from '@nestjs/common';
import { inspect } from 'node:util';
import { Client } from 'pg';
import { testAccount } from '../support/account.js';
import { canaries, canariesIn, canariesWithin } from '../support/canaries.js';
import { canariesInDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { forgetPayment, forgetRefund } from '../support/forget.js';
import { HELD_INSERTS, holdInserts } from '../support/held-inserts.js';
import {
  EffectHandlers,
  effectsBecome,
  openBench,
  orderInput,
  paidPayment,
  paymentBecomes,
  sendNotification,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';
import { cups, rub } from '../support/receipts.js';
import { rereadNext } from '../support/sweep.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Its first run writes and then fails; its second commits. */
@Injectable()
class UnsteadyHandler {
  @OnPaymentEvent('payment.succeeded', { id: 'test.unsteady' })
  async run({ name, payment }: PaymentEvent, { manager, attempt }: HandlerContext): Promise<void> {
    await manager.query('INSERT INTO effects (event, payment_id) VALUES ($1, $2)', [
      `unsteady ${name}`,
      payment.id,
    ]);
    if (attempt === 1) throw new Error('the first run fails after its write');
  }
}

/** Runs until it is let go, with the locks of its payment; at an order of its own alone. */
@Injectable()
class HangingHandler {
  static reference = '';
  static begun = false;
  static let = (): void => undefined;
  @OnPaymentEvent('payment.succeeded', { id: 'test.hanging' })
  async run({ payment }: PaymentEvent, { manager }: HandlerContext): Promise<void> {
    if (payment.orderReference !== HangingHandler.reference) return;
    await manager.query('SELECT FROM payments_payments WHERE id = $1 FOR UPDATE', [payment.id]);
    HangingHandler.begun = true;
    await new Promise<void>((resolve) => {
      HangingHandler.let = resolve;
    });
  }
}

/** One fact for each guarantee that ARCHITECTURE.md gives; the edge cases are tested beside the code. */
describe('the guarantees', () => {
  let bench: Bench;
  let host: PaymentsHost;
  /** A connection of the test's own, which sees only what is committed. */
  let outside: Client;
  beforeEach(async () => {
    bench = await openBench();
    host = await bench.startHost({ sweeps: false });
    outside = new Client(bench.database.url);
    await outside.connect();
  });
  afterEach(async () => {
    await outside.end();
    await bench.close();
  });

  const requests = (endpoint: string) =>
    bench.sandbox.ledger.report().requests.filter((request) => request.endpoint === endpoint);
  const committed = async <Row extends object>(sql: string, parameters: unknown[] = []) =>
    (await outside.query<Row>(sql, parameters)).rows;

  async function paid(): Promise<Payment> {
    const { id, serviceId } = await host.payments.create(orderInput());
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    return host.payments.refresh(id);
  }

  async function held(): Promise<Payment> {
    const { id, serviceId } = await host.payments.create({ ...orderInput(), capture: false });
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    return host.payments.refresh(id);
  }

  const about = ({ serviceId }: Payment, event = 'payment.succeeded') => ({
    type: 'notification',
    event,
    object: { id: serviceId, status: 'succeeded', paid: true },
  });

  it('G1: no money request leaves before its operation row is committed', async () => {
    const calls: [kind: string, call: () => Promise<unknown>][] = [
      ['create', () => host.payments.create(orderInput())],
      ['capture', () => held().then(({ id }) => host.payments.capture(id))],
      ['cancel', () => held().then(({ id }) => host.payments.cancel(id))],
      ['refund', () => paid().then(({ id }) => host.payments.refund(id, { refundKey: 'return' }))],
    ];
    for (const [kind, call] of calls) {
      const before = requests(kind).length;
      // The request is stopped on its arrival: what is committed then was committed before it was sent.
      if (kind === 'create') bench.sandbox.faults.order({ on: kind, fault: 'stall' });
      else
        bench.sandbox.faults.order({
          on: kind === 'capture' || kind === 'cancel' ? kind : 'refund',
          fault: 'stall',
        });
      const answered = call();
      const [arrived] = await eventually(
        () => Promise.resolve(requests(kind).slice(before)),
        ({ length }) => length > 0,
      );
      const rows = await committed<{ kind: string }>(
        'SELECT kind FROM payments_operations WHERE idempotence_key = $1',
        [arrived?.requestKey],
      );
      expect(rows).toEqual([{ kind }]);
      bench.sandbox.faults.clear();
      await answered;
    }
  });

  it('G2: one intent has one key and one body, and another key only after a definite refusal', async () => {
    const input = orderInput();
    bench.sandbox.faults.order({ on: 'create', fault: 'reset_after_commit' });
    bench.sandbox.faults.order({ on: 'create', fault: 'error_500_before_commit' });
    await host.payments.create(input);
    expect(requests('create')).toMatchObject([{ count: 3 }]);
    expect(bench.sandbox.payments.list()).toHaveLength(1);

    // Without an answer the caller gets an error, and its next call continues under the same key, also after a 403.
    const other = orderInput();
    bench.sandbox.faults.order({ on: 'create', fault: 'reset_after_commit', times: 1_000 });
    await expect(host.payments.create(other)).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
    bench.sandbox.faults.clear();
    bench.sandbox.faults.order({ on: 'create', fault: 'forbidden' });
    await expect(host.payments.create(other)).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
    await host.payments.create(other);
    expect(requests('create')).toHaveLength(2);
    expect(bench.sandbox.payments.list()).toHaveLength(2);

    const refused = orderInput();
    bench.sandbox.faults.order({ on: 'create', fault: 'forbidden' });
    await expect(host.payments.create(refused)).rejects.toBeInstanceOf(PaymentRejectedError);
    await host.payments.create(refused);
    expect(requests('create')).toHaveLength(4);
    expect(bench.sandbox.payments.list()).toHaveLength(3);
  });

  it('G3: what is not known is not final: neither errors nor time end a create, only its answer or a full list', async () => {
    bench.sandbox.faults.order({ on: 'create', fault: 'error_500_after_commit', times: 1_000 });
    const input = orderInput();
    await expect(host.payments.create(input)).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
    bench.sandbox.faults.order({ on: 'list', fault: 'error_500_before_commit', times: 1_000 });
    await bench.sandbox.clock.advance(2 * DAY_MS);
    const [lost] = await host.payments.findByOrder(input.order.reference);
    await expect(host.payments.refresh(lost?.id ?? '')).rejects.toThrow(/list|500|service/i);
    expect(await host.payments.get(lost?.id ?? '')).toMatchObject({ status: 'submitting' });
    bench.sandbox.faults.clear();
    // Two days later the service has ended it, and the list shows that.
    expect(await host.payments.refresh(lost?.id ?? '')).toMatchObject({
      status: 'canceled',
      serviceId: bench.sandbox.payments.list()[0]?.id,
    });

    bench.sandbox.faults.order({ on: 'create', fault: 'error_500_before_commit', times: 1_000 });
    const never = orderInput();
    await expect(host.payments.create(never)).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
    bench.sandbox.faults.clear();
    await bench.sandbox.clock.advance(DAY_MS);
    const [unreceived] = await host.payments.findByOrder(never.order.reference);
    expect(await host.payments.refresh(unreceived?.id ?? '')).toMatchObject({ status: 'rejected' });
  });

  it("G4: a notification's body sets nothing, and a forged one hides no true one", async () => {
    const sweeping = await bench.startHost();
    bench.sandbox.setNotifyUrl(null);
    const payment = await sweeping.payments.create(orderInput());
    const forged = { ...about(payment), object: { ...about(payment).object, amount: { value: '1.00' } } };
    expect((await sendNotification(sweeping, forged)).status).toBe(200);
    const handled = () =>
      committed<{ count: number; handled: number }>(
        'SELECT count, handled_count AS handled FROM payments_notifications',
      );
    await eventually(handled, ([row]) => row?.handled === 1);
    expect(await host.payments.get(payment.id)).toMatchObject({ status: 'pending', amount: payment.amount });
    await outside.query('UPDATE payments_due SET ready_at = ready_at + make_interval(years => 1)');
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    expect((await sendNotification(sweeping, about(payment))).status).toBe(200);
    expect(await paymentBecomes(sweeping, payment.id, 'succeeded')).toMatchObject({
      capturedAmount: payment.amount,
    });
  });

  it('G5: status, event, deliveries and order totals change together or not at all', async () => {
    const input = orderInput();
    const { id, serviceId } = await host.payments.create(input);
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    const state = () =>
      committed<object>(
        `SELECT payment.status, orders.state, orders.paid_minor::int AS paid,
           (SELECT count(*)::int FROM payments_events WHERE name = 'payment.succeeded') AS events,
           (SELECT count(*)::int FROM payments_deliveries) AS deliveries
         FROM payments_payments payment JOIN payments_orders orders ON orders.id = payment.order_id`,
      );
    const before = [{ status: 'pending', state: 'unpaid', paid: 0, events: 0, deliveries: 0 }];
    await outside.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'the disk is full'; END $$`);
    const written = [
      ['payments_payments', 'UPDATE', `NEW.status = 'succeeded'`],
      ['payments_events', 'INSERT', `NEW.name = 'payment.succeeded'`],
      ['payments_deliveries', 'INSERT', 'true'],
      ['payments_orders', 'UPDATE', 'NEW.paid_minor > 0'],
    ];
    for (const [table, change, condition] of written) {
      await outside.query(
        `CREATE TRIGGER refuse BEFORE ${change} ON ${table} FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION refuse()`,
      );
      await expect(host.payments.refresh(id)).rejects.toThrow('the disk is full');
      expect({ table, state: await state() }).toEqual({ table, state: before });
      await outside.query(`DROP TRIGGER refuse ON ${table}`);
    }
    await host.payments.refresh(id);
    expect(await state()).toEqual([
      { status: 'succeeded', state: 'paid', paid: 100_00, events: 1, deliveries: 1 },
    ]);
  });

  it('G6: 200 is answered when the notification is committed, with the service down, and 503 when it cannot be', async () => {
    const payment = await host.payments.create(orderInput());
    bench.sandbox.faults.order({ on: 'read', fault: 'stall', times: 1_000 });
    const release = await holdInserts(outside, 'payments_notifications');
    const answers: Response[] = [];
    const answered = sendNotification(host, about(payment)).then((answer) => answers.push(answer));
    await eventually(
      () => outside.query<{ count: number }>(HELD_INSERTS),
      ({ rows }) => rows[0]?.count === 1,
    );
    expect(answers).toEqual([]);
    await release();
    await answered;
    expect(answers.map(({ status }) => status)).toEqual([200]);
    expect(await committed('SELECT count FROM payments_notifications')).toEqual([{ count: 1 }]);
    await outside.query('ALTER TABLE payments_notifications RENAME TO gone');
    expect((await sendNotification(host, about(payment))).status).toBe(503);
    await outside.query('ALTER TABLE gone RENAME TO payments_notifications');
    bench.sandbox.faults.clear();
  });

  it('G7: a notification that comes before its payment is known waits, and wakes it', async () => {
    const sweeping = await bench.startHost();
    bench.sandbox.faults.order({ on: 'create', fault: 'stall_after_commit' });
    const creating = sweeping.payments.create(orderInput());
    const [made] = await eventually(
      () => Promise.resolve(bench.sandbox.payments.list()),
      ({ length }) => length === 1,
    );
    bench.sandbox.payments.pay(made?.id ?? '', { outcome: 'succeed' });
    const stored = () =>
      committed<{ handled: number }>('SELECT handled_count AS handled FROM payments_notifications');
    await eventually(stored, ([row]) => row?.handled === 0);
    bench.sandbox.faults.clear();
    const { id } = await creating;
    // Polls are off: whatever happens now, the notification caused it.
    await outside.query(
      'UPDATE payments_due SET ready_at = ready_at + make_interval(years => 1) WHERE ready_at > now()',
    );
    await paymentBecomes(sweeping, id, 'succeeded');
    expect(await eventually(stored, ([row]) => row?.handled === 1)).toHaveLength(1);
  });

  it('G8: with every notification lost, or each at once and twice, the final states, effects and totals are the same', async () => {
    const ends: unknown[] = [];
    for (const fault of ['drop', 'duplicate'] as const) {
      const own = await openBench();
      try {
        const shop = await own.startHost();
        own.sandbox.faults.order({ on: 'notification', fault, times: 1_000 });
        const input = (reference: string) => ({ ...orderInput(reference), capture: reference !== 'held' });
        const made: Payment[] = [];
        for (const reference of ['paid', 'held', 'declined', 'refunded', 'refunded elsewhere'])
          made.push(await shop.payments.create(input(reference)));
        for (const { serviceId, orderReference } of made) {
          const outcome = orderReference === 'declined' ? 'decline' : 'succeed';
          own.sandbox.payments.pay(serviceId ?? '', { outcome });
        }
        // Each change is found either by a poll now, or by a notification before.
        await own.sandbox.clock.advance(60_000);
        const [, holding, , refunded, elsewhere] = made;
        await paymentBecomes(shop, holding?.id ?? '', 'waiting_for_capture');
        await shop.payments.capture(holding?.id ?? '');
        await paymentBecomes(shop, refunded?.id ?? '', 'succeeded');
        await shop.payments.refund(refunded?.id ?? '', { refundKey: 'return' });
        own.sandbox.refunds.make(elsewhere?.serviceId ?? '', '40.00');
        await own.sandbox.clock.advance(HOUR_MS);
        const final = () =>
          Promise.all(
            made.map(async ({ id, orderReference }) => ({
              orderReference,
              status: (await shop.payments.get(id)).status,
              // Each of the two databases gives its store an id of its own.
              order: { ...(await shop.payments.getOrder(orderReference)), store: undefined },
              effects: await own.effects(shop, id),
            })),
          );
        const settled = await eventually(final, (all) =>
          all.every(
            ({ status, order, effects, orderReference }) =>
              effects.length === (orderReference === 'held' ? 2 : 1) &&
              (status === 'succeeded' || status === 'canceled') &&
              (!orderReference.startsWith('refunded') || order.refunded?.value !== '0.00'),
          ),
        );
        ends.push(settled);
      } finally {
        await own.close();
      }
    }
    expect(ends[1]).toEqual(ends[0]);
  });

  it('G9: notifications in any order and repetition give the same result, and a final state never changes', async () => {
    const copy = await bench.startProxy();
    const sweeping = await bench.startHost({ serviceUrl: copy.url });
    const payment = await paid();
    await effectsBecome(bench, sweeping, payment.id, 1);
    const before = await host.payments.get(payment.id);
    // Not even if the service contradicts itself.
    copy.rewrite = (object) => ({ ...object, status: 'canceled' });
    const events = ['payment.canceled', 'payment.waiting_for_capture', 'payment.succeeded'];
    for (const event of [...events, ...events.toReversed()])
      await sendNotification(host, about(payment, event));
    const open = () =>
      committed<{ open: number }>(
        'SELECT count(*)::int AS open FROM payments_notifications WHERE count > handled_count',
      );
    await eventually(open, ([row]) => row?.open === 0);
    expect(await host.payments.get(payment.id)).toEqual(before);
    await eventually(
      () => bench.effects(sweeping, payment.id),
      (effects) => effects.includes('payment.anomaly'),
    );
    expect(await bench.effects(host, payment.id)).toEqual(['payment.anomaly', 'payment.succeeded']);
    await sweeping.close();
  });

  it("G10: a handler's writes take effect exactly once, although its first run failed after them", async () => {
    const own = await bench.startHost({}, [EffectHandlers, UnsteadyHandler]);
    const { id, serviceId } = await own.payments.create(orderInput());
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    await eventually(
      () =>
        committed<{ attempts: number }>(
          `SELECT attempts FROM payments_deliveries WHERE handler_id = 'test.unsteady' AND last_error IS NOT NULL`,
        ),
      ({ length }) => length === 1,
    );
    // Nothing of the failed run remains, and it did not delay the other handler.
    expect(await effectsBecome(bench, own, id, 1)).toEqual(['payment.succeeded']);
    await bench.sandbox.clock.advance(60_000);
    await effectsBecome(bench, own, id, 2);
    expect(await bench.effects(own, id)).toEqual(['payment.succeeded', 'unsteady payment.succeeded']);
  });

  it('G11: a worker whose work another one took over writes nothing', async () => {
    const payment = await host.payments.create(orderInput());
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    bench.sandbox.faults.order({ on: 'read', fault: 'stall_after_commit' });
    const paused = host.payments.refresh(payment.id);
    await eventually(
      () => Promise.resolve(requests('read')),
      ({ length }) => length === 1,
    );
    // As another worker's claim leaves it after the lease has expired.
    await outside.query(
      'UPDATE payments_due SET fence = gen_random_uuid(), ready_at = ready_at + make_interval(years => 1)',
    );
    bench.sandbox.faults.clear();
    await paused;
    expect(await host.payments.get(payment.id)).toMatchObject({ status: 'pending' });
    expect(await committed(`SELECT name FROM payments_events WHERE name = 'payment.succeeded'`)).toEqual([]);
  });

  it('G12: no hold ends silently: it is handled with a margin, or reported as expired', async () => {
    const sweeping = await bench.startHost({ holds: { policy: 'capture' } });
    const seen = await held();
    await bench.sandbox.clock.advance(6.5 * DAY_MS);
    await paymentBecomes(sweeping, seen.id, 'succeeded');
    const flagged = await sweeping.payments.create({ ...orderInput(), capture: false, holdPolicy: 'flag' });
    bench.sandbox.payments.pay(flagged.serviceId ?? '', { outcome: 'succeed' });
    await paymentBecomes(sweeping, flagged.id, 'waiting_for_capture');
    await bench.sandbox.clock.advance(6.5 * DAY_MS);
    const holdEvents = () =>
      committed<{ name: string }>(
        `SELECT name FROM payments_events WHERE payment_id = $1 AND name LIKE 'hold.%' ORDER BY id`,
        [flagged.id],
      );
    await eventually(holdEvents, ({ length }) => length === 1);
    await bench.sandbox.clock.advance(DAY_MS);
    await paymentBecomes(sweeping, flagged.id, 'canceled');
    expect(await holdEvents()).toEqual([{ name: 'hold.expiring' }, { name: 'hold.expired' }]);
  });

  it('G13: money is conserved: what is captured and refunded never exceeds what it comes from, equal to the ledger', async () => {
    const other = await bench.startHost({ sweeps: false });
    const payment = await held();
    await host.payments.capture(payment.id, { amount: { value: '70.00', currency: 'RUB' } });
    const part = { value: '20.00', currency: 'RUB' as const };
    const asked = await Promise.allSettled(
      Array.from({ length: 6 }, (_, index) =>
        (index % 2 === 0 ? host : other).payments.refund(payment.id, {
          refundKey: `return-${index}`,
          amount: part,
        }),
      ),
    );
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    // Refused by the decision under the payment's lock, before the database's own check has to.
    const refusals: unknown[] = asked.flatMap((call) => (call.status === 'rejected' ? [call.reason] : []));
    expect(refusals).toEqual(
      Array.from({ length: 3 }, () => expect.objectContaining({ code: 'refund_amount_exceeded' })),
    );
    const totals = bench.sandbox.ledger.totals(payment.serviceId ?? '');
    expect(totals).toMatchObject({ charged: '100.00', captured: '70.00', refunded: '60.00' });
    expect(await host.payments.get(payment.id)).toMatchObject({
      capturedAmount: { value: '70.00' },
      refundedAmount: { value: '60.00' },
    });
    await expect(
      outside.query('UPDATE payments_payments SET refunded_minor = 7001 WHERE id = $1', [payment.id]),
    ).rejects.toThrow('payments_payments_money_check');
  });

  it('G14: card number, code, cryptogram and key appear in no log, error, metric or row', async () => {
    const said: unknown[] = [];
    const logs = (['log', 'warn', 'error', 'debug'] as const).map((level) =>
      jest.spyOn(Logger.prototype, level).mockImplementation((...line: unknown[]) => said.push(line)),
    );
    // A demo store accepts no cryptogram.
    const cardBench = await openBench({ shopId: '100500', secretKey: canaries.secretKey });
    try {
      const metered = (info: unknown) => void said.push(info);
      const hooks = { onRequest: metered, onAnswer: metered, onFailure: metered };
      const cards = (await cardBench.startHost({ sweeps: false, cardData: true, hooks })).app.get(
        CardPaymentsService,
      );
      const card = {
        number: canaries.cardNumber,
        csc: canaries.csc,
        expiry_month: '07',
        expiry_year: '2099',
        cardholder: 'CANARY HOLDER',
      };
      const { order, amount } = orderInput();
      expect(await cards.create({ ...orderInput(), card })).toMatchObject({ status: 'pending' });
      expect(await cards.create({ order, amount, walletToken: canaries.cryptogram })).toMatchObject({
        status: 'succeeded',
      });
      for (const fault of ['forbidden', 'reset_after_commit'] as const) {
        cardBench.sandbox.faults.order({ on: 'create', fault, times: 1_000 });
        said.push(await cards.create({ ...orderInput(), card }).catch((error: unknown) => error));
        cardBench.sandbox.faults.clear();
      }
      said.push(
        await cards
          .create({ ...orderInput(), card: { ...card, number: `${card.number}0` } })
          .catch((error: unknown) => error),
      );
      expect(said.filter((thing) => thing instanceof Error)).toHaveLength(3);
      expect(
        said.filter((thing) => canariesWithin(thing).length > 0 || canariesIn(inspect(thing)).length > 0),
      ).toEqual([]);
      expect(await canariesInDatabase(cardBench.database.url)).toEqual([]);
      const bodies = await cardBench.asOwner<{ body: string }>('SELECT body FROM payments_operations');
      expect(bodies.filter(({ body }) => /CANARY HOLDER|"number"|"csc"/.test(body))).toEqual([]);
    } finally {
      for (const log of logs) log.mockRestore();
      await cardBench.close();
    }
  });

  it('G15: the sender is the one that trusted proxies name, read from the right, and a wrong set-up is reported', async () => {
    const warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    const failed = jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
    try {
      const change = async (): Promise<Payment> => {
        const payment = await host.payments.create(orderInput());
        bench.sandbox.faults.order({ on: 'notification', fault: 'drop' });
        bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
        return payment;
      };
      // A proxy that the options forgot: everything it passes on is refused.
      for (let count = 1; count <= 3; count += 1)
        expect((await sendNotification(host, about(await change()), '185.71.76.1, 172.16.0.9')).status).toBe(
          403,
        );
      expect(warned.mock.calls.map(([line]) => String(line))).toContainEqual(
        expect.stringContaining("add '172.16.0.9' to trustedProxies"),
      );
      expect(host.app.get(PaymentsOperator).refusedSenders()).toMatchObject([
        { address: '172.16.0.9', advice: 'trustedProxies', count: 3 },
      ]);
      await bench.sandbox.clock.advance(60_000);
      const pollOne = () => rereadNext(host.app);
      while (await pollOne());
      expect(failed.mock.calls.map(([line]) => String(line))).toContainEqual(
        expect.stringMatching(/^Polling found the last 3 changes; .*trustedProxies/),
      );

      const chains: [forwardedFor: string, status: number][] = [
        ['185.71.76.1', 200],
        ['203.0.113.9, 185.71.76.1', 200],
        ['185.71.76.1, 203.0.113.9', 403],
        ['185.71.76.1, 203.0.113.9, 127.0.0.1', 403],
        ['127.0.0.1', 403],
      ];
      const other = about(await change());
      for (const [forwardedFor, status] of chains)
        expect([forwardedFor, (await sendNotification(host, other, forwardedFor)).status]).toEqual([
          forwardedFor,
          status,
        ]);
    } finally {
      warned.mockRestore();
      failed.mockRestore();
    }
  });

  it('G16: nothing irreversible depends on clocks that agree: the service’s clock is read, or all is searched, or it stays open', async () => {
    // Its answers give no usable time: hours slow, and a header that says otherwise.
    bench.sandbox.clock.skew(-3 * HOUR_MS);
    bench.sandbox.faults.order({ on: 'list', fault: 'wrong_date', ms: 5 * HOUR_MS, times: 1_000 });
    const { order, amount } = orderInput();
    const input = { order, amount, paymentMethodId: bench.sandbox.paymentMethods.bind().id };
    bench.sandbox.faults.order({ on: 'create', fault: 'reset_after_commit', times: 1_000 });
    await expect(host.payments.create(input)).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
    await bench.sandbox.clock.advance(HOUR_MS);
    const [lost] = await host.payments.findByOrder(order.reference);
    expect(await host.payments.refresh(lost?.id ?? '')).toMatchObject({ status: 'succeeded' });
    bench.sandbox.faults.clear();
    await expect(host.payments.create(input)).rejects.toMatchObject({ code: 'order_already_paid' });
    expect(bench.sandbox.payments.list()).toHaveLength(1);

    // Neither searched completely nor read: it stays open, and a person is informed.
    const endless = await bench.startProxy();
    let page = 1_000_000;
    endless.rewrite = (object) => {
      const cursor = Buffer.from(String((page -= 1))).toString('base64url');
      return 'items' in object ? { ...object, items: [], next_cursor: cursor } : object;
    };
    const caller = await bench.startHost({ sweeps: false, serviceUrl: endless.url });
    bench.sandbox.faults.order({ on: 'create', fault: 'reset_before_commit', times: 1_000 });
    const other = orderInput();
    await expect(caller.payments.create(other)).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
    bench.sandbox.faults.clear();
    await bench.sandbox.clock.advance(HOUR_MS);
    const [open] = await caller.payments.findByOrder(other.order.reference);
    expect(await caller.payments.refresh(open?.id ?? '')).toMatchObject({ status: 'submitting' });
    expect((await caller.payments.timeline(open?.id ?? '')).map(({ name }) => name)).toContain(
      'payment.anomaly',
    );
  });

  it('G17: what hangs or fails delays nothing else', async () => {
    const { payments } = await bench.startHost({ poolSize: 4 }, [EffectHandlers, HangingHandler]);
    const pay = (payment: Payment) =>
      bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    // One handler keeps its payment locked, and the re-reads of as many payments as there are connections get no answer.
    const stuck = await payments.create(orderInput());
    HangingHandler.reference = stuck.orderReference;
    pay(stuck);
    await eventually(
      () => Promise.resolve(HangingHandler.begun),
      (begun) => begun,
    );
    for (let count = 0; count < 4; count += 1) {
      const silent = await payments.create(orderInput());
      bench.sandbox.faults.order({
        on: 'read',
        fault: 'stall',
        object: silent.serviceId ?? '',
        times: 1_000,
      });
      pay(silent);
    }
    const others = await Promise.all(Array.from({ length: 20 }, () => payments.create(orderInput())));
    for (const other of others) pay(other);
    for (const { id } of others) await effectsBecome(bench, host, id, 1);
    const open = await committed<{ handler: string }>(
      'SELECT handler_id AS handler FROM payments_deliveries WHERE done_at IS NULL AND lease_until IS NOT NULL',
    );
    expect(open).toEqual([{ handler: 'test.hanging' }]);
    HangingHandler.let();
  });

  it.each([
    ['with_payment', 0],
    ['after_payment', 2],
  ] as const)(
    'G18: no money moves without its receipt or a recorded obligation, to the kopeck: %s',
    async (scenario, owed) => {
      const own = await openBench(
        { ...testAccount, shopId: '4711' },
        { profile: 'yookassa', receipts: { scenario, provider: 'atol' } },
      );
      try {
        const shop = await own.startHost({
          profile: yookassaProfile,
          fiscalization: { register: 'third_party', scenario, lateAfterMs: HOUR_MS },
        });
        const { payments } = shop;
        await expect(payments.create(orderInput())).rejects.toMatchObject({ field: 'receipt' });
        expect(own.sandbox.payments.list()).toEqual([]);

        // The register is down: the money moves, and what is owed for it is recorded.
        own.sandbox.faults.order({ on: 'receipt', fault: 'error_500_before_commit', times: 1_000 });
        const payment = await paidPayment(own, shop, { receipt: cups });
        const amount = rub('35.00');
        await payments.refund(payment.id, {
          refundKey: 'one cup',
          amount,
          receipt: receiptOfCart(
            { ...cups, items: [{ description: 'Cup', amount, quantity: 1, vatCode: 11 }] },
            amount,
          ),
        });
        expect(await payments.receipts.list(payment.id)).toHaveLength(owed);
        own.sandbox.faults.clear();
        const sums = await eventually(
          async () => {
            await own.sandbox.clock.advance(60_000);
            const { receiptsShort } = own.sandbox.ledger.report();
            return receiptsShort.filter(({ paymentId }) => paymentId === payment.serviceId);
          },
          ({ length }) => length === 0,
        );
        expect(sums).toEqual([]);
      } finally {
        await own.close();
      }
    },
  );

  it('G19: what the database forgets is found again at the service, and charged once', async () => {
    const { ledger } = bench.sandbox;
    // Nothing tells of a payment but what is asked for.
    const dropNotifications = () =>
      bench.sandbox.faults.order({ on: 'notification', fault: 'drop', times: 1_000 });
    dropNotifications();
    const bought = async (input = orderInput()): Promise<Payment> => {
      const payment = await host.payments.create(input);
      bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
      return payment;
    };

    // Forgotten, and noticed by nobody: asked for again, both are what they were.
    const input = orderInput();
    const clicked = await bought(input);
    await forgetPayment(bench, clicked.id);
    expect(await host.payments.create(input)).toMatchObject({ serviceId: clicked.serviceId });
    const returned = await paid();
    const back = { refundKey: 'return', amount: { value: '30.00', currency: 'RUB' as const } };
    const refund = await host.payments.refund(returned.id, back);
    await forgetRefund(bench, refund.id);
    expect(await host.payments.refund(returned.id, back)).toMatchObject({ serviceId: refund.serviceId });

    // Noticed: nobody has to ask.
    const { payments, app } = await bench.startHost();
    const alone = await bought();
    // No look finds the refund before the loss is noticed, however long that takes.
    const unlisted = { on: 'list_refunds', fault: 'error_500_before_commit' } as const;
    bench.sandbox.faults.order({ ...unlisted, times: 1_000 });
    await forgetPayment(bench, alone.id);
    await forgetRefund(bench, refund.id);
    await bench.asOwner('UPDATE payments_commit_mark SET counter = counter - 1');
    const noticed = async () =>
      (await app.get(PaymentsOperator).recoveries()).filter(({ reason }) => reason === 'commits_lost');
    await eventually(noticed, ({ length }) => length > 0);
    bench.sandbox.faults.clear();
    dropNotifications();
    const [recovery] = await eventually(noticed, ([found]) => found !== undefined && found.doneAt !== null);
    expect(recovery).toMatchObject({
      paymentsAdopted: 1,
      paymentsWithRefunds: 1,
      error: null,
    });
    for (const { orderReference, serviceId } of [clicked, alone]) {
      const [found, ...others] = await eventually(
        () => payments.findByOrder(orderReference),
        ([payment]) => payment?.status === 'succeeded',
      );
      expect([found?.serviceId, others]).toEqual([serviceId, []]);
      await effectsBecome(bench, host, found?.id ?? '', 1);
      await expect(payments.create(orderInput(orderReference))).rejects.toMatchObject({
        code: 'order_already_paid',
      });
    }
    expect(await payments.refunds(returned.id)).toMatchObject([
      { serviceId: refund.serviceId, refundKey: 'return' },
    ]);
    const totals = [clicked, alone, returned].map(({ serviceId }) => ledger.totals(serviceId ?? ''));
    expect(totals.map(({ charges, refunds }) => [charges, refunds])).toEqual([
      [1, 0],
      [1, 0],
      [1, 1],
    ]);
    expect(bench.sandbox.payments.list()).toHaveLength(3);
  });
});
