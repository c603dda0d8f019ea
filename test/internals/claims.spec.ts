import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { HandOver } from '../../libs/payments/src/notifications/hand-over.js';
import type { Claim } from '../../libs/payments/src/reconcile/claim.js';
import { Claims } from '../../libs/payments/src/reconcile/claims.js';
import { LOCK_WAITS } from '../support/lock-waits.js';
import {
  openBench,
  orderInput,
  sendNotification,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';

const RATE = 4;

interface Queued {
  readonly checks: number;
  readonly lane: string;
  readonly leased: boolean;
  readonly resting: boolean;
  readonly ready: boolean;
}

describe('a claim of payments that are due', () => {
  let bench: Bench;
  let host: PaymentsHost;
  let claims: Claims;
  let other: Client;
  beforeAll(async () => {
    bench = await openBench();
    host = await bench.startHost({ sweeps: false, rereads: { perSecond: 0.1, burst: 2 * RATE } });
    claims = host.app.get(Claims);
    other = new Client(bench.database.url);
    await other.connect();
  });
  afterAll(async () => {
    await other.end();
    await bench.close();
  });
  beforeEach(() => bench.asOwner('DELETE FROM payments_rate_limits'));
  afterEach(() => bench.asOwner('DELETE FROM payments_due'));

  const setDue = (assignment: string, id: string) =>
    bench.asOwner(`UPDATE payments_due SET ${assignment} WHERE payment_id = $1`, [id]);

  /** Payments whose polls were due an hour ago. */
  function due(count: number): Promise<string[]> {
    return Promise.all(
      Array.from({ length: count }, async () => {
        const { id } = await host.payments.create(orderInput());
        await setDue(`ready_at = ready_at - interval '1 hour'`, id);
        return id;
      }),
    );
  }

  async function taken(most: number, failing = most): Promise<string[]> {
    const [store] = await bench.asOwner<{ id: string }>('SELECT id FROM payments_stores');
    const made = await claims.take({ stores: [{ id: store?.id ?? '', most }], most, failing });
    return made.map(({ paymentId }) => paymentId).toSorted();
  }

  async function claimed(paymentId: string): Promise<Claim> {
    const made = await claims.one(paymentId);
    if (!made) throw new Error('Another worker has it.');
    return made;
  }

  async function queued(paymentId: string): Promise<Queued | undefined> {
    const [row] = await bench.asOwner<Queued>(
      `SELECT checks, lane, lease_until > clock_timestamp() AS leased, rest_until > clock_timestamp() AS resting,
         ready_at <= clock_timestamp() AS ready FROM payments_due WHERE payment_id = $1`,
      [paymentId],
    );
    return row;
  }

  it('takes each of them once', async () => {
    const ids = await due(3);
    expect(await taken(10)).toEqual(ids.toSorted());
    expect(await taken(10)).toEqual([]);
    expect(await claims.one(ids[0] ?? '')).toBeNull();
  });

  it('takes no payment that rests, however long it has been due', async () => {
    const [resting = '', free = ''] = await due(2);
    await setDue(`rest_until = clock_timestamp() + interval '1 hour'`, resting);
    expect(await taken(10)).toEqual([free]);
    const { serviceId } = await host.payments.get(resting);
    await setDue(`ready_at = clock_timestamp() + interval '2 hours'`, resting);
    await sendNotification(host, {
      type: 'notification',
      event: 'payment.succeeded',
      object: { id: serviceId },
    });
    await host.app.get(HandOver).runNext();
    expect(await queued(resting)).toMatchObject({ resting: true, ready: false });
  });

  it('takes no more of a store than its rate allows', async () => {
    await due(RATE + 2);
    expect(await taken(10)).toHaveLength(RATE);
  });

  it('takes no more of those that fail than it may', async () => {
    const [sound = '', ...others] = await due(5);
    for (const id of others) await setDue(`lane = 'failing'`, id);
    // Two is no size that a statement is written for: its text alone would take four.
    const made = await taken(10, 2);
    expect(made).toHaveLength(3);
    expect(made).toContain(sound);
  });

  it('waits for no payment that somebody has locked', async () => {
    const [held = '', free = ''] = await due(2);
    await other.query('BEGIN');
    try {
      await other.query('SELECT FROM payments_due WHERE payment_id = $1 FOR UPDATE', [held]);
      expect(await soon(taken(10))).toEqual([free]);
    } finally {
      await other.query('ROLLBACK');
    }
  });

  it('that was lost extends no lease that another worker has taken', async () => {
    const [id = ''] = await due(1);
    const lost = await claimed(id);
    await setDue(`lease_until = clock_timestamp() - interval '1 second'`, id);
    const { fence } = await claimed(id);
    await expect(claims.lease(lost).outlive(3_600_000)).rejects.toThrow('Another worker has taken');
    expect(await bench.asOwner('SELECT fence FROM payments_due WHERE payment_id = $1', [id])).toEqual([
      { fence },
    ]);
  });

  it('answers no notification of another kind of object with the id of a payment', async () => {
    const { id, serviceId } = await host.payments.create(orderInput());
    for (const event of ['refund.succeeded', 'payment.succeeded'])
      await sendNotification(host, { type: 'notification', event, object: { id: serviceId } });
    expect((await claimed(id)).seen).toHaveLength(1);
  });

  it('that failed leaves a payment to rest, longer each time, in a queue of its own', async () => {
    const [id = ''] = await due(1);
    await claims.fail(await claimed(id), null);
    expect(await queued(id)).toMatchObject({ checks: 1, lane: 'failing', resting: true });
    const restMs = async () => {
      const [row] = await bench.asOwner<{ ms: number }>(
        `SELECT extract(epoch FROM rest_until - clock_timestamp())::float8 * 1000 AS ms FROM payments_due WHERE payment_id = $1`,
        [id],
      );
      return row?.ms ?? 0;
    };
    await setDue('checks = 10, rest_until = NULL', id);
    await claims.fail(await claimed(id), null);
    expect(await restMs()).toBeGreaterThan(30_000);
  });

  it('is returned when its re-read fails', async () => {
    const [id = ''] = await due(1);
    bench.sandbox.faults.order({ on: 'read', fault: 'reset_before_commit' });
    await expect(host.payments.refresh(id)).rejects.toMatchObject({ code: 'service_network' });
    expect(await queued(id)).toMatchObject({ lane: 'failing', leased: null });
  });

  it('that is given back leaves a payment as it was', async () => {
    const [id = ''] = await due(1);
    await setDue(`checks = 3, lane = 'failing'`, id);
    expect(await taken(1)).toEqual([id]);
    const [row] = await bench.asOwner<{ fence: string }>(
      'SELECT fence FROM payments_due WHERE payment_id = $1',
      [id],
    );
    await setDue('fence = NULL, lease_until = NULL', id);
    const made = await claimed(id);
    expect(row?.fence).not.toBe(made.fence);
    await claims.giveBack(made);
    expect(await queued(id)).toMatchObject({ checks: 3, lane: 'failing', leased: null });
  });

  it('comes with a notification for each payment but the one that somebody has locked, which the next hand-over has', async () => {
    const handOver = host.app.get(HandOver);
    const both = [await host.payments.create(orderInput()), await host.payments.create(orderInput())];
    const [held] = both;
    for (const { serviceId } of both)
      await sendNotification(host, {
        type: 'notification',
        event: 'payment.succeeded',
        object: { id: serviceId },
      });
    const ready = () => Promise.all(both.map(async ({ id }) => (await queued(id))?.ready));
    await other.query('BEGIN');
    try {
      await other.query('SELECT FROM payments_due WHERE payment_id = $1 FOR UPDATE', [held?.id]);
      await soon(handOver.runNext());
      expect(await ready()).toEqual([false, true]);
    } finally {
      await other.query('ROLLBACK');
    }
    await handOver.runNext();
    expect(await ready()).toEqual([true, true]);
  });

  it('has a payment that had left the queue as soon as it is notified', async () => {
    const { id, serviceId } = await host.payments.create(orderInput());
    await bench.asOwner('DELETE FROM payments_due');
    await sendNotification(host, {
      type: 'notification',
      event: 'payment.succeeded',
      object: { id: serviceId },
    });
    await host.app.get(HandOver).runNext();
    expect(await taken(10)).toEqual([id]);
  });

  /** Fails as soon as a session waits for a row. */
  async function soon<T>(work: Promise<T>): Promise<T> {
    const end = { isReached: false };
    const over = work.finally(() => (end.isReached = true));
    const watched = async (): Promise<T> => {
      while (!end.isReached) {
        const waiting = await bench.asOwner(LOCK_WAITS);
        if (waiting.length > 0) throw new Error('It waits for a lock.');
        await delay(20);
      }
      return over;
    };
    return Promise.race([watched(), over]);
  }
});
