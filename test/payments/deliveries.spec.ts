import { OnPaymentEvent, type HandlerContext, type PaymentEvent } from '@holdfast/payments';
import { jest } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Deliverer } from '../../libs/payments/src/handlers/deliverer.js';
import {
  DeliveryClaims,
  FIRST_STORE,
  type DeliveryClaim,
} from '../../libs/payments/src/handlers/delivery-claims.js';
import { DeliveryTurns } from '../../libs/payments/src/handlers/delivery-turns.js';
import { anotherStore, nextEvents, paidPayments } from '../support/deliveries.js';
import { eventually } from '../support/eventually.js';
import { openBench, type Bench, type PaymentsHost } from '../support/payments-host.js';

/** Records its runs; each may be blocked until it is released. */
@Injectable()
class Notes {
  readonly runs: { paymentId: string; store: string; description: string | null }[] = [];
  #hold: Promise<void> | null = null;
  letGo: () => void = () => undefined;

  /** Every run from now on waits. */
  holdBack(): void {
    this.#hold = new Promise((resolve) => (this.letGo = resolve));
  }

  @OnPaymentEvent('payment.succeeded', { id: 'test.notes' })
  async succeeded({ payment }: PaymentEvent): Promise<void> {
    const { id: paymentId, store, description } = payment;
    this.runs.push({ paymentId, store, description });
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
  /** Seconds. */
  readonly waits: number;
}

const NOTES = { handlerId: 'test.notes', lastStore: FIRST_STORE };
const FRESH = { ...NOTES, tried: false };
const TRIED = { ...NOTES, tried: true };
const ATTEMPTS = 3;

describe('deliveries', () => {
  let bench: Bench;
  /** Does nothing by itself. */
  let host: PaymentsHost;
  let notes: Notes;
  beforeEach(async () => {
    bench = await openBench();
    host = await bench.startHost({ sweeps: false, handlerAttempts: ATTEMPTS }, [Notes]);
    notes = host.app.get(Notes);
  });
  afterEach(async () => {
    notes.letGo();
    await bench.close();
  });

  const claims = () => host.app.get(DeliveryClaims, { strict: false });
  const take = (lines = [FRESH, TRIED]) => claims().take(lines, [], 100);
  const runNext = () => host.app.get(Deliverer, { strict: false }).runNext();
  const deliveries = () =>
    bench.asOwner<Delivery>(
      `SELECT attempts, done_at IS NOT NULL AS done, lease_until IS NOT NULL AS leased,
         extract(epoch FROM next_attempt_at - clock_timestamp())::float AS waits
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
    await paidPayments(bench, 3);
    await take();
    await endLeases();
    const turns = host.app.get(DeliveryTurns, { strict: false });
    const [first, second] = await Promise.all([turns.next(), turns.next()]);
    expect([first?.claim.suspect, second]).toEqual([true, null]);
    expect((await deliveries()).filter(({ attempts }) => attempts > 1)).toHaveLength(1);
    first?.end();
    expect((await turns.next())?.claim).toMatchObject({ attempts: 2, suspect: true });
  });

  it.each([
    ['beside one that hangs', 0, [2, 2]],
    ['never beside one whose last run it is', 1, [ATTEMPTS, null]],
    ['one by one if their next run is their last', 2, [2, null]],
  ])('that may have ended their process are run %s', async (_name, oneAtLast, attempts) => {
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
    const hanging = await turns.next();
    const now = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(now + 1_000);
    const other = await turns.next();
    jest.restoreAllMocks();
    expect([hanging?.claim.attempts, other?.claim.attempts ?? null]).toEqual(attempts);
  });

  it('that are new are found at once, however many failing or blocked ones stand before them', async () => {
    const blocked = await paidPayments(bench, 1_600);
    await bench.asOwner(
      `UPDATE payments_deliveries SET attempts = 1, next_attempt_at = now() + interval '1 hour'`,
    );
    await nextEvents(bench, blocked);
    let looks = 0;
    while ((await take()) !== null) looks += 1;
    // Each was looked at once.
    expect(looks).toBe(50);
    // The failing ones are all due again, and nobody had the time to run one.
    await bench.asOwner(`UPDATE payments_deliveries SET next_attempt_at = now() WHERE attempts = 1`);
    await paidPayments(bench, 1);
    const turn = await take();
    expect({ claimed: turn?.claims.length, putBehind: turn?.putBehind }).toEqual({
      claimed: 1,
      putBehind: 0,
    });
    expect(turn?.line).toBe(FRESH);
  });

  it('of a store begin although another store has hundreds due', async () => {
    await paidPayments(bench, 500);
    const other = await anotherStore(bench);
    await paidPayments(bench, 1, other);
    while (!notes.runs.some(({ store }) => store === other) && (await runNext()));
    expect(notes.runs.at(-1)?.store).toBe(other);
    expect(notes.runs.length).toBeLessThanOrEqual(33);
  });

  it('of one handler are made while another hangs', async () => {
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
        waits: expect.any(Number),
      })),
    );
    expect(left.every(({ waits }) => waits <= 0)).toBe(true);
  });

  describe('of one payment', () => {
    const HOUR = 3_600;

    it('wait behind the first for as long as it takes, and the next is due when it is done', async () => {
      const ids = await paidPayments(bench, 1);
      await nextEvents(bench, ids);
      await nextEvents(bench, ids);
      const turn = await take();
      expect(turn).toMatchObject({ claims: [{ attempts: 1 }], putBehind: 2 });
      expect((await last())?.waits).toBeGreaterThan(HOUR / 2);
      await claims().giveBack(turn?.claims ?? []);
      expect(await runNext()).toBe(true);
      expect(await deliveries()).toMatchObject([
        { done: true },
        { done: false, attempts: 0 },
        { done: false, attempts: 0 },
      ]);
      const [, second, third] = await deliveries();
      expect(second?.waits).toBeLessThanOrEqual(0);
      expect(third?.waits).toBeGreaterThan(HOUR / 2);
      expect([await runNext(), await runNext(), await runNext()]).toEqual([true, true, false]);
      expect(notes.runs).toHaveLength(3);
    });

    it('wait at most a second behind one that is ending and may not see them', async () => {
      const ids = await paidPayments(bench, 1);
      notes.holdBack();
      const first = runNext();
      await eventually(
        () => Promise.resolve(notes.runs),
        ({ length }) => length === 1,
      );
      await nextEvents(bench, ids);
      expect(await take()).toMatchObject({ claims: [], putBehind: 1 });
      expect((await last())?.waits).toBeLessThanOrEqual(1);
      notes.letGo();
      await first;
      // And not at all, if it does see them.
      expect((await last())?.waits).toBeLessThanOrEqual(0);
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
      expect(await last()).toMatchObject({ attempts: 0 });
      expect((await last())?.waits).toBeLessThanOrEqual(0);
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

  it('that were taken over are neither run nor returned by their previous worker', async () => {
    await paidPayments(bench, 1);
    const paused = (await take())?.claims ?? [];
    await endLeases();
    const [taken] = (await take())?.claims ?? [];
    expect(taken).toMatchObject({ attempts: 2 } satisfies Partial<DeliveryClaim>);
    await claims().giveBack(paused);
    expect(await deliveries()).toMatchObject([{ attempts: 2, leased: true }]);
  });
});
