import { formatAmount, PaymentsOperator, type Payment } from '@holdfast/payments';
import { Recoveries } from '../../libs/payments/src/recovery/recoveries.js';
import { RollbackWatch } from '../../libs/payments/src/rollback/rollback-watch.js';
import { eventually } from '../support/eventually.js';
import { backUp } from '../support/forget.js';
import { doAll } from '../support/one-by-one.js';
import { reread, openBench, orderInput, type Bench, type PaymentsHost } from '../support/payments-host.js';

const MINUTE_MS = 60_000;

describe('an old primary that lived on for twenty minutes beside the promoted standby', () => {
  let bench: Bench;
  let host: PaymentsHost;
  beforeEach(async () => {
    bench = await openBench();
    host = await bench.startHost({ sweeps: false, requestTimeoutMs: 500, callDeadlineMs: 1_000 });
    // Nothing but a list says what was made there.
    bench.sandbox.faults.order({ on: 'notification', fault: 'drop', times: 1_000 });
  });
  afterEach(() => bench.close());

  const recoveries = async () =>
    (await host.app.get(PaymentsOperator).recoveries()).filter(({ reason }) => reason !== 'in_flight');

  async function paid({ payments }: PaymentsHost): Promise<Payment> {
    const { id, serviceId } = await payments.create(orderInput());
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    return payments.refresh(id);
  }

  /** As processes beside the standby leave it: the promotion was noticed and read, and they have counted on since. */
  async function noticedThere(from: Date, to: Date): Promise<void> {
    await bench.asOwner(
      `WITH begun AS (
         UPDATE payments_commit_mark SET epoch = gen_random_uuid(), epoch_number = epoch_number + 1, counter = counter + 600,
           beat_at = now(), reached_at = $3 RETURNING epoch
       )
       INSERT INTO payments_recoveries (id, store_id, epoch, from_at, to_at, reason, started_at, done_at)
       SELECT gen_random_uuid(), id, epoch, $1, $2, 'timeline_changed', $2, $2 FROM payments_stores, begun`,
      [from, to, bench.sandbox.clock.now()],
    );
  }

  it.each<[string, boolean]>([
    ['recorded them itself', true],
    ['counted there, while others recorded', false],
  ])('has its charges and refunds found by a process that %s, and a person is told', async (_name, isOwn) => {
    const kept = await paid(host);
    const standby = await backUp(bench);
    const from = bench.sandbox.clock.now();
    await bench.sandbox.clock.advance(1_000);
    const to = bench.sandbox.clock.now();

    const there = isOwn ? host : await bench.startHost({ sweeps: false });
    await bench.sandbox.clock.advance(10 * MINUTE_MS);
    const lost = await paid(there);
    await bench.sandbox.clock.advance(10 * MINUTE_MS);
    const { id: refundId } = await there.payments.refund(kept.id, {
      refundKey: 'b',
      amount: formatAmount(30_00),
    });
    if (!isOwn) {
      await host.app.get(RollbackWatch).runNext();
      await there.close();
    }
    const latest = bench.sandbox.clock.now();

    await standby.restore();
    await noticedThere(from, to);
    await expect(host.payments.create(orderInput())).rejects.toMatchObject({ code: 'recovery_in_progress' });
    const [window, ...others] = (await recoveries()).filter(({ doneAt }) => doneAt === null);
    expect(others).toEqual([]);
    expect(window?.reason).toBe('commits_lost');
    expect(window?.from.getTime()).toBeLessThanOrEqual(to.getTime());
    expect(window?.to.getTime()).toBeGreaterThanOrEqual(latest.getTime());
    expect(
      await bench.asOwner(
        `SELECT evidence->>'reason' AS reason FROM payments_events WHERE name = 'database.rolled_back'`,
      ),
    ).toEqual([{ reason: 'commits_lost' }]);

    const read = async () => {
      await bench.asOwner('UPDATE payments_recoveries SET lease_until = NULL');
      await doAll(host.app.get(Recoveries).work);
    };
    await read();
    await reread(host, kept.id);
    await read();
    expect(await host.payments.refunds(kept.id)).toMatchObject([{ id: refundId, status: 'succeeded' }]);
    const found = await eventually(
      () => host.payments.findByOrder(lost.orderReference),
      ({ length }) => length > 0,
    );
    expect(found).toMatchObject([{ serviceId: lost.serviceId }]);
    expect(await host.payments.create(orderInput())).toMatchObject({ status: 'pending' });
    expect(await recoveries()).toHaveLength(2);
  });

  it('has the time read that a process saw there, although its clock was set back since', async () => {
    let backMs = 0;
    const { clock } = bench.sandbox;
    const there = await bench.startHost({
      sweeps: false,
      requestTimeoutMs: 500,
      callDeadlineMs: 1_000,
      clock: { offsetMs: () => clock.offsetMs() - backMs },
    });
    const standby = await backUp(bench);
    const from = clock.now();
    await clock.advance(1_000);
    const to = clock.now();
    await clock.advance(20 * MINUTE_MS);
    await paid(there);
    const latest = clock.now();
    backMs = 15 * MINUTE_MS;
    await there.payments.create(orderInput());
    await standby.restore();
    await noticedThere(from, to);
    // By the same clock.
    await bench.asOwner('UPDATE payments_commit_mark SET reached_at = $1', [to]);
    await expect(there.payments.create(orderInput())).rejects.toMatchObject({ code: 'recovery_in_progress' });
    const [window] = (await recoveries()).filter(({ doneAt }) => doneAt === null);
    expect(window?.reason).toBe('commits_lost');
    // The create was recorded a moment before its payment was paid.
    expect(window?.to.getTime()).toBeGreaterThan(latest.getTime() - MINUTE_MS);
  });

  it('is noticed though another loss was noticed here after that', async () => {
    await paid(host);
    const standby = await backUp(bench);
    const from = bench.sandbox.clock.now();
    await bench.sandbox.clock.advance(1_000);
    const to = bench.sandbox.clock.now();
    await bench.sandbox.clock.advance(10 * MINUTE_MS);
    await paid(host);
    await standby.restore();
    await noticedThere(from, to);
    await bench.sandbox.clock.advance(10 * MINUTE_MS);
    const later = bench.sandbox.clock.now();
    await noticedThere(later, later);
    await expect(host.payments.create(orderInput())).rejects.toMatchObject({ code: 'recovery_in_progress' });
    const [window, ...others] = (await recoveries()).filter(({ doneAt }) => doneAt === null);
    expect(others).toEqual([]);
    expect(window?.reason).toBe('commits_lost');
    expect(window?.from.getTime()).toBeLessThanOrEqual(to.getTime());
  });

  it('has what the standby took read again by a process that had noticed the promotion, and turned back', async () => {
    const old = await backUp(bench);
    const mark = 'SELECT reached_at AS "reachedAt" FROM payments_commit_mark';
    const [parted] = await bench.asOwner<{ reachedAt: Date }>(mark);
    await bench.asOwner(`UPDATE payments_commit_mark SET timeline = 'another'`);
    // Noticed by one look: another one would read of it what this one has recorded.
    await host.app.get(RollbackWatch).runNext();
    expect(await recoveries()).toMatchObject([{ reason: 'timeline_changed' }]);
    await bench.sandbox.clock.advance(10 * MINUTE_MS);
    await old.restore();
    // What others have counted beside the old one meanwhile.
    await bench.asOwner(
      `UPDATE payments_commit_mark SET counter = counter + 300, beat_at = now(), reached_at = $1`,
      [bench.sandbox.clock.now()],
    );
    await expect(host.payments.create(orderInput())).rejects.toMatchObject({ code: 'recovery_in_progress' });
    const [window, ...others] = (await recoveries()).filter(({ doneAt }) => doneAt === null);
    expect(others).toEqual([]);
    expect(window?.reason).toBe('commits_lost');
    expect(window?.from.getTime()).toBeLessThanOrEqual(parted?.reachedAt.getTime() ?? NaN);
  });

  it('is nothing new to a process that has seen no more than what was noticed', async () => {
    await paid(host);
    const to = bench.sandbox.clock.now();
    await bench.sandbox.clock.advance(20 * MINUTE_MS);
    await noticedThere(to, to);
    expect(
      await host.payments.create(orderInput()).catch(() => host.payments.create(orderInput())),
    ).toMatchObject({
      status: 'pending',
    });
    expect(await recoveries()).toMatchObject([{ reason: 'timeline_changed' }]);
  });
});
