import {
  OnPaymentEvent,
  PaymentsOperator,
  PaymentsService,
  UnconfirmedDatabaseError,
  type HandlerContext,
  type Payment,
  type PaymentEvent,
} from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DeliveryTurns } from '../../libs/payments/src/handlers/delivery-turns.js';
import { Sweeper } from '../../libs/payments/src/sweeper.js';
import { command, appBeside } from '../support/command-line.js';
import { copyOf } from '../support/copied-database.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { openBench, orderInput, type Bench, type PaymentsHost } from '../support/payments-host.js';
import type { ServiceProxy } from '../support/service-proxy.js';

const HOUR_MS = 3_600_000;
const unconfirmed = { code: 'database_unconfirmed' };

/** What a shop does with money by itself, and whom it tells. */
@Injectable()
class Shopkeeper {
  static readonly runs = new Map<string, string[]>();

  constructor(private readonly payments: PaymentsService) {}

  /** Refunds what is not in stock. */
  @OnPaymentEvent('payment.succeeded', { id: 'shop.refund-missing' })
  async refund({ payment }: PaymentEvent, { manager }: HandlerContext): Promise<void> {
    if (payment.orderReference.startsWith('missing'))
      await this.payments.refund(payment.id, { refundKey: 'missing', manager });
  }

  @OnPaymentEvent('payment.succeeded', { id: 'shop.mail' })
  async mail({ payment }: PaymentEvent, { manager }: HandlerContext): Promise<void> {
    const [place] = await manager.query<{ name: string }[]>('SELECT current_database() AS name');
    const name = place?.name ?? '';
    Shopkeeper.runs.set(name, [...(Shopkeeper.runs.get(name) ?? []), payment.orderReference]);
  }
}

