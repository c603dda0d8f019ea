import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { Database } from '../../libs/payments/src/database/database.js';
import type { Change, Place, Written } from '../../libs/payments/src/payment/change.js';
import { askForRefunds, want } from '../../libs/payments/src/payment/due.js';
import { Ledger } from '../../libs/payments/src/payment/ledger.js';
import { lockPayment } from '../../libs/payments/src/payment/locks.js';
import { statusChange } from '../../libs/payments/src/payment/status-change.js';
import type { Claim } from '../../libs/payments/src/reconcile/claim.js';
import { Claims } from '../../libs/payments/src/reconcile/claims.js';
import { withFields } from '../../libs/payments/src/schema/ledger-fields.js';
import { LOCK_WAITS } from '../support/lock-waits.js';
import {
  openBench,
  orderInput,
  sendNotification,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';

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

  const moved = (
    { payment, order }: Claim,
    to: 'pending' | 'waiting_for_capture' | 'succeeded',
    fields = {},
  ) => statusChange({ payment, order }, to, fields, decided);
  const nothing = ({ payment, order }: Claim): Change => ({
    payment,
    order,
    after: null,
    totals: null,
    events: [],
  });
  const later = (): Place => ({ at: new Date(bench.sandbox.clock.now().getTime() + HOUR_MS), checks: 1 });
  const never: Place = { at: null, checks: 1 };
  /** As the worker that has the claim returns its payment. */
  const returned = (of: Claim, place: Place, change: Change = nothing(of)): Change => ({
    ...change,
    answered: of.seen,
    fence: of.fence,
    place: { checksBefore: of.due.checks, ...place },
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
      const change = statusChange(locked, 'succeeded', {}, decided);
      await ledger.write(manager, returned(paused, later(), change));
    });
    await expect(writing).rejects.toThrow('Another worker has taken');
    expect(await statusOf(paused)).toBe('pending');
  });

  it('two changes of one order in one statement', async () => {
    const known = await claimed();
    const both = [returned(known, later(), moved(known, 'waiting_for_capture')), moved(known, 'succeeded')];
    const [first, second] = await Promise.all(both.map((change) => ledger.offer(change)));
    expect([first, second]).toEqual([expect.anything(), null]);
    expect(await statusOf(known)).toBe('waiting_for_capture');
  });

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

  describe('that a payment is over', () => {
    it('while something of the payment is open', async () => {
      const { paymentId } = await unanswered();
      const known = await claim(paymentId);
      await ledger.offer(returned(known, never));
      expect(await queued(known)).toMatchObject({ leased: false, ready: false });
    });

    it('while a request for its refunds is not answered', async () => {
      const first = await claimed();
      for (const _ of [1, 2])
        await database.transaction((manager) => askForRefunds(manager, database, first.payment));
      await endLease(first);
      // Nothing but the signals is left of the request: the claim has answered to the rest.
      const known = await claim(first.paymentId);
      await ledger.offer(returned(known, { ...never, answeredSignals: 1 }));
      expect(await queued(known)).toMatchObject({ refund_signals: 1 });
    });

    it('while it has a next look', async () => {
      const known = await claimed();
      await ledger.offer(returned(known, later()));
      expect(await queued(known)).toMatchObject({ ready: false, leased: false });
    });

    it.each([
      ['never', () => never],
      ['later', later],
    ])('or that it rests, if it was asked for meanwhile: its next look was %s', async (_when, place) => {
      const known = await claimed();
      await ask(known);
      await ledger.offer(returned(known, place()));
      expect(await queued(known)).toMatchObject({ ready: true, leased: false });
    });
  });

  describe('over what came meanwhile:', () => {
    it('notifications that wait for its id make a payment due', async () => {
      const { paymentId, operation } = await unanswered();
      const serviceId = randomUUID();
      await notify(serviceId);
      await bench.asOwner(`UPDATE payments_notifications SET step = 'look_up' WHERE object_id = $1`, [
        serviceId,
      ]);
      const known = await claim(paymentId);
      await bench.asOwner(
        `UPDATE payments_due SET fence = NULL, lease_until = NULL, ready_at = ready_at + interval '1 hour' WHERE payment_id = $1`,
        [paymentId],
      );
      const answer = { ...moved(known, 'pending', { serviceId }), operation, place: later() };
      expect(await ledger.offer(answer)).toMatchObject({ isReady: true });
      expect(await queued(known)).toMatchObject({ ready: true });
    });

    it('notifications that wait for its id make the worker that has it look again', async () => {
      const { paymentId, operation } = await unanswered();
      const serviceId = randomUUID();
      await notify(serviceId);
      await bench.asOwner(`UPDATE payments_notifications SET step = 'look_up' WHERE object_id = $1`, [
        serviceId,
      ]);
      const known = await claim(paymentId);
      await ledger.offer({ ...moved(known, 'pending', { serviceId }), operation, place: later() });
      expect(await queued(known)).toMatchObject({ wanted: true, fence: known.fence });
    });

    it('the lease of a worker stays when an answer is written', async () => {
      const { paymentId, operation } = await unanswered();
      const known = await claim(paymentId);
      expect(await ledger.offer({ ...moved(known, 'pending'), operation, place: later() })).not.toBeNull();
      expect(await queued(known)).toMatchObject({ fence: known.fence, leased: true });
    });

    it('polls that were begun afresh meanwhile go on from there', async () => {
      const { paymentId } = await claimed();
      await bench.asOwner('UPDATE payments_due SET checks = 7, lease_until = NULL WHERE payment_id = $1', [
        paymentId,
      ]);
      const known = await claim(paymentId);
      await ask(known, { afresh: true });
      await ledger.offer(returned(known, { ...later(), checks: 8 }));
      expect(await queued(known)).toMatchObject({ checks: 0 });
    });
  });
});
