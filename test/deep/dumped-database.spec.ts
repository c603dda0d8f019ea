import {
  OnPaymentEvent,
  PaymentsOperator,
  paymentsMigrations,
  PaymentsService,
  type HandlerContext,
  type Payment,
  type PaymentEvent,
} from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Sweeper } from '../../libs/payments/src/sweeper.js';
import { copyInto } from '../support/copied-database.js';
import { query, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { openBench, orderInput, type Bench, type PaymentsHost } from '../support/payments-host.js';
import { startReplicatedDatabase, type TestReplicatedDatabase } from '../support/replicated-database.js';

const HOUR_MS = 3_600_000;
const unconfirmed = { code: 'database_unconfirmed' };

/** Refunds what is not in stock, and mails its buyers. */
@Injectable()
class Shopkeeper {
  static readonly runs: string[] = [];

  constructor(private readonly payments: PaymentsService) {}

  @OnPaymentEvent('payment.succeeded', { id: 'shop.refund-missing' })
  async refund({ payment }: PaymentEvent, { manager }: HandlerContext): Promise<void> {
    if (payment.orderReference.startsWith('missing'))
      await this.payments.refund(payment.id, { refundKey: 'missing', manager });
  }

  @OnPaymentEvent('payment.succeeded', { id: 'shop.mail' })
  mail({ payment }: PaymentEvent): void {
    Shopkeeper.runs.push(payment.orderReference);
  }
}

describe('a dump of the database, restored on another server, while a worker is alive on the old one', () => {
  let bench: Bench;
  let production: PaymentsHost;
  let other: TestReplicatedDatabase;
  let databases = 0;
  /** The database there, which each test has for itself. */
  let url: string;
  let restored: Pick<TestDatabase, 'asOwner'>;
  beforeAll(async () => {
    other = await startReplicatedDatabase();
  });
  afterAll(() => other.close());
  beforeEach(async () => {
    bench = await openBench();
    production = await bench.startHost({ holds: { policy: 'cancel' } }, [Shopkeeper]);
    const pathname = `/restored_${(databases += 1)}`;
    const { username } = new URL(other.url);
    await query(other.adminUrl, `CREATE DATABASE ${pathname.slice(1)} OWNER ${username}`);
    url = Object.assign(new URL(other.url), { pathname }).href;
    // As the superuser, who alone may insert rows before those that they refer to.
    const admin = Object.assign(new URL(other.adminUrl), { pathname });
    restored = { asOwner: (sql, parameters) => query(admin.href, sql, parameters) };
    const tables = new DataSource({ type: 'postgres', url, migrations: paymentsMigrations });
    await tables.initialize();
    await tables.runMigrations();
    await tables.destroy();
    Shopkeeper.runs.length = 0;
  });
  afterEach(() => bench.close());

  const start = (options: Parameters<Bench['startHost']>[0]) =>
    bench.startHost({ databaseUrl: url, holds: { policy: 'cancel' }, ...options }, [Shopkeeper]);
  const paid = async (payment: Payment) => {
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    await eventually(
      () => production.payments.get(payment.id),
      ({ status }) => status === 'succeeded' || status === 'waiting_for_capture',
    );
    return payment;
  };
  const figures = () => {
    const { charges, refunds, cancels } = bench.sandbox.ledger.totals();
    return { charges, refunds, cancels, runs: Shopkeeper.runs.length };
  };
  const tell = (name: string) => {
    const now = figures();
    process.stdout.write(`${name}: ${JSON.stringify(now)}\n`);
    return now;
  };

  /** What is in the dump, and what was done in the time after it. */
  async function until(ageMs: number) {
    const { payments } = production;
    const held = await paid(await payments.create({ ...orderInput('held'), capture: false }));
    const sold = await paid(await payments.create(orderInput('sold')));
    const open = await payments.create(orderInput('missing'));
    await copyInto(restored, bench);
    await bench.sandbox.clock.advance(ageMs);
    const later = await paid(await payments.create(orderInput('later')));
    await payments.refund(sold.id, { refundKey: 'back', amount: { value: '30.00', currency: 'RUB' } });
    await eventually(
      async () => figures(),
      ({ refunds, runs }) => refunds === 1 && runs === 2,
    );
    return { held, sold, open, later };
  }

  /** What the dump does not know of, and what it knows as open. A hold can be canceled once only, so the last asks for no recovery. */
  const asked = ({ payments }: PaymentsHost, { held, sold, later }: Awaited<ReturnType<typeof until>>) => [
    () => payments.create(orderInput(later.orderReference)),
    () => payments.create(orderInput('new')),
    () => payments.refund(sold.id, { refundKey: 'back', amount: { value: '30.00', currency: 'RUB' } }),
    () => payments.cancel(held.id),
  ];

  it('charges, refunds, cancels and runs nothing in processes that do not sweep, and has all of it once it goes on', async () => {
    const day = await until(25 * HOUR_MS);
    const before = tell('before');
    const web = await start({ sweeps: false });
    for (const call of asked(web, day)) await expect(call()).rejects.toMatchObject(unconfirmed);
    expect(tell('not answered')).toEqual(before);
    await web.app.get(PaymentsOperator).continueDatabase();
    for (const call of asked(web, day).slice(0, 3))
      await expect(call()).rejects.toMatchObject({ code: 'recovery_in_progress' });
    expect(tell('going on, and not read yet')).toEqual(before);
    // The old one ends, as it should have before.
    await production.close();
    const worker = await start({});
    const recoveries = () => worker.app.get(PaymentsOperator).recoveries();
    await eventually(
      async () => {
        await bench.sandbox.clock.advance(HOUR_MS / 60);
        return recoveries();
      },
      (found) => found.length > 0 && found.every(({ doneAt }) => doneAt !== null),
    );
    const found = await eventually(
      () => web.payments.findByOrder(day.later.orderReference),
      ([payment]) => payment?.status === 'succeeded',
    );
    expect(found).toMatchObject([{ serviceId: day.later.serviceId }]);
    await expect(web.payments.create(orderInput(day.later.orderReference))).rejects.toMatchObject({
      code: 'order_already_paid',
    });
    expect(
      await web.payments.refund(day.sold.id, {
        refundKey: 'back',
        amount: { value: '30.00', currency: 'RUB' },
      }),
    ).toMatchObject({ status: 'succeeded' });
    const { charges, refunds } = tell('read');
    expect({ charges, refunds }).toEqual({ charges: before.charges, refunds: before.refunds });
  });

  it('is a staging that leaves production alone, before a person says so and after', async () => {
    const day = await until(HOUR_MS / 2);
    const before = tell('before');
    const staging = await start({});
    bench.sandbox.setNotifyUrl(`${production.url}/webhooks/payments`);
    const sweeper = staging.app.get(Sweeper);
    for (const call of asked(staging, day)) await expect(call()).rejects.toMatchObject(unconfirmed);
    await sweeper.drain();
    expect(tell('not answered')).toEqual(before);
    await staging.app.get(PaymentsOperator).detachDatabase();
    // The buyer of what is missing pays, and the hold comes to its end: production sees to both.
    await paid(day.open);
    await bench.sandbox.clock.advance(147 * HOUR_MS);
    await eventually(
      async () => figures(),
      ({ refunds, cancels, runs }) =>
        refunds === before.refunds + 1 && cancels === before.cancels + 1 && runs === before.runs + 1,
    );
    await sweeper.drain();
    expect(tell('detached, beside production')).toEqual({
      ...before,
      charges: before.charges + 1,
      refunds: before.refunds + 1,
      cancels: before.cancels + 1,
      runs: before.runs + 1,
    });
    const own = await staging.payments.create(orderInput(day.later.orderReference));
    expect(own.serviceId).not.toBe(day.later.serviceId);
  });
});
