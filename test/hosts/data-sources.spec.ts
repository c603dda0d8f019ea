import {
  OnPaymentEvent,
  PaymentsModule,
  PaymentsService,
  paymentsEntities,
  paymentsMigrations,
  type HandlerContext,
  type PaymentEvent,
} from '@holdfast/payments';
import type { Sandbox } from '@holdfast/sandbox';
import { Injectable, type DynamicModule } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { TypeOrmModule } from '@nestjs/typeorm';

import { eventually } from '../support/eventually.js';
import { paymentsOptions, startHost, startTestSandbox, typeOrm } from './host.js';
import { openDatabase, openEmptyDatabase, type OpenDatabase } from './open-database.js';

@Injectable()
class Shipping {
  constructor(private readonly payments: PaymentsService) {}

  /** Reads on a connection of its own, while its transaction has another one. */
  @OnPaymentEvent('payment.waiting_for_capture', { id: 'shipping.ship' })
  async ship({ payment }: PaymentEvent, { manager }: HandlerContext): Promise<void> {
    const { orderReference } = await this.payments.get(payment.id);
    await manager.query('INSERT INTO shipped VALUES ($1)', [orderReference]);
  }
}

describe('a payment goes from its create to the handler and on to its capture', () => {
  let database: OpenDatabase;
  let empty: OpenDatabase;
  let sandbox: Sandbox;
  beforeAll(async () => {
    database = await openDatabase();
    empty = await openEmptyDatabase();
    await database.sql.query('CREATE TABLE shipped (reference text)');
    sandbox = await startTestSandbox();
  });
  afterAll(async () => {
    await sandbox.close();
    await empty.close();
    await database.close();
  });

  /** Starts the host, takes one payment through it, and returns the outcome. */
  async function outcome(reference: string, imports: DynamicModule[], sql = database.sql): Promise<object> {
    const host = await startHost({ imports: [ScheduleModule.forRoot(), ...imports], providers: [Shipping] });
    try {
      sandbox.setNotifyUrl(`${host.url}/webhooks/payments`);
      const { id, serviceId } = await host.payments.create({
        order: { reference },
        amount: { value: '10.00', currency: 'RUB' },
        capture: false,
        returnUrl: 'https://shop.example/return',
      });
      sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
      const shipped = () => sql.query('SELECT FROM shipped WHERE reference = $1', [reference]);
      await eventually(shipped, ({ rowCount }) => rowCount !== 0);
      const { status } = await host.payments.capture(id);
      const order = await host.payments.getOrder(reference);
      return { status, shipped: (await shipped()).rowCount, order: order?.state };
    } finally {
      await host.close();
    }
  }
  const success = { status: 'succeeded', shipped: 1, order: 'paid' };

  it('in the named data source, beside the default one', async () => {
    const billing = TypeOrmModule.forRoot({
      name: 'billing',
      type: 'postgres',
      url: database.url,
      autoLoadEntities: true,
    });
    const payments = PaymentsModule.forRoot({ dataSource: 'billing', ...paymentsOptions(sandbox) });
    expect(await outcome('by-name', [typeOrm(empty.url), billing, payments])).toEqual(success);
    const { rows } = await empty.sql.query(`SELECT FROM pg_tables WHERE starts_with(tablename, 'payments_')`);
    expect(rows).toEqual([]);
  });

  it('in the named data source with forRootAsync', async () => {
    const billing = TypeOrmModule.forRootAsync({
      name: 'billing',
      useFactory: () => ({ type: 'postgres', url: database.url, autoLoadEntities: true }),
    });
    const payments = PaymentsModule.forRootAsync({
      dataSource: 'billing',
      useFactory: () => paymentsOptions(sandbox),
    });
    expect(await outcome('by-name-async', [typeOrm(empty.url), billing, payments])).toEqual(success);
  });

  it('in a data source with a schema of its own, migrated at start', async () => {
    await empty.sql.query('CREATE SCHEMA billing; CREATE TABLE shipped (reference text)');
    const billing = TypeOrmModule.forRoot({
      type: 'postgres',
      url: empty.url,
      schema: 'billing',
      entities: paymentsEntities,
      migrations: paymentsMigrations,
      migrationsRun: true,
    });
    expect(
      await outcome('schema', [billing, PaymentsModule.forRoot(paymentsOptions(sandbox))], empty.sql),
    ).toEqual(success);
  });

  it("in the first schema of the connection's search path", async () => {
    await empty.sql.query('CREATE SCHEMA "Shop"; CREATE TABLE "Shop".shipped (reference text)');
    const searching = TypeOrmModule.forRoot({
      type: 'postgres',
      url: empty.url,
      extra: { options: '-c search_path="Shop"' },
      entities: paymentsEntities,
      migrations: paymentsMigrations,
      migrationsRun: true,
    });
    const payments = PaymentsModule.forRoot(paymentsOptions(sandbox));
    await empty.sql.query('SET search_path = "Shop"');
    expect(await outcome('search-path', [searching, payments], empty.sql)).toEqual(success);
  });

  it('with a pool of two connections, the least that runs handlers', async () => {
    const narrow = TypeOrmModule.forRoot({
      type: 'postgres',
      url: database.url,
      autoLoadEntities: true,
      poolSize: 2,
    });
    expect(
      await outcome('two-connections', [narrow, PaymentsModule.forRoot(paymentsOptions(sandbox))]),
    ).toEqual(success);
  });
});
