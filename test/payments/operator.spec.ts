import { OnPaymentEvent, PaymentsOperator, type HandlerContext, type PaymentEvent } from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import { Client } from 'pg';
import { eventually } from '../support/eventually.js';
import {
  effectsBecome,
  openBench,
  orderInput,
  paidPayment,
  paymentBecomes,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';

const DAY_MS = 86_400_000;

/** Fails until it is fixed. */
@Injectable()
class FragileHandlers {
  broken = true;

  @OnPaymentEvent('payment.succeeded', { id: 'test.ship' })
  ship(event: PaymentEvent, context: HandlerContext): Promise<void> {
    return this.#run(event, context);
  }

  @OnPaymentEvent('payment.succeeded', { id: 'test.mail' })
  mail(event: PaymentEvent, context: HandlerContext): Promise<void> {
    return this.#run(event, context);
  }

  async #run({ payment }: PaymentEvent, { manager, effectKey }: HandlerContext): Promise<void> {
    if (this.broken) throw new Error('no paper');
    await manager.query('INSERT INTO effects (event, payment_id) VALUES ($1, $2)', [
      effectKey.split('/')[0],
      payment.id,
    ]);
  }
}

describe('an operator', () => {
  let bench: Bench;
  let host: PaymentsHost;
  let operator: PaymentsOperator;
  const handlers = new FragileHandlers();
  async function begin(): Promise<void> {
    host = await bench.startHost({ handlerAttempts: 1 }, [{ provide: FragileHandlers, useValue: handlers }]);
    operator = host.app.get(PaymentsOperator);
    bench.sandbox.setNotifyUrl(`${host.url}/webhooks/payments`);
  }

  beforeAll(async () => {
    bench = await openBench();
    await begin();
  });
  beforeEach(() => {
    handlers.broken = true;
  });
  afterAll(() => bench.close());

  const paid = async () => (await paidPayment(bench, host)).id;

  const parkedOf = (paymentId: string) =>
    eventually(
      async () => (await operator.parkedDeliveries()).filter((delivery) => delivery.paymentId === paymentId),
      ({ length }) => length === 2,
    );

  const notesOf = async (paymentId: string) =>
    bench.asOwner<{ by: string; note: string }>(
      `SELECT evidence ->> 'by' AS by, evidence ->> 'note' AS note FROM payments_events
       WHERE payment_id = '${paymentId}' AND name = 'payment.noted' ORDER BY id`,
    );

  const settled = (paymentId: string, count: number) => effectsBecome(bench, host, paymentId, count);

  it('sees what was given up, and has one delivery made again once its fault is fixed', async () => {
    const id = await paid();
    const parked = await parkedOf(id);
    expect(parked.map(({ handlerId }) => handlerId).toSorted()).toEqual(['test.mail', 'test.ship']);
    const [first] = parked;
    expect(first).toEqual({
      eventId: expect.stringMatching(/^\d+$/),
      handlerId: first?.handlerId,
      eventName: 'payment.succeeded',
      store: expect.any(String),
      paymentId: id,
      attempts: 1,
      lastError: 'Error: no paper',
      parkedAt: expect.any(Date),
    });
    expect(await host.payments.get(id, { store: first?.store ?? '' })).toMatchObject({ id });
    expect((await operator.backlog()).parkedDeliveries).toMatchObject({ count: 2 });
    handlers.broken = false;
    const eventId = first?.eventId ?? '';
    expect(await operator.retryDelivery(eventId, 'test.mail', { by: 'anna' })).toBe(true);
    expect(await settled(id, 1)).toEqual(['test.mail']);
    expect(await operator.retryDelivery(eventId, 'test.mail', { by: 'boris' })).toBe(false);
    expect(await operator.retryDelivery(eventId, 'test.unknown', { by: 'boris' })).toBe(false);
    expect((await operator.parkedDeliveries()).map(({ handlerId }) => handlerId)).toEqual(['test.ship']);
    expect(await operator.retryAll({ by: 'vera' })).toBe(1);
    expect(await settled(id, 2)).toEqual(['test.mail', 'test.ship']);
    expect(await notesOf(id)).toEqual([
      { by: 'anna', note: `Runs test.mail again for event ${eventId}` },
      { by: 'vera', note: `Runs test.ship again for event ${eventId}` },
    ]);
  });

  it('names nobody who has not run it again: who did it stands in the transaction that makes it due', async () => {
    const id = await paid();
    const [first] = await parkedOf(id);
    const { eventId = '', handlerId = '' } = first ?? {};
    const refuse = `CREATE FUNCTION refuse_note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no notes'; END $$;
      CREATE TRIGGER refuse_note BEFORE INSERT ON payments_events FOR EACH ROW WHEN (NEW.name = 'payment.noted')
      EXECUTE FUNCTION refuse_note()`;
    await bench.asOwner(refuse);
    await expect(operator.retryDelivery(eventId, handlerId, { by: 'anna' })).rejects.toThrow('no notes');
    await bench.asOwner('DROP TRIGGER refuse_note ON payments_events; DROP FUNCTION refuse_note()');
    expect(await parkedOf(id)).toHaveLength(2);
    handlers.broken = false;
    // Of two at once, whoever is told that it runs is named.
    const both = ['anna', 'boris'];
    const runs = await Promise.all(both.map((by) => operator.retryDelivery(eventId, handlerId, { by })));
    expect(runs).toContain(true);
    expect((await notesOf(id)).map(({ by }) => by).toSorted()).toEqual(
      both.filter((_by, index) => runs[index]),
    );
    await operator.retryAll({ by: 'anna' });
    await settled(id, 2);
  });

  it('has a name for whoever runs deliveries again or retires a handler', async () => {
    for (const by of ['', 'x'.repeat(129)]) {
      await expect(operator.retryDelivery('1', 'test.mail', { by })).rejects.toMatchObject({ field: 'by' });
      await expect(operator.retryAll({ by })).rejects.toMatchObject({ field: 'by' });
      await expect(operator.retireHandler('test.none', { by })).rejects.toMatchObject({ field: 'by' });
    }
  });

  it('says of an event without a payment, too, who had it run again', async () => {
    const [known] = await bench.asOwner<{ store: string }>('SELECT id AS store FROM payments_stores');
    const [event] = await bench.asOwner<{ id: string }>(
      `WITH event AS (
         INSERT INTO payments_events (store_id, subject_type, subject_id, name, cause, evidence, created_at)
         VALUES ('${known?.store}', 'payout', 'po-1', 'payout.succeeded', 'notification', '{}', now()) RETURNING id
       ), parked AS (
         INSERT INTO payments_deliveries (event_id, handler_id, store_id, sequence, attempts, next_attempt_at, parked_at)
         SELECT id, 'test.mail', '${known?.store}', 'payout po-1', 1, now(), now() FROM event
       ) SELECT id FROM event`,
    );
    expect(await operator.retryDelivery(event?.id ?? '', 'test.mail', { by: 'anna' })).toBe(true);
    expect(
      await bench.asOwner(
        `SELECT evidence ->> 'by' AS by FROM payments_events WHERE subject_id = 'po-1' AND name = 'payment.noted'`,
      ),
    ).toEqual([{ by: 'anna' }]);
    await bench.asOwner(`DELETE FROM payments_deliveries WHERE event_id = ${event?.id}`);
  });

  it('sees what fails and is run again, with its error, and not what is being run for the first time', async () => {
    const patient = await bench.startHost({ handlerAttempts: 3 }, [
      { provide: FragileHandlers, useValue: handlers },
    ]);
    await host.close();
    bench.sandbox.setNotifyUrl(`${patient.url}/webhooks/payments`);
    const of = patient.app.get(PaymentsOperator);
    const payment = await paidPayment(bench, patient);
    const failing = await eventually(
      async () => (await of.failingDeliveries()).filter(({ nextAttemptAt }) => nextAttemptAt !== null),
      ({ length }) => length === 2,
    );
    expect(failing.map(({ handlerId }) => handlerId).toSorted()).toEqual(['test.mail', 'test.ship']);
    expect(failing[0]).toMatchObject({
      eventName: 'payment.succeeded',
      paymentId: payment.id,
      attempts: 1,
      lastError: 'Error: no paper',
      parkedAt: null,
      nextAttemptAt: expect.any(Date),
    });
    expect((await of.problemsOf(payment.orderReference)).deliveries).toHaveLength(2);
    await bench.sandbox.clock.advance(60_000);
    const { failingDeliveries, parkedDeliveries } = await of.backlog();
    expect(failingDeliveries.count + parkedDeliveries.count).toBe(2);
    await eventually(
      async () => {
        await bench.sandbox.clock.advance(60_000);
        return of.problemsOf(payment.orderReference);
      },
      ({ deliveries }) => deliveries.every(({ parkedAt }) => parkedAt !== null),
    );
    expect(await of.failingDeliveries()).toEqual([]);
    handlers.broken = false;
    expect(await of.retryAll({ by: 'anna' })).toBe(2);
    await effectsBecome(bench, patient, payment.id, 2);
    expect(await of.problemsOf(payment.orderReference)).toEqual({ deliveries: [], receipts: [] });
    await patient.close();
    await begin();
  });

  it('has all deliveries of one handler made again, each once', async () => {
    const ids = [await paid(), await paid(), await paid()];
    for (const id of ids) await parkedOf(id);
    handlers.broken = false;
    const given = await Promise.all([
      operator.retryAll({ by: 'anna', handlerId: 'test.ship' }),
      operator.retryAll({ by: 'anna', handlerId: 'test.ship' }),
    ]);
    expect(given.reduce((sum, count) => sum + count)).toBe(3);
    for (const id of ids) expect(await settled(id, 1)).toEqual(['test.ship']);
    expect(await operator.retryAll({ by: 'anna', handlerId: 'test.nobody' })).toBe(0);
    expect(await operator.retryAll({ by: 'anna' })).toBe(3);
    for (const id of ids) await settled(id, 2);
  });

  it.each(['', 'x', '-1', '1; DROP TABLE', '99999999999999999999'])(
    'gets an error that %j is no delivery',
    async (eventId) => {
      await expect(operator.retryDelivery(eventId, 'test.mail', { by: 'anna' })).rejects.toMatchObject({
        field: 'eventId',
      });
    },
  );

  describe('that retires a handler which no longer exists in the code', () => {
    const register = (id: string) =>
      host.dataSource.query('INSERT INTO payments_handlers (id, event) VALUES ($1, $2)', [
        id,
        'payment.succeeded',
      ]);
    const deliveriesOf = (id: string) =>
      host.dataSource.query<{ payment: string; done: boolean }[]>(
        `SELECT event.payment_id AS payment, done_at IS NOT NULL AS done
         FROM payments_deliveries JOIN payments_events event ON event.id = event_id
         WHERE handler_id = $1 ORDER BY event_id`,
        [id],
      );
    const paidAndDelivered = async () => {
      const id = await paid();
      await settled(id, 2);
      return id;
    };
    beforeEach(() => {
      handlers.broken = false;
    });

    it('gives up the runs that wait for it, keeps those that were made, and leaves other handlers alone', async () => {
      await register('test.removed');
      const made = await paidAndDelivered();
      await host.dataSource.query(
        `UPDATE payments_deliveries SET done_at = now() WHERE handler_id = 'test.removed'`,
      );
      const waiting = await paidAndDelivered();
      expect((await operator.backlog()).deliveries.count).toBe(1);
      await expect(operator.retireHandler('test.mail', { by: 'anna' })).rejects.toMatchObject({
        field: 'handlerId',
      });
      expect(await operator.retireHandler('test.removed', { by: 'anna' })).toBe(1);
      expect(await deliveriesOf('test.removed')).toEqual([{ payment: made, done: true }]);
      expect(await notesOf(waiting)).toEqual([
        { by: 'anna', note: expect.stringMatching(/^Gives up test\.removed for event \d+: it is retired$/) },
      ]);
      expect(await notesOf(made)).toEqual([]);
      const known = () => operator.handlers().then((all) => all.find(({ id }) => id === 'test.removed'));
      expect(await known()).toMatchObject({ retiredAt: expect.any(Date), retiredBy: 'anna' });
      await paidAndDelivered();
      expect((await operator.backlog()).deliveries.count).toBe(0);
      expect(await operator.retireHandler('test.removed', { by: 'boris' })).toBe(0);
      expect(await known()).toMatchObject({ retiredBy: 'anna' });
    });

    it('gets it back with the code that has it again', async () => {
      await register('test.returned');
      await operator.retireHandler('test.returned', { by: 'anna' });
      await paidAndDelivered();
      @Injectable()
      class Returned {
        @OnPaymentEvent('payment.succeeded', { id: 'test.returned' })
        succeeded(): void {}
      }
      const deployed = await bench.startHost({}, [Returned]);
      const payment = await paidAndDelivered();
      expect(
        await eventually(
          () => deliveriesOf('test.returned'),
          ([first]) => first?.done === true,
        ),
      ).toEqual([{ payment, done: true }]);
      expect((await operator.handlers()).find(({ id }) => id === 'test.returned')).toMatchObject({
        retiredAt: null,
        retiredBy: null,
      });
      await deployed.close();
      bench.sandbox.setNotifyUrl(`${host.url}/webhooks/payments`);
      await operator.retireHandler('test.returned', { by: 'anna' });
    });

    it('leaves it no delivery of an event that is being recorded meanwhile', async () => {
      await register('test.leaving');
      const owner = new Client(bench.database.url);
      await owner.connect();
      await owner.query('BEGIN');
      await owner.query(`SELECT FROM payments_handlers WHERE id = 'test.leaving' FOR UPDATE`);
      await owner.query(`UPDATE payments_handlers SET retired_at = now() WHERE id = 'test.leaving'`);
      const payment = paidAndDelivered();
      await eventually(
        () =>
          bench.asOwner(`SELECT FROM pg_stat_activity WHERE datname = current_database()
            AND wait_event_type = 'Lock'`),
        ({ length }) => length > 0,
      );
      await owner.query('COMMIT');
      await owner.end();
      await payment;
      expect(await deliveriesOf('test.leaving')).toEqual([]);
    });
  });

  it('sees how long a hold has waited for a person, from the time it was flagged', async () => {
    const { id, serviceId } = await host.payments.create({ ...orderInput(), capture: false });
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    await paymentBecomes(host, id, 'waiting_for_capture');
    await bench.sandbox.clock.advance(6 * DAY_MS);
    await eventually(
      () => operator.backlog(),
      ({ flaggedHolds }) => flaggedHolds.count === 1,
    );
    await bench.sandbox.clock.advance(60_000);
    const { oldestMs } = (await operator.backlog()).flaggedHolds;
    expect(oldestMs).toBeGreaterThanOrEqual(60_000);
    expect(oldestMs).toBeLessThan(DAY_MS);
    await host.payments.cancel(id);
  });

  it('gets counts up to a thousand, and the age of the oldest in any case', async () => {
    const [{ now } = { now: new Date() }] = await host.dataSource.query<{ now: Date }[]>('SELECT now()');
    const at = new Date(now.getTime() + bench.sandbox.clock.offsetMs());
    await bench.asOwner(
      `INSERT INTO payments_notifications (id, store_id, event, object_type, object_id, body, sender_address, first_at, last_at, waiting_since, step)
       SELECT gen_random_uuid(), id, 'payment.succeeded', 'payment', 'many-' || n, '{}', '185.71.76.1', at, at, at, 'hand_over'
       FROM payments_stores, generate_series(1, 1500) n, LATERAL (SELECT $1::timestamptz - interval '1 second' * n AS at) made`,
      [at],
    );
    const { notifications } = await operator.backlog();
    expect(notifications).toMatchObject({ count: 1_000, more: true });
    expect(notifications.oldestMs).toBeGreaterThanOrEqual(1_500_000);
    await bench.asOwner(`DELETE FROM payments_notifications WHERE object_id LIKE 'many-%'`);
  });

  it('does not see a payment as waiting while a worker re-reads it, though it keeps its place in the queue', async () => {
    const { id } = await host.payments.create(orderInput());
    const place = async () => {
      const rows = await host.dataSource.query<{ readyAt: Date; leased: boolean }[]>(
        'SELECT ready_at AS "readyAt", fence IS NOT NULL AS leased FROM payments_due WHERE payment_id = $1',
        [id],
      );
      return rows[0];
    };
    const planned = await place();
    bench.sandbox.faults.order({ on: 'read', fault: 'stall', times: 1_000 });
    await bench.sandbox.clock.advance(60_000);
    const leased = await eventually(place, (row) => row?.leased === true);
    await eventually(
      () => operator.backlog(),
      ({ payments }) => payments.count === 0,
    );
    expect(leased).toEqual({ readyAt: planned?.readyAt, leased: true });
    expect(await place()).toEqual(leased);
    bench.sandbox.faults.clear();
    await paymentBecomes(host, id, 'pending');
  });

  it('sees in the backlog what has no outcome, and for how long', async () => {
    handlers.broken = false;
    bench.sandbox.faults.order({ on: 'create', fault: 'error_500_after_commit', times: 1_000 });
    // Where a sweep would find it.
    bench.sandbox.faults.order({ on: 'list', fault: 'error_500_before_commit', times: 1_000 });
    const lost = host.payments.create(orderInput());
    await expect(lost).rejects.toMatchObject({ code: 'payment_outcome_unknown' });
    await bench.sandbox.clock.advance(60_000);
    const { operations } = await operator.backlog();
    expect(operations.count).toBe(1);
    expect(operations.oldestMs).toBeGreaterThanOrEqual(60_000);
    bench.sandbox.faults.clear();
    const empty = { count: 0, more: false, oldestMs: null };
    expect(
      await eventually(
        () => operator.backlog(),
        (backlog) => Object.values(backlog).every(({ count }) => count === 0),
      ),
    ).toEqual({
      operations: empty,
      payments: empty,
      notifications: empty,
      deliveries: empty,
      failingDeliveries: empty,
      parkedDeliveries: empty,
      flaggedHolds: empty,
      openIncidents: empty,
      receiptProblems: empty,
      waitingForOwners: empty,
      forgottenStores: empty,
      openRecoveries: empty,
      unreadRecoveries: empty,
      unannouncedChanges: empty,
      unconfirmedDatabase: empty,
    });
  });
});
