import { OnPaymentEvent, PaymentsOperator, type HandlerContext, type PaymentEvent } from '@holdfast/payments';
import { jest } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Client } from 'pg';
import { Database } from '../../libs/payments/src/database/database.js';
import { Deliverer } from '../../libs/payments/src/handlers/deliverer.js';
import {
  DeliveryClaims,
  FIRST_STORE,
  type DeliveryClaim,
} from '../../libs/payments/src/handlers/delivery-claims.js';
import { DeliveryTurns } from '../../libs/payments/src/handlers/delivery-turns.js';
import { anotherStore, nextEvents, paidPayments } from '../support/deliveries.js';
import { eventually } from '../support/eventually.js';
import { LOCK_WAITS } from '../support/lock-waits.js';
import { LostAnswers } from '../support/lost-answers.js';
import { oneByOne } from '../support/one-by-one.js';
import { openBench, type Bench, type PaymentsHost } from '../support/payments-host.js';
import { Stops } from '../support/stops.js';

/** Records its runs; each may be blocked until it is released. */
@Injectable()
class Notes {
  readonly runs: { eventId: string; paymentId: string; store: string; description: string | null }[] = [];
  #hold: Promise<void> | null = null;
  letGo: () => void = () => undefined;

  /** Every run from now on waits. */
  holdBack(): void {
    this.#hold = new Promise((resolve) => (this.letGo = resolve));
  }

  @OnPaymentEvent('payment.succeeded', { id: 'test.notes' })
  async succeeded({ id: eventId, payment }: PaymentEvent): Promise<void> {
    const { id: paymentId, store, description } = payment;
    this.runs.push({ eventId, paymentId, store, description });
    await this.#hold;
  }
}

@Injectable()
class Effects {
  @OnPaymentEvent('payment.succeeded', { id: 'test.effects' })
  async succeeded({ name, payment }: PaymentEvent, { manager }: HandlerContext): Promise<void> {
    await manager.query('INSERT INTO effects (event, payment_id) VALUES ($1, $2)', [name, payment.id]);
  }
}

interface Delivery {
  readonly attempts: number;
  readonly done: boolean;
  readonly leased: boolean;
  /** It waits for an earlier one. */
  readonly behind: boolean;
  readonly due: boolean;
}

const NOTES = { handlerId: 'test.notes', lastStore: FIRST_STORE };
const FRESH = { ...NOTES, tried: false };
const TRIED = { ...NOTES, tried: true };
const ATTEMPTS = 3;

interface Stage {
  readonly bench: Bench;
  /** Does nothing by itself. */
  readonly host: PaymentsHost;
  readonly notes: Notes;
  readonly answers: LostAnswers;
}

async function openStage(): Promise<Stage> {
  const bench = await openBench();
  const answers = new LostAnswers();
  const { connections } = answers;
  const host = await bench.startHost({ sweeps: false, handlerAttempts: ATTEMPTS, connections }, [Notes]);
  return { bench, host, notes: host.app.get(Notes), answers };
}

