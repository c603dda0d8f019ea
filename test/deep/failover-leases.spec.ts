import {
  formatAmount,
  PaymentsModule,
  PaymentsOperator,
  PaymentsService,
  paymentsMigrations,
} from '@holdfast/payments';
import type { Sandbox } from '@holdfast/sandbox';
import { Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Claims } from '../../libs/payments/src/reconcile/claims.js';
import { paymentsOptions, startTestSandbox } from '../hosts/host.js';
import { query } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { orderInput } from '../support/payments-host.js';
import { startReplicatedDatabase, type TestReplicatedDatabase } from '../support/replicated-database.js';

const BAR_MS = 15_000;
const TIMELINE = 'SELECT left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) AS timeline';

describe('after a failover that lost seconds', () => {
  let database: TestReplicatedDatabase;
  let sandbox: Sandbox;
  let app: INestApplicationContext;

  beforeAll(async () => {
    database = await startReplicatedDatabase();
    sandbox = await startTestSandbox();
    const dataSource = new DataSource({
      type: 'postgres',
      url: database.url,
      migrations: paymentsMigrations,
    });
    await dataSource.initialize();
    await dataSource.runMigrations();
    await dataSource.destroy();
    @Module({
      imports: [
        ScheduleModule.forRoot(),
        TypeOrmModule.forRoot({ type: 'postgres', url: database.url, autoLoadEntities: true }),
        PaymentsModule.forRoot(paymentsOptions(sandbox)),
      ],
    })
    class HostModule {}
    app = await NestFactory.createApplicationContext(HostModule, { logger: false, abortOnError: false });
  });
  afterAll(async () => {
    await app.close();
    await sandbox.close();
    await database.close();
  });

  const isPromoted = async () =>
    (await query<{ timeline: string }>(database.url, TIMELINE).catch(() => []))[0]?.timeline === '00000002';

  it('payments are taken again within 15 s of the promotion, though one was being re-read at the cut', async () => {
    const payments = app.get(PaymentsService);
    // Nothing but a list says what was lost.
    sandbox.faults.order({ on: 'notification', fault: 'drop', times: 1_000 });
    const { id, serviceId } = await payments.create(orderInput());
    sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    await payments.refresh(id);
    // Its worker dies with the primary, and the standby has the lease.
    expect(
      await eventually(
        () => app.get(Claims).one(id),
        (claim) => claim !== null,
      ),
    ).not.toBeNull();
    await database.cutReplication();
    const { id: refundId } = await payments.refund(id, { refundKey: 'lost', amount: formatAmount(30_00) });

    const over = database.failOver(TIMELINE);
    await eventually(isPromoted, (promoted) => promoted);
    const promotedAt = performance.now();
    await eventually(
      () => payments.create(orderInput()).catch(() => null),
      (payment) => payment !== null,
    );
    const tookMs = performance.now() - promotedAt;
    await over;
    expect(await app.get(PaymentsOperator).recoveries()).toContainEqual(
      expect.objectContaining({
        doneAt: expect.any(Date),
        paymentsWithRefunds: 1,
      }),
    );
    expect(await payments.refunds(id)).toMatchObject([{ id: refundId, status: 'succeeded' }]);
    expect(tookMs).toBeLessThan(BAR_MS);
  });
});
