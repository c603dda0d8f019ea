import type { Payment } from '@holdfast/payments';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { EntityManager } from 'typeorm';
import { Database } from '../../libs/payments/src/database/database.js';
import type { Change, Written } from '../../libs/payments/src/payment/change.js';
import { changeTo, draftOf } from '../../libs/payments/src/payment/draft.js';
import { askForRefunds, want } from '../../libs/payments/src/payment/due.js';
import { Ledger } from '../../libs/payments/src/payment/ledger.js';
import { lockPayment } from '../../libs/payments/src/payment/locks.js';
import { answeredPlace, returnedPlace, type Plan } from '../../libs/payments/src/payment/queue.js';
import { movePayment } from '../../libs/payments/src/payment/status-change.js';
import { queuedOf, type Claim } from '../../libs/payments/src/reconcile/claim.js';
import { Claims } from '../../libs/payments/src/reconcile/claims.js';
import { withFields } from '../../libs/payments/src/schema/ledger-fields.js';
import { StoreRegistry } from '../../libs/payments/src/stores/store.registry.js';
import { LOCK_WAITS } from '../support/lock-waits.js';
import {
  openBench,
  orderInput,
  sendNotification,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';
import { stateOf } from '../support/state.js';

const HOUR_MS = 3_600_000;
const decided = { cause: 'sweep', evidence: {} } as const;

interface Queued {
  readonly fence: string | null;
  readonly leased: boolean;
  readonly ready: boolean;
  readonly wanted: boolean;
  readonly checks: number;
  readonly refund_signals: number;
}

/** The one writer of the ledger, with changes that were decided on what was read a while ago. */
describe('the ledger does not write', () => {
  let bench: Bench;
  let host: PaymentsHost;
  let ledger: Ledger;
  let claims: Claims;
  let database: Database;
  let other: Client;
  beforeAll(async () => {
    bench = await openBench();
    host = await bench.startHost({ sweeps: false, circuit: false });
    ledger = host.app.get(Ledger);
    claims = host.app.get(Claims);
    database = host.app.get(Database);
    other = new Client(bench.database.url);
    await other.connect();
  });
  afterAll(async () => {
    await other.end();
    await bench.close();
  });
  afterEach(() => bench.sandbox.faults.clear());

  /** A pending payment, claimed. */
  async function claimed(): Promise<Claim> {
    const { id } = await host.payments.create(orderInput());
    return claim(id);
  }

  async function claim(paymentId: string): Promise<Claim> {
    const made = await claims.one(paymentId);
    if (!made) throw new Error('Another worker has it.');
    return made;
  }

  /** One whose create has no answer, with the attempt that is the newest. */
  async function unanswered() {
    bench.sandbox.faults.order({ on: 'create', fault: 'reset_before_commit', times: 4 });
    const input = orderInput();
    await host.payments.create(input).catch(() => null);
    const [payment] = await host.payments.findByOrder(input.order.reference);
    const [operation] = await bench.asOwner<{ id: string; attempts: number }>(
      'SELECT id, attempts FROM payments_operations WHERE payment_id = $1',
      [payment?.id],
    );
    if (!payment || !operation) throw new Error('Nothing was recorded.');
    return { paymentId: payment.id, operation };
  }

  const moved = (of: Claim, to: 'pending' | 'waiting_for_capture' | 'succeeded', fields = {}): Change => {
    const { payment, order, claimedAt } = of;
    const before = stateOf(payment, { order, now: claimedAt, queued: queuedOf(of) });
    return changeTo(movePayment(draftOf(before), to, fields, decided), before, decided.cause);
  };
  const nothing = ({ payment, order }: Claim): Change => ({
    payment,
    order,
    after: null,
    totals: null,
    events: [],
  });
  const later = (): Plan => ({ at: new Date(bench.sandbox.clock.now().getTime() + HOUR_MS), checks: 1 });
  const never: Plan = { at: null, checks: 1 };
  /** As the worker that has the claim returns its payment. */
  const returned = (of: Claim, plan: Plan, change: Change = nothing(of)): Change => ({
    ...change,
    answered: of.seen,
    fence: of.fence,
    place: returnedPlace(plan, queuedOf(of), of.claimedAt, of.due.checks),
  });
  /** As the answer to its create places a payment that nobody has. */
  const answered = (of: Claim, operation: Change['operation'], change: Change): Change => ({
    ...change,
    ...(operation && { operation }),
    place: answeredPlace(later(), { ...queuedOf(of), fence: null, isTaken: false }, of.claimedAt, false),
  });

  const statusOf = async ({ paymentId }: Pick<Claim, 'paymentId'>) =>
    (await host.payments.get(paymentId)).status;
  async function queued({ paymentId }: Pick<Claim, 'paymentId'>): Promise<Queued | undefined> {
    const [row] = await host.dataSource.query<Queued[]>(
      `SELECT fence, lease_until IS NOT NULL AS leased, ready_at <= ${database.now} AS ready, wanted_at IS NOT NULL AS wanted, checks,
         refund_signals FROM payments_due WHERE payment_id = $1`,
      [paymentId],
    );
    return row;
  }
  const endLease = ({ paymentId }: Pick<Claim, 'paymentId'>) =>
    bench.asOwner(
      `UPDATE payments_due SET lease_until = clock_timestamp() - interval '1 second' WHERE payment_id = $1`,
      [paymentId],
    );
  const ask = ({ payment }: Claim, how: { afresh?: boolean } = {}) =>
    database.transaction((manager) => want(manager, database, payment, database.now, how));
  const outcomeOf = ({ id }: { id: string }) =>
    bench.asOwner(
      'SELECT outcome, settled_at IS NOT NULL AS settled FROM payments_operations WHERE id = $1',
      [id],
    );

  /** A notification of the object, stored and not handled. */
  async function notify(objectId: string | null): Promise<void> {
    const object = { id: objectId, status: 'succeeded' };
    await sendNotification(host, { type: 'notification', event: 'payment.succeeded', object });
  }
  const handled = (objectId: string | null) =>
    bench.asOwner<{ handled_count: number }>(
      'SELECT handled_count FROM payments_notifications WHERE object_id = $1',
      [objectId],
    );

  /** Offers these while somebody else has a row locked, and waits for none; whether a session waited for it meanwhile. */
  async function offeredBeside(
    lock: string,
    id: string | null,
    changes: readonly Change[],
  ): Promise<{ written: (Written | null)[]; waited: boolean }> {
    await other.query('BEGIN');
    await other.query(`SELECT FROM ${lock} FOR UPDATE`, [id]);
    let waited = false;
    const end = { isReached: false };
    const offers = Promise.all(changes.map((change) => ledger.offer(change)));
    void offers.finally(() => (end.isReached = true));
    try {
      while (!end.isReached) {
        const waiting = await bench.asOwner(LOCK_WAITS);
        waited ||= waiting.length > 0;
        await delay(20);
      }
      return { written: await offers, waited };
    } finally {
      await other.query('ROLLBACK');
    }
  }

  it('what was decided on an older version of the order', async () => {
    const known = await claimed();
    expect(await ledger.offer(moved(known, 'waiting_for_capture'))).not.toBeNull();
    expect(await ledger.offer(moved(known, 'succeeded'))).toBeNull();
    expect(await statusOf(known)).toBe('waiting_for_capture');
  });

  it('what was decided before its order was locked by somebody else', async () => {
    const known = await claimed();
    await database.transaction((manager) => lockPayment(manager, database, known.paymentId));
    expect(await ledger.offer(moved(known, 'succeeded'))).toBeNull();
  });

  it('what was decided before another create of its order', async () => {
    const known = await claimed();
    const { reference } = known.order;
    const again = { ...orderInput(reference), amount: { value: '90.00', currency: 'RUB' as const } };
    await expect(host.payments.create(again)).rejects.toMatchObject({
      name: expect.stringContaining('Error'),
    });
    expect(await ledger.offer(moved(known, 'succeeded'))).toBeNull();
  });

  it('a move that the table does not allow', async () => {
    const known = await claimed();
    const canceled = { ...known, payment: withFields(known.payment, { status: 'canceled' }) };
    expect(() => moved(canceled, 'succeeded')).toThrow('never moves from canceled to succeeded');
  });

  it('the answer to an attempt that another one followed', async () => {
    const { paymentId, operation } = await unanswered();
    const known = await claim(paymentId);
    await bench.asOwner('UPDATE payments_operations SET attempts = attempts + 1 WHERE id = $1', [
      operation.id,
    ]);
    expect(await ledger.offer({ ...moved(known, 'pending'), operation })).toBeNull();
    expect(await statusOf(known)).toBe('submitting');
  });

  it('the answer to an operation that is settled', async () => {
    const { paymentId, operation } = await unanswered();
    const known = await claim(paymentId);
    expect(await ledger.offer({ ...nothing(known), operation })).not.toBeNull();
    expect(await outcomeOf(operation)).toEqual([{ outcome: 'confirmed', settled: true }]);
    expect(await ledger.offer({ ...moved(known, 'pending'), operation })).toBeNull();
    expect(await statusOf(known)).toBe('submitting');
  });

  it('under a lease that another worker has taken', async () => {
    const paused = await claimed();
    await endLease(paused);
    const { fence } = await claim(paused.paymentId);
    expect(await ledger.offer(returned(paused, later(), moved(paused, 'succeeded')))).toBeNull();
    expect(await statusOf(paused)).toBe('pending');
    expect(await queued(paused)).toMatchObject({ fence, leased: true });
  });

  it('under the locks either, if another worker has taken the lease', async () => {
    const paused = await claimed();
    await endLease(paused);
    await claim(paused.paymentId);
    const writing = database.transaction(async (manager) => {
      const locked = await lockPayment(manager, database, paused.paymentId);
      const before = stateOf(locked.payment, { order: locked.order });
      const change = changeTo(movePayment(draftOf(before), 'succeeded', {}, decided), before, 'sweep');
      await ledger.write(manager, returned(paused, later(), change));
    });
    await expect(writing).rejects.toThrow('Another worker has taken');
    expect(await statusOf(paused)).toBe('pending');
  });

  it.each(['with its place in the queue', 'alone'])(
    'two changes of one order in one statement, the first %s',
    async (how) => {
      const known = await claimed();
      // Each moves the sums of the order.
      const sums = { authorizedMinor: 10_000, capturedMinor: 10_000 };
      const held = moved(known, 'waiting_for_capture', { ...sums, capturedMinor: 0 });
      const both = [how === 'alone' ? held : returned(known, later(), held), moved(known, 'succeeded', sums)];
      const [first, second] = await Promise.all(both.map((change) => ledger.offer(change)));
      expect([first, second]).toEqual([expect.anything(), null]);
      expect(await statusOf(known)).toBe('waiting_for_capture');
    },
  );

  it.each([
    ['order', 'payments_orders WHERE id = $1', ({ order }: Claim) => order.id],
    ['place in the queue', 'payments_due WHERE payment_id = $1', ({ paymentId }: Claim) => paymentId],
  ])('a row that somebody has locked, and waits for none: its %s', async (_what, lock, idOf) => {
    const [held, free] = [await claimed(), await claimed()];
    const changes = [held, free].map((one) => returned(one, later(), moved(one, 'succeeded')));
    const { written, waited } = await offeredBeside(lock, idOf(held), changes);
    expect(written).toEqual([null, expect.anything()]);
    expect(waited).toBe(false);
    expect(await Promise.all([held, free].map(statusOf))).toEqual(['pending', 'succeeded']);
  });

  it('what answers a notification that somebody has locked', async () => {
    const { payment, ...first } = await claimed();
    await notify(payment.serviceId);
    await endLease(first);
    const known = await claim(payment.id);
    const change = returned(known, later());
    const lock = 'payments_notifications WHERE object_id = $1';
    expect(await offeredBeside(lock, payment.serviceId, [change])).toEqual({
      written: [null],
      waited: false,
    });
    expect(await ledger.offer(change)).not.toBeNull();
    expect(await handled(payment.serviceId)).toEqual([{ handled_count: 1 }]);
  });

  it('a change of a group without the notifications that it answers', async () => {
    const [{ payment, ...first }, moving] = [await claimed(), await claimed()];
    await notify(payment.serviceId);
    await endLease(first);
    const changes = [moved(moving, 'succeeded'), returned(await claim(payment.id), later())];
    const offers = await Promise.all(changes.map((change) => ledger.offer(change)));
    expect(offers).toEqual([expect.anything(), expect.anything()]);
    expect(await handled(payment.serviceId)).toEqual([{ handled_count: 1 }]);
  });

  it('a row that the database refuses, and writes the others', async () => {
    const [odd, sound] = [await claimed(), await claimed()];
    const [event] = moved(odd, 'waiting_for_capture').events;
    if (!event) throw new Error('A move has an event.');
    const twice = { ...nothing(odd), events: [event, event] };
    const offers = await Promise.all([twice, moved(sound, 'succeeded')].map((one) => ledger.offer(one)));
    expect(offers).toEqual([null, expect.anything()]);
    expect(await statusOf(sound)).toBe('succeeded');
  });

  it('that fewer notifications are handled, by an older re-read', async () => {
    const { payment, ...first } = await claimed();
    await notify(payment.serviceId);
    await endLease(first);
    const known = await claim(payment.id);
    await bench.asOwner(
      'UPDATE payments_notifications SET count = 2, handled_count = 2 WHERE object_id = $1',
      [payment.serviceId],
    );
    expect(await ledger.offer(returned(known, later()))).not.toBeNull();
    expect(await handled(payment.serviceId)).toEqual([{ handled_count: 2 }]);
  });

  describe('the place of a payment whose re-read was requested meanwhile, so that it is decided again:', () => {
    it.each<[string, (known: Claim) => Promise<unknown>]>([
      ['it was asked for', (known) => ask(known)],
      [
        'polls were begun afresh',
        ({ paymentId }) =>
          bench.asOwner('UPDATE payments_due SET checks = checks + 1 WHERE payment_id = $1', [paymentId]),
      ],
      [
        'a list of its refunds was asked for',
        ({ paymentId }) =>
          bench.asOwner('UPDATE payments_due SET refund_signals = 1 WHERE payment_id = $1', [paymentId]),
      ],
    ])('%s', async (_what, request) => {
      const known = await claimed();
      await request(known);
      for (const plan of [never, later()]) expect(await ledger.offer(returned(known, plan))).toBeNull();
      expect(await queued(known)).toMatchObject({ leased: true, fence: known.fence });
    });

    it.each<[string, string]>([
      ['its answer finds a worker with it', 'ready_at = ready_at'],
      ['its answer finds it asked for', `lease_until = NULL, fence = NULL, ready_at = '-infinity'`],
    ])('%s', async (_what, set) => {
      const { paymentId, operation } = await unanswered();
      const known = await claim(paymentId);
      await bench.asOwner(`UPDATE payments_due SET ${set} WHERE payment_id = $1`, [paymentId]);
      expect(await ledger.offer(answered(known, operation, moved(known, 'pending')))).toBeNull();
      expect(await statusOf(known)).toBe('submitting');
    });

    it('something of it is open, of which its row says nothing', async () => {
      const { paymentId } = await unanswered();
      const known = await claim(paymentId);
      expect(await ledger.offer(returned(known, never))).toBeNull();
      expect(await ledger.offer(returned(known, later()))).not.toBeNull();
    });

    it('its answer finds notifications that have waited for its id', async () => {
      const { paymentId, operation } = await unanswered();
      const serviceId = randomUUID();
      await notify(serviceId);
      await bench.asOwner(`UPDATE payments_notifications SET step = 'look_up' WHERE object_id = $1`, [
        serviceId,
      ]);
      const known = await claim(paymentId);
      await endLease(known);
      await bench.asOwner(
        `UPDATE payments_due SET fence = NULL, ready_at = ready_at + interval '1 hour' WHERE payment_id = $1`,
        [paymentId],
      );
      const answer = (id: string) => answered(known, operation, moved(known, 'pending', { serviceId: id }));
      expect(await ledger.offer(answer(serviceId))).toBeNull();
      expect(await ledger.offer(answer(randomUUID()))).not.toBeNull();
      expect(await queued(known)).toMatchObject({ ready: false, leased: false });
    });
  });
});

describe('what is requested of a payment', () => {
  let bench: Bench;
  let host: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    host = await bench.startHost({ sweeps: false });
  });
  afterAll(() => bench.close());

  async function requested(request: (manager: EntityManager, payment: Payment) => Promise<void>) {
    const payment = await host.payments.create(orderInput());
    await bench.asOwner('UPDATE payments_due SET checks = 7 WHERE payment_id = $1', [payment.id]);
    for (const _ of [1, 2]) await host.app.get(Database).transaction((manager) => request(manager, payment));
    return bench.asOwner('SELECT refund_signals, checks FROM payments_due WHERE payment_id = $1', [
      payment.id,
    ]);
  }
  const queuedAs = ({ id }: Payment) => ({ id, storeId: host.app.get(StoreRegistry).shop?.id ?? '' });

  it('is counted, where it is a list of its refunds', async () => {
    const database = host.app.get(Database);
    const rows = await requested((manager, payment) => askForRefunds(manager, database, queuedAs(payment)));
    expect(rows).toEqual([{ refund_signals: 2, checks: 7 }]);
  });

  it.each([
    ['goes on with its polls', {}, 7],
    ['is followed from the shortest pause on', { isAfresh: true } as const, 0],
  ])('with the change that wants a look: %s', async (_what, how, checks) => {
    const { id } = await host.payments.create(orderInput());
    await bench.asOwner('UPDATE payments_due SET checks = 7 WHERE payment_id = $1', [id]);
    const database = host.app.get(Database);
    await database.transaction(async (manager) => {
      const { payment, order } = await lockPayment(manager, database, id);
      const wanted = { at: new Date(), isUrgent: false, ...how };
      const change = { payment, order, after: null, totals: null, events: [], wanted };
      await host.app.get(Ledger).write(manager, change);
    });
    const rows = await bench.asOwner('SELECT checks FROM payments_due WHERE payment_id = $1', [id]);
    expect(rows).toEqual([{ checks }]);
  });

  it('stays where an answer found no place in the queue a moment before', async () => {
    const { id } = await host.payments.create(orderInput());
    const database = host.app.get(Database);
    const never = answeredPlace({ at: null, checks: 0 }, null, new Date(), false);
    await database.transaction(async (manager) => {
      const { payment, order } = await lockPayment(manager, database, id);
      const nothing = { payment, order, after: null, totals: null, events: [] };
      await host.app.get(Ledger).write(manager, { ...nothing, place: never });
      await host.app
        .get(Ledger)
        .write(manager, { ...nothing, place: { ...never, at: new Date('2100-01-01') } });
    });
    const rows = await bench.asOwner(
      `SELECT ready_at < '2100-01-01' AS stays FROM payments_due WHERE payment_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ stays: true }]);
  });

  it('has its polls begin afresh if that is asked for', async () => {
    const database = host.app.get(Database);
    const rows = await requested((manager, payment) =>
      want(manager, database, queuedAs(payment), database.now, { afresh: true }),
    );
    expect(rows).toEqual([{ refund_signals: 0, checks: 0 }]);
  });
});

describe('the place of a payment that nothing was requested of', () => {
  let bench: Bench;
  let host: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    host = await bench.startHost({ sweeps: false });
  });
  afterAll(() => bench.close());

  it.each<[string, Plan, object[]]>([
    ['never', { at: null, checks: 1 }, []],
    [
      'later',
      { at: new Date('2100-01-01'), checks: 4 },
      [{ checks: 4, rests: false, fence: null, later: true }],
    ],
    [
      'not before its rest is over',
      { at: new Date(0), checks: 4, restMs: HOUR_MS },
      [{ checks: 4, rests: true, fence: null, later: true }],
    ],
  ])('is as planned: %s', async (_when, plan, rows) => {
    const { id } = await host.payments.create(orderInput());
    const known = await host.app.get(Claims).one(id);
    if (!known) throw new Error('Another worker has it.');
    const { payment, order, fence, seen, claimedAt, due } = known;
    const place = returnedPlace(plan, queuedOf(known), claimedAt, due.checks);
    const change = { payment, order, after: null, totals: null, events: [], answered: seen, fence, place };
    expect(await host.app.get(Ledger).offer(change)).toMatchObject({ isReady: false });
    const left = `SELECT checks, fence, rest_until > clock_timestamp() + interval '59 minutes' IS TRUE AS rests,
      ready_at > clock_timestamp() + interval '59 minutes' AS later FROM payments_due WHERE payment_id = $1`;
    expect(await bench.asOwner(left, [id])).toEqual(rows);
  });
});