describe('deliveries', () => {
  /** Of all tests that leave behind nothing but deliveries. */
  let shared: Stage;
  let bench: Bench;
  let host: PaymentsHost;
  let notes: Notes;
  let answers: LostAnswers;
  let runNext: () => Promise<boolean>;
  beforeAll(async () => {
    shared = await openStage();
  });
  beforeEach(() => enter(shared));
  afterEach(async () => {
    jest.restoreAllMocks();
    notes.letGo();
    if (bench !== shared.bench) return bench.close();
    Object.assign(notes, new Notes());
    await bench.asOwner('DELETE FROM payments_deliveries');
  });
  afterAll(() => shared.bench.close());

  function enter(stage: Stage): void {
    ({ bench, host, notes, answers } = stage);
    runNext = oneByOne(host.app.get(Deliverer, { strict: false }).work);
  }
  /** For a test that leaves a turn, a handler, a store or a trigger behind. */
  const openOwn = async () => enter(await openStage());

  const claims = () => host.app.get(DeliveryClaims, { strict: false });
  const take = (lines = [FRESH, TRIED]) => claims().take(lines, [], 100);
  const deliveries = () =>
    bench.asOwner<Delivery>(
      `SELECT attempts, done_at IS NOT NULL AS done, lease_until IS NOT NULL AS leased,
         next_attempt_at = 'infinity' AS behind, next_attempt_at <= clock_timestamp() AS due
       FROM payments_deliveries ORDER BY event_id`,
    );
  const last = async () => (await deliveries()).at(-1);
  /** The state that all expired leases leave behind. */
  const endLeases = () =>
    bench.asOwner(
      `UPDATE payments_deliveries SET lease_until = now() - interval '1 ms', next_attempt_at = now() WHERE lease_until IS NOT NULL`,
    );

  it('are claimed 32 at a time, those that were tried before one by one', async () => {
    await paidPayments(bench, 36);
    expect((await take())?.claims.map(({ attempts }) => attempts)).toEqual(
      Array.from({ length: 32 }, () => 1),
    );
    expect((await take())?.claims).toHaveLength(4);
    expect(await take()).toBeNull();
    await endLeases();
    expect((await take())?.claims).toMatchObject([{ attempts: 2, suspect: true }]);
  });

  it('that may have ended their process are run one at a time, so that no run is counted for another', async () => {
    await openOwn();
    await paidPayments(bench, 3);
    await take();
    await endLeases();
    const turns = host.app.get(DeliveryTurns, { strict: false });
    const claimed = await turns.take();
    expect([claimed, await turns.take()]).toMatchObject([[{ suspect: true }], []]);
    for (const claim of claimed) turns.begin(claim);
    expect(await turns.take()).toEqual([]);
    expect((await deliveries()).filter(({ attempts }) => attempts > 1)).toHaveLength(1);
    for (const claim of claimed) turns.end(claim);
    expect(await turns.take()).toMatchObject([{ attempts: 2, suspect: true }]);
  });

  it.each([
    ['beside one that hangs', 0, [2, 2]],
    ['never beside one whose last run it is', 1, [ATTEMPTS, null]],
    ['one by one if their next run is their last', 2, [2, null]],
  ])('that may have ended their process are run %s', async (_name, oneAtLast, attempts) => {
    await openOwn();
    await paidPayments(bench, 2);
    await take();
    await endLeases();
    await bench.asOwner(
      `UPDATE payments_deliveries delivery
       SET attempts = CASE place WHEN ${oneAtLast} THEN ${ATTEMPTS - 1} ELSE 1 END, next_attempt_at = now() - interval '1 minute' / place
       FROM (SELECT event_id, row_number() OVER (ORDER BY event_id) AS place FROM payments_deliveries) placed
       WHERE delivery.event_id = placed.event_id`,
    );
    const turns = host.app.get(DeliveryTurns, { strict: false });
    const [hanging] = await turns.take();
    if (!hanging) throw new Error('Nothing is due.');
    turns.begin(hanging);
    const now = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(now + 1_000);
    const [other] = await turns.take();
    jest.restoreAllMocks();
    expect([hanging.attempts, other?.attempts ?? null]).toEqual(attempts);
  });

  it('that are new are found at once, however many failing or blocked ones stand before them', async () => {
    const blocked = await paidPayments(bench, 1_600);
    await bench.asOwner(
      `UPDATE payments_deliveries SET attempts = 1, next_attempt_at = now() + interval '1 hour'`,
    );
    await nextEvents(bench, blocked);
    expect(await take()).toBeNull();
    // The failing ones are all due again, and nobody had the time to run one.
    await bench.asOwner(`UPDATE payments_deliveries SET next_attempt_at = now() WHERE attempts = 1`);
    await paidPayments(bench, 1);
    const turn = await take();
    expect(turn?.claims).toHaveLength(1);
    expect(turn?.line).toBe(FRESH);
  });

  it('of a store begin although another store has hundreds due', async () => {
    await openOwn();
    await paidPayments(bench, 500);
    const other = await anotherStore(bench);
    await paidPayments(bench, 1, other);
    while (!notes.runs.some(({ store }) => store === other) && (await runNext()));
    expect(notes.runs.at(-1)?.store).toBe(other);
    expect(notes.runs.length).toBeLessThanOrEqual(33);
  });

  it('of one handler are made while another hangs', async () => {
    await openOwn();
    const sweeping = await bench.startHost({ handlerTimeoutMs: 600_000 }, [Notes, Effects]);
    const hanging = sweeping.app.get(Notes);
    hanging.holdBack();
    await paidPayments(bench, 40);
    await eventually(
      () => bench.asOwner('SELECT FROM effects'),
      ({ length }) => length === 40,
    );
    // Of five slots: half, rounded up.
    expect(hanging.runs.length).toBeLessThanOrEqual(3);
    hanging.letGo();
  });

  it('that were claimed and not begun are returned unchanged when the process ends', async () => {
    const sweeping = await bench.startHost({ poolSize: 2 }, [Notes]);
    const slow = sweeping.app.get(Notes);
    slow.holdBack();
    await paidPayments(bench, 10);
    await eventually(
      () => Promise.resolve(slow.runs),
      ({ length }) => length === 1,
    );
    const closed = sweeping.close();
    slow.letGo();
    await closed;
    const left = (await deliveries()).filter(({ done }) => !done);
    expect(left).toEqual(
      Array.from({ length: 9 }, () => ({
        attempts: 0,
        done: false,
        leased: false,
        behind: false,
        due: true,
      })),
    );
  });

  describe('of one payment', () => {
    it('wait behind the first for as long as it takes, and the next is due when it is done', async () => {
      const ids = await paidPayments(bench, 1);
      await nextEvents(bench, ids);
      await nextEvents(bench, ids);
      const turn = await take();
      expect(turn?.claims).toMatchObject([{ attempts: 1 }]);
      expect(await take()).toBeNull();
      await claims().giveBack(turn?.claims ?? []);
      expect(await runNext()).toBe(true);
      expect(await deliveries()).toMatchObject([
        { done: true },
        { due: true, attempts: 0 },
        { behind: true, attempts: 0 },
      ]);
      expect([await runNext(), await runNext(), await runNext()]).toEqual([true, true, false]);
      expect(notes.runs).toHaveLength(3);
    });

    describe('beside the end of the first', () => {
      let client: Client;
      beforeEach(async () => {
        await openOwn();
        client = new Client(bench.database.url);
        await client.connect();
      });
      afterEach(() => client.end());

      it('are due after it, however late they are committed', async () => {
        const ids = await paidPayments(bench, 1);
        notes.holdBack();
        const run = runNext();
        await eventually(
          () => Promise.resolve(notes.runs),
          ({ length }) => length === 1,
        );
        // The run in progress is not waited for.
        await client.query('BEGIN');
        const asOwner: Bench['asOwner'] = async (sql, parameters) =>
          (await client.query(sql, parameters)).rows;
        await nextEvents({ asOwner }, ids);
        notes.letGo();
        await new Stops(client).stopped();
        await client.query('COMMIT');
        await run;
        expect(await deliveries()).toMatchObject([{ done: true }, { due: true }]);
      });

      it('do not wait for it, if they come in while it is being committed', async () => {
        const other = await bench.startHost({ sweeps: false }, [Effects]);
        const ids = await paidPayments(bench, 1);
        const stops = new Stops(client);
        await stops.at('commit', 'effects', 'true');
        const run = oneByOne(other.app.get(Deliverer, { strict: false }).work)();
        await stops.stopped();
        const entered = nextEvents(bench, ids);
        await eventually(
          async () =>
            (
              await client.query(
                `SELECT FROM (${LOCK_WAITS}) waiting JOIN pg_locks USING (pid) WHERE locktype = 'transactionid' AND NOT granted`,
              )
            ).rows,
          ({ length }) => length === 1,
        );
        await stops.lift();
        await Promise.all([run, entered]);
        expect(
          await bench.asOwner(
            `SELECT handler_id AS handler, done_at IS NOT NULL AS done, next_attempt_at = 'infinity' AS behind
             FROM payments_deliveries ORDER BY handler_id, event_id`,
          ),
        ).toEqual([
          { handler: 'test.effects', done: true, behind: false },
          { handler: 'test.effects', done: false, behind: false },
          { handler: 'test.notes', done: false, behind: false },
          { handler: 'test.notes', done: false, behind: true },
        ]);
      });
    });

    it('that were parked are run again in their order, behind an earlier open one', async () => {
      const operator = host.app.get(PaymentsOperator);
      const ids = await paidPayments(bench, 1);
      for (let event = 2; event <= 4; event += 1) await nextEvents(bench, ids);
      await bench.asOwner(
        `UPDATE payments_deliveries SET parked_at = now(), attempts = ${ATTEMPTS}, next_attempt_at = now(), next_event_id = NULL
         WHERE event_id > (SELECT min(event_id) FROM payments_deliveries)`,
      );
      const [newest] = await bench.asOwner<{ id: string }>(
        'SELECT max(event_id)::text AS id FROM payments_deliveries',
      );
      expect(await operator.retryDelivery(newest?.id ?? '', 'test.notes', { by: 'anna' })).toBe(true);
      expect(await operator.retryAll({ by: 'anna' })).toBe(2);
      // It waits as before.
      expect(await operator.retryDelivery(newest?.id ?? '', 'test.notes', { by: 'anna' })).toBe(true);
      for (const waiting of [3, 2, 1, 0]) {
        expect((await deliveries()).filter(({ behind }) => behind)).toHaveLength(waiting);
        expect(await runNext()).toBe(true);
      }
      const order = notes.runs.map(({ eventId }) => Number(eventId));
      expect(order).toHaveLength(4);
      expect(order).toEqual(order.toSorted((a, b) => a - b));
    });

    it('that were all parked are run again one after the other', async () => {
      const ids = await paidPayments(bench, 1);
      await nextEvents(bench, ids);
      await nextEvents(bench, ids);
      await bench.asOwner(`UPDATE payments_deliveries SET parked_at = now(), next_attempt_at = now()`);
      expect(await host.app.get(PaymentsOperator).retryAll({ by: 'anna' })).toBe(3);
      expect((await take())?.claims).toHaveLength(1);
      expect(await take()).toBeNull();
    });

    it('that were parked within the millisecond are run again with the others', async () => {
      await paidPayments(bench, 1);
      const [parked] = await bench.asOwner<{ at: Date }>(
        `UPDATE payments_deliveries SET parked_at = date_trunc('milliseconds', now()) + interval '999 microseconds'
         RETURNING parked_at AS at`,
      );
      const time = jest.spyOn(host.app.get(Database, { strict: false }), 'businessTime');
      time.mockResolvedValue(parked?.at ?? new Date());
      expect(await host.app.get(PaymentsOperator).retryAll({ by: 'anna' })).toBe(1);
    });

    it('are all made if the first one is run again before its time', async () => {
      const ids = await paidPayments(bench, 1);
      await nextEvents(bench, ids);
      await bench.asOwner(
        `UPDATE payments_deliveries SET attempts = 1, next_attempt_at = now() + interval '1 hour' WHERE next_event_id IS NOT NULL`,
      );
      const [first] = await bench.asOwner<{ id: string }>(
        'SELECT min(event_id)::text AS id FROM payments_deliveries',
      );
      expect(await runNext()).toBe(false);
      expect(
        await host.app.get(PaymentsOperator).retryDelivery(first?.id ?? '', 'test.notes', { by: 'anna' }),
      ).toBe(true);
      expect([await runNext(), await runNext()]).toEqual([true, true]);
    });

    it('are all made if one comes in beside one that is run again', async () => {
      const ids = await paidPayments(bench, 1);
      await nextEvents(bench, ids);
      await bench.asOwner(
        `UPDATE payments_deliveries SET parked_at = now(), next_attempt_at = now() WHERE next_event_id IS NULL`,
      );
      const client = new Client(bench.database.url);
      await client.connect();
      try {
        await client.query('BEGIN');
        await client.query(
          `UPDATE payments_deliveries SET parked_at = NULL, next_attempt_at = 'infinity' WHERE parked_at IS NOT NULL`,
        );
        await client.query(
          'UPDATE payments_deliveries SET next_event_id = next_event_id WHERE next_event_id IS NOT NULL',
        );
        const entered = nextEvents(bench, ids);
        await new Stops(client).stopped();
        await client.query('COMMIT');
        await entered;
      } finally {
        await client.end();
      }
      while (await runNext());
      expect(notes.runs).toHaveLength(3);
    });

    it('are not left behind one that a retired handler lost, should its end come half-way', async () => {
      await openOwn();
      const operator = host.app.get(PaymentsOperator);
      const [id] = await paidPayments(bench, 1);
      await bench.asOwner(
        `INSERT INTO payments_handlers (id, event) VALUES ('test.gone', 'payment.anomaly')`,
      );
      await bench.asOwner(
        `WITH event AS (
           INSERT INTO payments_events (store_id, subject_type, subject_id, payment_id, name, cause, evidence, created_at)
           SELECT store_id, 'payment', id, id, 'payment.anomaly', 'sweep', '{}', now() FROM payments_payments, generate_series(1, 501)
           WHERE id = $1
           RETURNING *
         )
         INSERT INTO payments_deliveries (event_id, handler_id, store_id, sequence, next_attempt_at, next_event_id)
         SELECT id, 'test.gone', store_id, payment_id, CASE row_number() OVER line WHEN 1 THEN now() ELSE 'infinity' END, lead(id) OVER line
         FROM event WINDOW line AS (ORDER BY id)`,
        [id],
      );
      await bench.asOwner(
        `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
         CREATE TRIGGER refuse BEFORE DELETE ON payments_deliveries FOR EACH ROW WHEN (OLD.next_event_id IS NULL) EXECUTE FUNCTION refuse()`,
      );
      await expect(operator.retireHandler('test.gone', { by: 'anna' })).rejects.toThrow('refused');
      expect(
        await bench.asOwner(
          `SELECT next_attempt_at <= now() AS due FROM payments_deliveries WHERE handler_id = 'test.gone'`,
        ),
      ).toEqual([{ due: true }]);
    });

    it('continue when the one before them is given up', async () => {
      const ids = await paidPayments(bench, 1);
      await nextEvents(bench, ids);
      for (let attempt = 1; attempt <= 3; attempt += 1) {
        expect((await take())?.claims).toMatchObject([{ attempts: attempt }]);
        await endLeases();
      }
      // Three runs that ended with their process: it is parked without a fourth.
      expect(await runNext()).toBe(true);
      expect(notes.runs).toEqual([]);
      expect(await last()).toMatchObject({ attempts: 0, due: true });
      expect(await runNext()).toBe(true);
      expect(notes.runs).toHaveLength(1);
    });
  });

  it('show the payment as it is when they are made, not as it was when they were claimed', async () => {
    await paidPayments(bench, 2);
    await runNext();
    await bench.asOwner(`UPDATE payments_payments SET description = 'changed since'`);
    await runNext();
    expect(notes.runs.map(({ description }) => description)).toEqual([null, 'changed since']);
  });

  describe('that were claimed and never begun count no attempt', () => {
    const notBegun = { attempts: 0, done: false, leased: false, behind: false, due: true };

    it('because nobody heard of the commit, however often', async () => {
      await paidPayments(bench, 1);
      for (let claim = 0; claim <= ATTEMPTS; claim += 1) {
        answers.lose((statement) => statement === 'COMMIT');
        await expect(runNext()).rejects.toThrow('terminated');
        expect(await deliveries()).toEqual([notBegun]);
      }
      expect(await runNext()).toBe(true);
      expect(await deliveries()).toMatchObject([{ attempts: 1, done: true }]);
      expect(notes.runs).toHaveLength(1);
    });

    it('and could not be returned at first', async () => {
      await paidPayments(bench, 1);
      const statement = jest.spyOn(host.app.get(Database, { strict: false }), 'statement');
      statement.mockRejectedValueOnce(new Error('no database'));
      await claims()
        .giveBack((await take())?.claims ?? [])
        .catch(() => undefined);
      expect(await deliveries()).toMatchObject([{ attempts: 1, leased: true }]);
      // The next look returns it and finds it again.
      expect((await take())?.claims).toMatchObject([{ attempts: 1, suspect: false }]);
    });

    it('because the connection was lost before the run', async () => {
      await paidPayments(bench, 1);
      answers.lose((statement) => statement.includes('pg_current_xact_id'));
      await expect(runNext()).rejects.toThrow('terminated');
      expect(await deliveries()).toEqual([notBegun]);
      expect(notes.runs).toEqual([]);
    });
  });

  it('are not claimed while they are still being run, even after their lease', async () => {
    await paidPayments(bench, 1);
    notes.holdBack();
    const run = runNext();
    await eventually(
      () => Promise.resolve(notes.runs),
      ({ length }) => length === 1,
    );
    await endLeases();
    expect((await take())?.claims ?? []).toEqual([]);
    notes.letGo();
    await run;
    expect(await deliveries()).toMatchObject([{ attempts: 1, done: true }]);
  });

  it('that were taken over are neither run nor returned by their previous worker', async () => {
    await paidPayments(bench, 1);
    const paused = (await take())?.claims ?? [];
    await endLeases();
    const [taken] = (await take())?.claims ?? [];
    expect(taken).toMatchObject({ attempts: 2 } satisfies Partial<DeliveryClaim>);
    await claims().giveBack(paused);
    expect(await deliveries()).toMatchObject([{ attempts: 2, leased: true }]);
  });

  it('are not run by a worker whose number the next one has, after a run that did not count', async () => {
    await paidPayments(bench, 1);
    const { work } = host.app.get(Deliverer, { strict: false });
    const [paused] = await host.app.get(DeliveryTurns, { strict: false }).take();
    if (!paused) throw new Error('There is no delivery to take.');
    // Another worker took it over after the lease, and its handler had to wait: the number is the same again.
    await bench.asOwner(
      `UPDATE payments_deliveries SET lease_until = NULL, next_attempt_at = now() + interval '1 minute'`,
    );
    await work.run(paused);
    expect(notes.runs).toEqual([]);
    expect(await deliveries()).toMatchObject([{ attempts: 1, done: false, leased: false, due: false }]);
  });
});
