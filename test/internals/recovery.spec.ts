import {
  formatAmount,
  OnPaymentEvent,
  PaymentsOperator,
  type DatabaseEvent,
  type HandlerContext,
  type Payment,
  type Recovery,
} from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import { Database } from '../../libs/payments/src/database/database.js';
import { Recoveries } from '../../libs/payments/src/recovery/recoveries.js';
import { RecoveryLeases } from '../../libs/payments/src/recovery/recovery-leases.js';
import { openWindowSql } from '../../libs/payments/src/rollback/recovery-windows.js';
import { RollbackWatch } from '../../libs/payments/src/rollback/rollback-watch.js';
import { eventually } from '../support/eventually.js';
import { forgetPayment, forgetRefund } from '../support/forget.js';
import { doAll } from '../support/one-by-one.js';
import {
  reread,
  EffectHandlers,
  openBench,
  orderInput,
  paidPayment,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';
import { asItIs, type Rewrite, type ServiceProxy } from '../support/service-proxy.js';

@Injectable()
class Told {
  @OnPaymentEvent('database.rolled_back', { id: 'test.rolled-back' })
  async rolledBack({ name, reason }: DatabaseEvent, { manager }: HandlerContext): Promise<void> {
    await manager.query('INSERT INTO told VALUES ($1, $2)', [name, reason]);
  }
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A page that is answered, and of which nothing can be made. */
const unreadable: Rewrite = (object) =>
  Array.isArray(object['items']) ? { ...object, items: [{}] } : object;
const REFUNDS = /^\/v3\/refunds\?/;
const LISTS = /^\/v3\/payments\?/;

describe('what a rolled back database has lost', () => {
  let bench: Bench;
  let proxy: ServiceProxy;
  beforeEach(async () => {
    bench = await openBench();
    await bench.asOwner('CREATE TABLE told (name text, reason text)');
    proxy = await bench.startProxy();
  });
  afterEach(() => bench.close());

  const start = (options: Parameters<Bench['startHost']>[0] = {}) =>
    bench.startHost({ serviceUrl: proxy.url, ...options }, [EffectHandlers, Told]);
  /** It works when the test says so. */
  const startByHand = () => start({ sweeps: false });
  const recoverAll = ({ app }: PaymentsHost) => doAll(app.get(Recoveries).work);
  const operatorOf = ({ app }: PaymentsHost) => app.get(PaymentsOperator);
  /** But for the second looks that are still to come. */
  const recoveriesOf = async (host: PaymentsHost): Promise<Recovery[]> =>
    (await operatorOf(host).recoveries()).filter(({ reason }) => reason !== 'in_flight');
  const told = () => bench.asOwner<{ reason: string }>('SELECT reason FROM told');
  const listed = () => proxy.received.flatMap(({ url }) => (LISTS.test(url) ? [url] : []));
  /** Nothing but a list says that it exists. */
  const silence = () => bench.sandbox.faults.order({ on: 'notification', fault: 'drop', times: 1_000 });

  async function created(host: PaymentsHost, count: number): Promise<Payment[]> {
    const payments: Payment[] = [];
    for (let left = count; left > 0; left -= 1) payments.push(await host.payments.create(orderInput()));
    return payments;
  }

  async function paidByHand({ payments }: PaymentsHost): Promise<Payment> {
    const { id, serviceId } = await payments.create(orderInput());
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    return payments.refresh(id);
  }

  const forget = async (payments: readonly Payment[]) => {
    for (const { id } of payments) await forgetPayment(bench, id);
  };

  /** As of a time right before these payments. */
  async function open(host: PaymentsHost, [first]: readonly Payment[]): Promise<void> {
    const from = new Date((first?.createdAt.getTime() ?? 0) - 1_000);
    await operatorOf(host).recover({ from, to: bench.sandbox.clock.now() });
  }

  const rows = () =>
    bench.asOwner<{
      cursor: string | null;
      lease_until: Date | null;
      done_at: Date | null;
      payments_adopted: number;
    }>('SELECT * FROM payments_recoveries');
  /** Whether nothing new may be recorded. */
  const isOpen = async ({ app, dataSource }: PaymentsHost) => {
    const sql = openWindowSql(app.get(Database), 'store.id');
    const [found] = await dataSource.query<{ open: boolean }[]>(
      `SELECT ${sql} AS open FROM payments_stores store`,
    );
    return found?.open;
  };
  /** As if its time to try again had come. */
  const release = () => bench.asOwner('UPDATE payments_recoveries SET lease_until = NULL');

  it('that was still on its way to the service when its lists were read is found by a second look', async () => {
    const host = await startByHand();
    silence();
    await forget(await created(host, 1));
    await bench.asOwner('UPDATE payments_commit_mark SET counter = counter - 1');
    await host.app.get(RollbackWatch).look();
    await recoverAll(host);
    expect(await recoveriesOf(host)).toMatchObject([{ paymentsAdopted: 1 }]);

    const late = await created(host, 1);
    await forget(late);
    await recoverAll(host);
    expect(await host.payments.findByOrder(late[0]?.orderReference ?? '')).toEqual([]);
    await bench.sandbox.clock.advance(5 * 60_000);
    await recoverAll(host);
    expect(await host.payments.findByOrder(late[0]?.orderReference ?? '')).toHaveLength(1);
    // And no third one.
    expect((await rows()).map((row) => row.done_at === null)).toEqual([false, false]);
  });

  it('has its payments, their refunds and their effects again once a process has noticed, read once by one of two', async () => {
    const hosts = [await start(), await start()];
    const [host] = hosts;
    if (!host) throw new Error('There is no host.');
    silence();
    const paid = await host.payments.create(orderInput());
    const pending = await host.payments.create(orderInput());
    const returned = await host.payments.create(orderInput());
    for (const { serviceId } of [paid, returned])
      bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    for (const { id } of [paid, returned]) await reread(host, id);
    const { id: refundId } = await host.payments.refund(returned.id, { refundKey: 'back' });
    const before = listed().length;
    await forget([paid, pending]);
    await forgetRefund(bench, refundId);
    await bench.asOwner('UPDATE payments_commit_mark SET counter = 0');

    const [recovery, ...others] = await eventually(
      () => recoveriesOf(host),
      (found) => found[0]?.doneAt !== undefined && found[0]?.doneAt !== null,
    );
    expect(others).toEqual([]);
    expect(recovery).toMatchObject({
      reason: 'commits_lost',
      paymentsAdopted: 2,
      paymentsWithRefunds: 1,
      error: null,
    });
    expect(listed()).toHaveLength(before + 1);
    const again = await eventually(
      () => host.payments.findByOrder(paid.orderReference),
      ([payment]) => payment?.status === 'succeeded',
    );
    expect(again).toMatchObject([{ serviceId: paid.serviceId }]);
    await eventually(
      () => bench.effects(host, again[0]?.id ?? ''),
      ({ length }) => length === 1,
    );
    expect(await host.payments.findByOrder(pending.orderReference)).toMatchObject([
      { serviceId: pending.serviceId, status: 'pending' },
    ]);
    expect(
      await eventually(
        () => host.payments.refunds(returned.id),
        ([refund]) => refund?.status === 'succeeded',
      ),
    ).toMatchObject([{ refundKey: 'back', amount: formatAmount(100_00) }]);
    expect(await told()).toEqual([{ reason: 'commits_lost' }]);
    expect(bench.sandbox.ledger.totals(paid.serviceId ?? '')).toMatchObject({ charges: 1 });
  });

  it('is re-read where only its status was lost', async () => {
    const host = await start();
    silence();
    const payment = await host.payments.create(orderInput());
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    await bench.asOwner(`UPDATE payments_due SET ready_at = 'infinity'`);
    await open(host, [payment]);
    await eventually(
      () => host.payments.get(payment.id),
      ({ status }) => status === 'succeeded',
    );
    expect((await recoveriesOf(host))[0]).toMatchObject({ reason: 'requested', paymentsAdopted: 0 });
    expect(await told()).toEqual([]);
  });

  it('is read on where a process had to stop, by another one', async () => {
    const [first, second] = [await startByHand(), await startByHand()];
    // By the first one the service's clock is known.
    const [, ...payments] = await created(first, 8);
    await forget(payments);
    await open(first, payments);
    proxy.pageSize = 2;
    let pages = 0;
    proxy.rewrite = (object) => {
      if (Array.isArray(object['items'])) pages += 1;
      // Of the list that follows.
      if (pages === 2) bench.sandbox.faults.order({ on: 'list', fault: 'error_500_before_commit' });
      return object;
    };
    await recoverAll(first);
    const [stopped] = await recoveriesOf(first);
    expect(stopped).toMatchObject({ doneAt: null, paymentsAdopted: 4, error: expect.any(String) });
    expect((await rows())[0]).toMatchObject({ cursor: expect.any(String), lease_until: expect.any(Date) });
    // Not before its time.
    await recoverAll(second);
    expect((await recoveriesOf(first))[0]?.doneAt).toBeNull();
    await release();
    await recoverAll(second);
    expect((await recoveriesOf(first))[0]).toMatchObject({
      doneAt: expect.any(Date),
      paymentsAdopted: 7,
      error: null,
    });
    const cursors = listed().map((url) => new URLSearchParams(url.split('?')[1]).get('cursor'));
    // The one that failed was asked for twice, and the first page once.
    expect(cursors.filter((cursor) => cursor === null)).toHaveLength(1);
    expect(new Set(cursors).size).toBe(cursors.length - 1);
    for (const { orderReference } of payments)
      expect(await first.payments.findByOrder(orderReference)).toHaveLength(1);
  });

  it('is begun anew where the service has forgotten the place', async () => {
    const host = await startByHand();
    const payments = await created(host, 3);
    await forget(payments);
    await open(host, payments);
    await bench.asOwner(`UPDATE payments_recoveries SET cursor = 'nonsense'`);
    await recoverAll(host);
    expect((await rows())[0]).toMatchObject({ cursor: null, done_at: null });
    await release();
    await recoverAll(host);
    expect((await recoveriesOf(host))[0]).toMatchObject({ doneAt: expect.any(Date), paymentsAdopted: 3 });
  });

  it('is given up where the key may not list, told, and keeps nobody out', async () => {
    const host = await startByHand();
    await created(host, 1);
    await bench.asOwner(`UPDATE payments_commit_mark SET timeline = 'another'`);
    await host.app.get(RollbackWatch).look();
    expect(await isOpen(host)).toBe(true);
    bench.sandbox.faults.order({ on: 'list', fault: 'forbidden' });
    await recoverAll(host);
    expect(await recoveriesOf(host)).toMatchObject([
      { doneAt: expect.any(Date), error: expect.stringContaining('GET /v3/payments') },
    ]);
    expect(await isOpen(host)).toBe(false);
  });

  it('is counted whole where a process had to stop, and some of it was re-read before the next one went on', async () => {
    const [first, second] = [await startByHand(), await startByHand()];
    silence();
    const payments = [await paidByHand(first), await paidByHand(first)];
    for (const { id } of payments)
      await forgetRefund(bench, (await first.payments.refund(id, { refundKey: 'back' })).id);
    await open(first, payments);
    proxy.pageSize = 1;
    proxy.rewrite = (object) => {
      // The page after the first one is not answered.
      if (REFUNDS.test(proxy.received.at(-1)?.url ?? ''))
        bench.sandbox.faults.order({ on: 'list_refunds', fault: 'error_500_before_commit' });
      return object;
    };
    await recoverAll(first);
    expect(await recoveriesOf(first)).toMatchObject([{ doneAt: null, paymentsWithRefunds: 1 }]);
    proxy.rewrite = asItIs;
    const rereadAgain = async ({ id }: Payment) => {
      await reread(first, id);
      expect(await first.payments.refunds(id)).toMatchObject([{ refundKey: 'back' }]);
    };
    // Lists are newest first: this is the one that was counted.
    const [other, counted] = payments;
    if (!other || !counted) throw new Error('There are no payments.');
    await rereadAgain(counted);
    await release();
    await recoverAll(second);
    expect(await recoveriesOf(first)).toMatchObject([{ doneAt: null, paymentsWithRefunds: 2 }]);
    await rereadAgain(other);
    await release();
    await recoverAll(second);
    expect(await recoveriesOf(first)).toMatchObject([{ doneAt: expect.any(Date), paymentsWithRefunds: 2 }]);
  });

  describe('is a refund', () => {
    let host: PaymentsHost;
    let payment: Payment;
    const refunded = async () => {
      const { id } = await host.payments.refund(payment.id, { refundKey: 'back' });
      await forgetRefund(bench, id);
      await bench.asOwner(`UPDATE payments_commit_mark SET timeline = 'another'`);
      await host.app.get(RollbackWatch).look();
      // No sweep re-reads what the window wants.
      await recoverAll(host);
    };
    beforeEach(async () => {
      host = await startByHand();
      silence();
      payment = await paidByHand(host);
    });

    it('that its window waits for until its payment is re-read, counted once', async () => {
      await refunded();
      const waiting = {
        paymentsWithRefunds: 1,
        doneAt: null,
        error: expect.stringContaining('not known here'),
      };
      expect(await recoveriesOf(host)).toMatchObject([waiting]);
      expect(await isOpen(host)).toBe(true);
      await release();
      await recoverAll(host);
      expect(await recoveriesOf(host)).toMatchObject([waiting]);
      expect(await isOpen(host)).toBe(true);

      await reread(host, payment.id);
      await release();
      await recoverAll(host);
      expect(await recoveriesOf(host)).toMatchObject([
        { paymentsWithRefunds: 1, doneAt: expect.any(Date), error: null },
      ]);
      expect(await isOpen(host)).toBe(false);
      expect(await host.payments.refunds(payment.id)).toMatchObject([{ refundKey: 'back' }]);
    });

    it('that its window lists again after pauses that grow with the time for which it has been read', async () => {
      const time = async () => {
        const [row] = await bench.asOwner<{ ms: number }>(
          'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
        );
        return row?.ms ?? NaN;
      };
      /** The shortest and the longest that it may be. */
      const pause = async (read: () => Promise<unknown>) => {
        const before = await time();
        await read();
        const end = (await rows())[0]?.lease_until?.getTime() ?? NaN;
        return [end - (await time()), end - before];
      };
      const again = async () => {
        await release();
        await recoverAll(host);
      };
      const [, first = NaN] = await pause(refunded);
      expect(first).toBeGreaterThanOrEqual(5_000);
      await bench.sandbox.clock.advance(2 * MINUTE_MS);
      expect((await pause(again))[1]).toBeGreaterThanOrEqual(2 * MINUTE_MS);
      await bench.sandbox.clock.advance(50 * MINUTE_MS);
      const [shortest, longest] = await pause(again);
      expect(shortest).toBeLessThanOrEqual(3 * MINUTE_MS);
      expect(longest).toBeGreaterThanOrEqual(3 * MINUTE_MS);
    });

    it('that cannot become known, and its window ends all the same, which is told', async () => {
      await refunded();
      expect(await isOpen(host)).toBe(true);
      await bench.sandbox.clock.advance(HOUR_MS + 1_000);
      expect(await isOpen(host)).toBe(false);
      await release();
      await recoverAll(host);
      expect(await recoveriesOf(host)).toMatchObject([
        {
          paymentsWithRefunds: 1,
          doneAt: expect.any(Date),
          error: expect.stringContaining(payment.id),
        },
      ]);
      // And what was still on its way is looked for.
      expect((await operatorOf(host).recoveries()).map(({ reason }) => reason)).toContain('in_flight');

      // Who has it read once more has seen to that.
      const { from, to } = (await recoveriesOf(host))[0] ?? { from: new Date(0), to: new Date(0) };
      await operatorOf(host).recover({ from, to });
      await recoverAll(host);
      await bench.sandbox.clock.advance(HOUR_MS + 1_000);
      await release();
      await recoverAll(host);
      expect((await recoveriesOf(host)).map(({ error }) => error)).toEqual([null, null]);
    });
  });

  it('keeps buyers out for an hour at most, and never because a person asks', async () => {
    const host = await startByHand();
    const now = bench.sandbox.clock.now();
    await operatorOf(host).recover({ from: new Date(now.getTime() - 1_000), to: now });
    expect(await isOpen(host)).toBe(false);
    await bench.asOwner(`UPDATE payments_commit_mark SET timeline = 'another'`);
    await host.app.get(RollbackWatch).look();
    expect(await isOpen(host)).toBe(true);
    proxy.rewrite = unreadable;
    await recoverAll(host);
    expect(await recoveriesOf(host)).toMatchObject([{ doneAt: null }, { doneAt: null }]);
    await bench.sandbox.clock.advance(HOUR_MS - 10_000);
    expect(await isOpen(host)).toBe(true);
    await bench.sandbox.clock.advance(10_000);
    expect(await isOpen(host)).toBe(false);
    proxy.rewrite = asItIs;
  });

  it('keeps buyers out as long as the service answers nothing, for three days at most', async () => {
    const host = await start({ sweeps: false, requestTimeoutMs: 2_000, callDeadlineMs: 2_500 });
    const bought = orderInput();
    await bench.asOwner(`UPDATE payments_commit_mark SET timeline = 'another'`);
    await host.app.get(RollbackWatch).look();
    bench.sandbox.faults.order({ on: 'list', fault: 'error_500_before_commit', times: 100 });
    await recoverAll(host);
    await bench.sandbox.clock.advance(30 * HOUR_MS);
    await expect(host.payments.create(bought)).rejects.toMatchObject({ code: 'recovery_in_progress' });
    expect(await isOpen(host)).toBe(true);

    // One that begins after the first page is no different.
    bench.sandbox.faults.clear();
    bench.sandbox.faults.order({ on: 'list_refunds', fault: 'error_500_before_commit', times: 100 });
    await release();
    await recoverAll(host);
    await bench.sandbox.clock.advance(HOUR_MS);
    await expect(host.payments.create(bought)).rejects.toMatchObject({ code: 'recovery_in_progress' });

    // The hour begins with the first page after it: what it lists is still to be recorded again.
    bench.sandbox.faults.clear();
    proxy.rewrite = unreadable;
    await release();
    await recoverAll(host);
    await expect(host.payments.create(bought)).rejects.toMatchObject({ code: 'recovery_in_progress' });
    await bench.sandbox.clock.advance(HOUR_MS);
    expect(await host.payments.create(bought)).toMatchObject({ status: 'pending' });
    proxy.rewrite = asItIs;

    await bench.asOwner('UPDATE payments_recoveries SET first_read_at = NULL');
    expect(await isOpen(host)).toBe(true);
    await bench.sandbox.clock.advance((3 * 24 - 32) * HOUR_MS);
    expect(await isOpen(host)).toBe(false);
  });

  it('is nothing that a process writes to whose window another one has taken over', async () => {
    const host = await startByHand();
    const payments = await created(host, 2);
    await open(host, payments);
    const lease = await host.app.get(RecoveryLeases).take();
    if (lease === null) throw new Error('There is no window to take.');
    await bench.asOwner('UPDATE payments_recoveries SET fence = fence + 1');
    const [before] = await rows();
    await host.app.get(Recoveries).work.run(lease);
    bench.sandbox.faults.order({ on: 'list', fault: 'error_500_before_commit' });
    await host.app.get(Recoveries).work.run(lease);
    bench.sandbox.faults.order({ on: 'list', fault: 'forbidden' });
    await host.app
      .get(Recoveries)
      .work.run({ ...lease, listing: 'refunds' })
      .catch(() => null);
    expect((await rows())[0]).toEqual(before);
  });

  it('is left to others at once by a process that ends', async () => {
    const host = await start();
    const payments = await created(host, 1);
    bench.sandbox.faults.order({ on: 'list', fault: 'stall' });
    await open(host, payments);
    await eventually(
      async () => listed(),
      ({ length }) => length > 0,
    );
    await host.close();
    expect((await rows())[0]).toMatchObject({ lease_until: null, done_at: null });
    bench.sandbox.faults.clear();
  });

  it.each([
    ['something', 1, [{ reason: 'silence' }]],
    ['nothing', 0, []],
  ])('of a silence is told once it is known: %s', async (_what, count, expected) => {
    const first = await start();
    silence();
    const payments = await created(first, 2);
    await first.close();
    await forget(payments.slice(0, count));
    await bench.asOwner(
      `UPDATE payments_commit_mark SET beat_at = beat_at - interval '1 minute', reached_at = reached_at - interval '1 minute'`,
    );
    const second = await start();
    const [recovery] = await eventually(
      () => recoveriesOf(second),
      (found) => found[0]?.doneAt instanceof Date,
    );
    expect(recovery).toMatchObject({ reason: 'silence', paymentsAdopted: count });
    await eventually(told, ({ length }) => length === count);
    expect(await told()).toEqual(expected);
  });

  it('is still in the way of nobody who pays meanwhile', async () => {
    const host = await start();
    const payment = await paidPayment(bench, host);
    await open(host, [payment]);
    await eventually(
      () => recoveriesOf(host),
      ([recovery]) => recovery?.doneAt instanceof Date,
    );
    expect((await recoveriesOf(host))[0]).toMatchObject({ paymentsAdopted: 0, paymentsWithRefunds: 0 });
    expect(await host.payments.findByOrder(payment.orderReference)).toHaveLength(1);
  });
});