describe('a copy of the database, beside the shop that it was copied from', () => {
  let bench: Bench;
  let production: PaymentsHost;
  const copies: TestDatabase[] = [];
  const hosts: PaymentsHost[] = [];
  beforeAll(async () => {
    bench = await openBench();
    production = await bench.startHost({ holds: { policy: 'cancel' } }, [Shopkeeper]);
  });
  afterEach(async () => {
    for (const host of hosts.splice(0)) await host.close();
  });
  afterAll(async () => {
    await production.close();
    for (const copy of copies) await copy.drop();
    await bench.close();
  });

  /** The copy's own way to the service, which keeps what came over it. */
  async function start(
    copy: TestDatabase,
    options: Parameters<Bench['startHost']>[0] = {},
  ): Promise<PaymentsHost & { service: ServiceProxy; operator: PaymentsOperator }> {
    const service = await bench.startProxy();
    const host = await bench.startHost(
      {
        databaseUrl: copy.moduleUrl,
        serviceUrl: service.url,
        holds: { policy: 'cancel' },
        requestTimeoutMs: 10_000,
        callDeadlineMs: 15_000,
        ...options,
      },
      [Shopkeeper],
    );
    hosts.push(host);
    bench.sandbox.setNotifyUrl(`${production.url}/webhooks/payments`);
    return { ...host, service, operator: host.app.get(PaymentsOperator) };
  }

  const paid = async ({ serviceId, id }: Payment) => {
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    await eventually(
      () => production.payments.get(id),
      ({ status }) => status === 'succeeded' || status === 'waiting_for_capture',
    );
  };
  const runsIn = (database: TestDatabase) =>
    Shopkeeper.runs.get(new URL(database.url).pathname.slice(1)) ?? [];
  const condition = async ({ operator }: { operator: PaymentsOperator }) =>
    (await operator.backlog()).unconfirmedDatabase.count;
  const ledger = (payments: readonly Payment[]) =>
    payments.map(({ serviceId }) => {
      const { charges, refunds, cancels } = bench.sandbox.ledger.totals(serviceId ?? '');
      return { charges, refunds, cancels };
    });

  /** More of a payment than one batch: runs that wait, a parked one for each of its events, and a prepayment whose term is over. */
  async function leaveWork({ asOwner }: TestDatabase, { id }: Payment): Promise<{ runs: number }> {
    await asOwner(
      `INSERT INTO payments_events (store_id, subject_type, subject_id, payment_id, name, to_status, cause, evidence, created_at)
       SELECT store_id, subject_type, subject_id, payment_id, name, NULL, cause, evidence, created_at
       FROM payments_events, generate_series(1, 1500) WHERE payment_id = $1 AND name = 'payment.succeeded'`,
      [id],
    );
    const made = await asOwner(
      `INSERT INTO payments_deliveries (event_id, handler_id, store_id, sequence, next_attempt_at, parked_at)
       SELECT id, 'shop.mail', store_id, payment_id::text, now() + interval '1 day', CASE WHEN id % 100 = 0 THEN now() END
       FROM payments_events WHERE payment_id = $1 AND name = 'payment.succeeded'
       ON CONFLICT (event_id, handler_id) DO UPDATE SET done_at = NULL, parked_at = now() RETURNING event_id`,
      [id],
    );
    await asOwner(
      `UPDATE payments_payments SET prepaid_minor = captured_minor, unsettled_minor = captured_minor,
         unsettled_since = now() - interval '90 days', unsettled_due_at = now() - interval '1 day' WHERE id = $1`,
      [id],
    );
    return { runs: made.length };
  }
  const prepaymentsToTell = ({ asOwner }: TestDatabase) =>
    asOwner('SELECT id FROM payments_payments WHERE unsettled_due_at IS NOT NULL');

  let orders = 0;
  /** What production has at the time of the copy: a hold, a paid order, and two that their buyers pay after it. */
  async function shop(options: Parameters<typeof copyOf>[1] = {}) {
    const name = (text: string) => `${text}-${(orders += 1)}`;
    const held = await production.payments.create({ ...orderInput(name('held')), capture: false });
    await paid(held);
    const sold = await production.payments.create(orderInput(name('sold')));
    await paid(sold);
    const missing = await production.payments.create(orderInput(name('missing')));
    const open = await production.payments.create(orderInput(name('open')));
    const copy = await copyOf(bench.database, options);
    copies.push(copy);
    const later = await production.payments.create(orderInput(name('later')));
    for (const payment of [open, later]) await paid(payment);
    return { copy, held, sold, missing, open, later, all: [held, sold, missing, open, later] };
  }

  it.each([
    ['on another server', { elsewhere: true }],
    ['on the same server', { elsewhere: false }],
  ])(
    '%s moves nothing, runs nothing and reads nothing until a person says what it is',
    async (_name, where) => {
      const { copy, held, sold, open, all } = await shop(where);
      const before = ledger(all);
      const due = await copy.asOwner('UPDATE payments_due SET ready_at = now() RETURNING payment_id');
      expect(due).not.toEqual([]);
      const host = await start(copy);
      const { payments, service } = host;
      for (const call of [
        () => payments.create(orderInput(open.orderReference)),
        () => payments.create({ ...orderInput(open.orderReference), replace: true }),
        () => payments.create(orderInput('new')),
        () => payments.capture(held.id),
        () => payments.cancel(held.id),
        () => payments.refund(sold.id, { refundKey: 'staging' }),
        () => payments.refresh(open.id),
        () => payments.refresh(sold.id),
        () => payments.changeTotalDue(open.orderReference, { value: '150.00', currency: 'RUB' }),
      ])
        await expect(call()).rejects.toMatchObject(unconfirmed);
      await expect(payments.create(orderInput('new'))).rejects.toThrow(
        /npx @holdfast\/payments continue.*npx @holdfast\/payments detach/,
      );
      await expect(payments.create(orderInput('new'))).rejects.toBeInstanceOf(UnconfirmedDatabaseError);
      const sweeper = host.app.get(Sweeper);
      expect([await sweeper.drain(), await sweeper.drain()]).toEqual([false, false]);
      expect(await condition(host)).toBe(1);
      expect(service.received).toEqual([]);
      expect(runsIn(copy)).toEqual([]);
      expect(ledger(all)).toEqual(before);
      expect(await payments.get(open.id)).toMatchObject({ status: 'pending' });
    },
  );

  it('that is detached is a shop of its own: it touches nothing of the original, nor the original anything of its', async () => {
    const { copy, held, sold, missing, open, later, all } = await shop();
    const host = await start(copy);
    expect(await host.operator.detachDatabase()).toMatchObject({ stores: 1 });
    expect(await condition(host)).toBe(0);
    // As the original does: the buyer of a missing good has paid, and a hold comes to its end.
    bench.sandbox.payments.pay(missing.serviceId ?? '', { outcome: 'succeed' });
    await host.app.get(Sweeper).drain();
    for (const { id } of [held, sold, open]) {
      await expect(host.payments.get(id)).rejects.toMatchObject({ code: 'payment_not_found' });
      await expect(host.payments.refund(id, { refundKey: 'staging' })).rejects.toMatchObject({
        code: 'payment_not_found',
      });
    }
    // The same orders, under keys of its own.
    const mine = await Promise.all(
      all.map(({ orderReference }) => host.payments.create(orderInput(orderReference))),
    );
    expect(mine.filter(({ serviceId }) => all.some((other) => other.serviceId === serviceId))).toEqual([]);
    const [first] = mine;
    bench.sandbox.payments.pay(first?.serviceId ?? '', { outcome: 'succeed' });
    await eventually(
      async () => runsIn(copy),
      (runs) => runs.length === 1,
    );
    expect(runsIn(copy)).toEqual([held.orderReference]);
    const named = host.service.received.filter(({ url, body }) =>
      all.some(({ serviceId }) => `${url} ${body}`.includes(serviceId ?? '')),
    );
    expect(named).toEqual([]);
    // Nor does either find what is the other's, asked for it by name.
    const period = { from: new Date(Date.now() - HOUR_MS), to: new Date(Date.now() + HOUR_MS) };
    for (const operator of [host.operator, production.app.get(PaymentsOperator)]) {
      await operator.recover(period);
      const read = await eventually(
        () => operator.recoveries(),
        (found) => found.every(({ doneAt }) => doneAt !== null),
      );
      expect(read.map(({ paymentsAdopted }) => paymentsAdopted)).not.toContain(1);
    }
    expect(await host.payments.findByOrder(later.orderReference)).toHaveLength(1);
    await eventually(
      async () => ledger([missing]),
      ([found]) => found?.refunds !== 0,
    );
    expect(await host.operator.detachDatabase()).toBeNull();
    expect(await host.operator.detachedAt()).toBeInstanceOf(Date);
  });

  it('that is detached shows what it has given up under its old store, and changes no total of that', async () => {
    const { copy, sold } = await shop();
    const [{ id: store } = { id: '' }] = await copy.asOwner<{ id: string }>('SELECT id FROM payments_stores');
    const host = await start(copy);
    await host.operator.detachDatabase();
    expect(await host.payments.get(sold.id, { store })).toMatchObject({ status: 'succeeded' });
    const due = { value: '150.00', currency: 'RUB' as const };
    await expect(host.payments.changeTotalDue(sold.orderReference, due, { store })).rejects.toMatchObject({
      code: 'store_not_connected',
      store,
      status: 'disconnected',
    });
    expect(await host.payments.getOrder(sold.orderReference, { store })).toMatchObject({
      totalDue: sold.amount,
    });
  });

  it('that is detached has nothing left to do of what it has given up: no run, no window, no word of a prepayment', async () => {
    const { copy, sold } = await shop();
    const { runs } = await leaveWork(copy, sold);
    await copy.asOwner(
      `INSERT INTO payments_recoveries (id, store_id, from_at, to_at, reason, started_at)
       SELECT gen_random_uuid(), id, now(), now(), 'timeline_changed', now() FROM payments_stores`,
    );
    const host = await start(copy);
    expect(await host.operator.detachDatabase()).toEqual({ stores: 1, deliveries: runs });
    // What is here is what a look would find, and end.
    expect(await prepaymentsToTell(copy)).toEqual([]);
    const before = runsIn(copy);
    await host.app.get(Sweeper).drain();
    expect(runsIn(copy)).toEqual(before);
    expect(await host.operator.parkedDeliveries()).toEqual([]);
    const windows = await host.operator.recoveries();
    expect(windows.filter(({ doneAt }) => doneAt === null)).toEqual([]);
  });

  it('that nothing says is one keeps all that it has to do, whoever detaches it', async () => {
    const own = await createTestDatabase();
    copies.push(own);
    const host = await start(own, { sweeps: { intervalMs: HOUR_MS } });
    const sold = await host.payments.create(orderInput());
    bench.sandbox.payments.pay(sold.serviceId ?? '', { outcome: 'succeed' });
    await host.payments.refresh(sold.id);
    await host.app.get(Sweeper).drain();
    const { runs } = await leaveWork(own, sold);
    expect(await host.operator.detachDatabase()).toBeNull();
    expect(
      await own.asOwner('SELECT count(*)::int AS runs FROM payments_deliveries WHERE done_at IS NULL'),
    ).toEqual([{ runs }]);
    expect(await prepaymentsToTell(own)).toHaveLength(1);
  });

  it('that shows the same server and number is told by its name', async () => {
    const { copy } = await shop();
    await copy.asOwner(`UPDATE payments_commit_mark SET database = NULL, installation = 'production'`);
    const beside = appBeside({ database: copy, sandbox: bench.sandbox }, { payments: { sweeps: false } });
    const unnamed = await NestFactory.create(beside, { logger: false, abortOnError: false });
    await expect(unnamed.init()).rejects.toThrow(
      /of the installation production, and this process has no name: set installation/,
    );
    await unnamed.close();
    const host = await start(copy, { installation: 'staging' });
    await expect(host.payments.create(orderInput())).rejects.toThrow(
      'The database is of the installation production, and this process of staging.',
    );
    await host.operator.detachDatabase();
    expect(await host.payments.create(orderInput())).toMatchObject({ status: 'pending' });
    expect(await copy.asOwner('SELECT installation FROM payments_commit_mark')).toEqual([
      { installation: 'staging' },
    ]);
  });

  it('is no database of a colleague who uses the same test shop', async () => {
    const own = await createTestDatabase();
    copies.push(own);
    const host = await start(own);
    const { sold } = await shop();
    expect(await condition(host)).toBe(0);
    const mine = await host.payments.create(orderInput(sold.orderReference));
    expect(mine.serviceId).not.toBe(sold.serviceId);
    await host.operator.recover({ from: new Date(Date.now() - HOUR_MS), to: new Date() });
    const read = await eventually(
      () => host.operator.recoveries(),
      (found) => found.every(({ doneAt }) => doneAt !== null),
    );
    expect(read).toMatchObject([{ paymentsAdopted: 0 }]);
  });

  it('that is detached half-way is held still, and detached by whoever repeats it', async () => {
    const { copy } = await shop();
    const host = await start(copy);
    const role = new URL(copy.moduleUrl).username;
    await copy.asOwner(`REVOKE UPDATE (store_seed) ON payments_commit_mark FROM ${role}`);
    await expect(host.operator.detachDatabase()).rejects.toThrow(/permission denied|store_seed/);
    await expect(host.payments.create(orderInput())).rejects.toMatchObject(unconfirmed);
    await copy.asOwner(`GRANT UPDATE (store_seed) ON payments_commit_mark TO ${role}`);
    expect(await host.operator.detachDatabase()).toMatchObject({ stores: 1, deliveries: 0 });
    expect(await host.payments.create(orderInput())).toMatchObject({ status: 'pending' });
  });

  it('is answered by command, whosever shop the options name, and so is what nobody asked', async () => {
    const { copy } = await shop();
    const at = { database: copy, sandbox: bench.sandbox };
    const another = appBeside(at, { payments: { shopId: 'another_shop' } });
    expect(await command(another, ['detach'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/has given up 1 store/),
    });
    expect(await command(another, ['detach'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/was detached at .* already/),
    });
    expect(await command(appBeside(bench), ['detach'])).toMatchObject({
      code: 1,
      out: expect.stringMatching(/Nothing says/),
    });
    expect(await command(appBeside(bench), ['continue'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/goes on already/),
    });
    const restored = (await shop()).copy;
    const app = appBeside({ database: restored, sandbox: bench.sandbox });
    expect(await command(app, ['pending'])).toMatchObject({
      code: 1,
      out: expect.stringMatching(/may be a copy/),
    });
    expect(await command(app, ['continue'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^The database goes on/),
    });
  });

  it('is answered by an option, in tests of a host', async () => {
    const { copy, all } = await shop();
    const host = await start(copy, { unconfirmedDatabase: 'detach' });
    expect(await condition(host)).toBe(0);
    const mine = await host.payments.create(orderInput(all[0]?.orderReference));
    expect(all.map(({ serviceId }) => serviceId)).not.toContain(mine.serviceId);
  });

  describe('that takes the place of a process’s own database', () => {
    /** No tick comes in between: the process has not looked since. */
    const byHand = { sweeps: { intervalMs: HOUR_MS } };
    const replace = (copy: TestDatabase) =>
      copy.asOwner(`UPDATE payments_commit_mark SET database = '1 production'`);

    async function detached() {
      const { copy } = await shop();
      const host = await start(copy, byHand);
      await host.operator.detachDatabase();
      const held = await host.payments.create({ ...orderInput(), capture: false });
      bench.sandbox.payments.pay(held.serviceId ?? '', { outcome: 'succeed' });
      await host.payments.refresh(held.id);
      const sold = await host.payments.create(orderInput());
      bench.sandbox.payments.pay(sold.serviceId ?? '', { outcome: 'succeed' });
      await host.payments.refresh(sold.id);
      await host.app.get(Sweeper).drain();
      return { copy, host, held, sold };
    }

    it('the process records nothing before it has looked', async () => {
      for (const call of [
        ({ host }) => host.payments.create(orderInput()),
        ({ host, held }) => host.payments.capture(held.id),
        ({ host, held }) => host.payments.cancel(held.id),
        ({ host, sold }) => host.payments.refund(sold.id, { refundKey: 'first' }),
      ] satisfies ((made: Awaited<ReturnType<typeof detached>>) => Promise<unknown>)[]) {
        const made = await detached();
        const before = made.host.service.received.length;
        await replace(made.copy);
        await expect(call(made)).rejects.toMatchObject(unconfirmed);
        expect(made.host.service.received.slice(before)).toEqual([]);
      }
    });

    it.each(['continueDatabase', 'detachDatabase'] as const)(
      'a process without sweeps learns by its next call what another one was answered: %s',
      async (answer) => {
        const { copy, sold } = await shop();
        const web = await start(copy, { sweeps: false });
        await expect(web.payments.refund(sold.id, { refundKey: 'first' })).rejects.toMatchObject(unconfirmed);
        const other = await start(copy, byHand);
        await other.operator[answer]();
        await copy.asOwner('UPDATE payments_recoveries SET done_at = now()');
        const call = web.payments.capture(sold.id);
        await expect(call).rejects.toMatchObject({
          code: answer === 'continueDatabase' ? 'payment_not_held' : 'payment_not_found',
        });
        expect(await web.payments.create(orderInput())).toMatchObject({ status: 'pending' });
      },
    );

    it('the process moves nothing of what was given up, though nothing is left to be confirmed', async () => {
      for (const call of [
        ({ host, held }) => host.payments.capture(held.id),
        ({ host, held }) => host.payments.cancel(held.id),
        ({ host, sold }) => host.payments.refund(sold.id, { refundKey: 'first' }),
      ] satisfies ((made: Awaited<ReturnType<typeof detached>>) => Promise<unknown>)[]) {
        const made = await detached();
        const before = made.host.service.received.length;
        await replace(made.copy);
        // By a command, before this process has looked: what it knows are stores of the original.
        const beside = appBeside({ database: made.copy, sandbox: bench.sandbox });
        expect(await command(beside, ['detach'])).toMatchObject({ code: 0 });
        await expect(call(made)).rejects.toMatchObject({
          code: expect.stringMatching(/^(database_unconfirmed|payment_not_found)$/),
        });
        expect(made.host.service.received.slice(before)).toEqual([]);
      }
    });

    it('the process runs no handler before it has looked', async () => {
      const { copy, host, sold } = await detached();
      const before = runsIn(copy);
      expect(before).toContain(sold.orderReference);
      await copy.asOwner(
        `UPDATE payments_deliveries SET done_at = NULL, attempts = 0, next_attempt_at = now() WHERE handler_id = 'shop.mail'`,
      );
      await replace(copy);
      expect(await host.app.get(DeliveryTurns).take()).toEqual([]);
      expect(runsIn(copy)).toEqual(before);
    });
  });

  // Last: what it makes is the original's too, since it says that it is the original.
  it('that goes on as the original finds what was made since, and takes payments', async () => {
    const { copy, open, later } = await shop();
    const host = await start(copy);
    expect(await host.operator.continueDatabase()).toMatchObject({ from: expect.any(Date) });
    await eventually(
      () => host.payments.findByOrder(later.orderReference),
      ([payment]) => payment?.status === 'succeeded',
    );
    await eventually(
      async () => runsIn(copy),
      (runs) => [open, later].every(({ orderReference }) => runs.includes(orderReference)),
    );
    expect(await condition(host)).toBe(0);
    await eventually(
      () => host.payments.create(orderInput()).catch(() => null),
      (payment) => payment !== null,
    );
    expect(await host.operator.continueDatabase()).toBeNull();
  });

  it('that goes on by an option of its host’s tests does so at once', async () => {
    const { copy } = await shop();
    const host = await start(copy, {
      unconfirmedDatabase: 'continue',
      sweeps: { intervalMs: HOUR_MS },
    });
    expect(await condition(host)).toBe(0);
    expect((await host.operator.recoveries())[0]).toMatchObject({ reason: 'server_changed' });
  });
});
