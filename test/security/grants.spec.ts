import { paymentsEntities, paymentsGrants, paymentsMigrations, PaymentsModule } from '@holdfast/payments';
import type { Sandbox } from '@holdfast/sandbox';
import { ScheduleModule } from '@nestjs/schedule';
import { TypeOrmModule } from '@nestjs/typeorm';
import { readFile } from 'node:fs/promises';
import { DataSource } from 'typeorm';
import { systemClock } from '../../libs/payments/src/common/clock.js';
import { Database, TERMS } from '../../libs/payments/src/database/database.js';
import { paymentsOptions, startHost, startTestSandbox } from '../hosts/host.js';
import { openDatabase, openEmptyDatabase, type OpenDatabase } from '../hosts/open-database.js';
import { refusal } from '../hosts/refusal.js';

describe('the grants', () => {
  let sandbox: Sandbox;
  let database: OpenDatabase;
  beforeAll(async () => {
    sandbox = await startTestSandbox();
  });
  afterAll(() => sandbox.close());
  afterEach(() => database.close());

  it('in the docs are those that paymentsGrants returns', async () => {
    database = await openDatabase();
    const page = await readFile(new URL('../../docs/database-role.md', import.meta.url), 'utf8');
    const documented = /## The grants[\s\S]+?```sql\n([\s\S]+?)\n```/.exec(page)?.[1];
    expect(documented).toBe(paymentsGrants({ role: 'shop', retentionRole: 'shop_retention' }));
  });

  it('revoke other rights of the role, may be run again, and leave it what the module needs', async () => {
    database = await openDatabase();
    const role = database.sql.escapeIdentifier(new URL(database.moduleUrl).username);
    const rights = async () =>
      (
        await database.sql.query<{ right: string }>(
          `SELECT concat_ws(' ', relname, relacl::text, attname, attacl::text) AS right
           FROM pg_class LEFT JOIN pg_attribute ON attrelid = pg_class.oid AND attacl IS NOT NULL
           WHERE starts_with(relname, 'payments_') AND relkind = 'r' ORDER BY 1`,
        )
      ).rows;
    const before = await rights();
    await database.sql.query(`GRANT ALL ON payments_events, payments_operations TO ${role}`);
    await database.sql.query(`GRANT UPDATE (name) ON payments_events TO ${role}`);
    expect(await rights()).not.toEqual(before);
    const names = {
      role: new URL(database.moduleUrl).username,
      retentionRole: new URL(database.retentionUrl).username,
    };
    for (let run = 0; run < 2; run += 1) {
      await database.sql.query(paymentsGrants(names));
      expect(await rights()).toEqual(before);
    }
  });

  it('that a statement lacks are named with their columns, as nobody else would', async () => {
    database = await openDatabase();
    const dataSource = new DataSource({ type: 'postgres', url: database.moduleUrl });
    await dataSource.initialize();
    const ours = new Database(dataSource, { clock: systemClock });
    const change = `WITH ${TERMS} UPDATE "payments_payments" SET status = 'succeeded', currency = 'EUR' FROM terms`;
    await expect(ours.statement(change, [])).rejects.toThrow(
      'permission denied for table payments_payments: schema/rights.ts does not list UPDATE (currency)',
    );
    await dataSource.destroy();
  });

  it('are for the schema they name, quotes included', async () => {
    database = await openEmptyDatabase();
    const schema = 'My Billing';
    await database.sql.query(`CREATE SCHEMA ${database.sql.escapeIdentifier(schema)}`);
    const owner = new DataSource({
      type: 'postgres',
      url: database.url,
      schema,
      entities: paymentsEntities,
      migrations: paymentsMigrations,
    });
    await owner.initialize();
    await owner.runMigrations();
    const host = () => ({
      imports: [
        ScheduleModule.forRoot(),
        TypeOrmModule.forRoot({ type: 'postgres', url: database.moduleUrl, schema, autoLoadEntities: true }),
        PaymentsModule.forRoot({ ...paymentsOptions(sandbox), retentionMs: false }),
      ],
    });
    const { message } = await refusal(host());
    expect(message).toContain(
      `GRANT SELECT, INSERT ON "My Billing"."payments_events" TO "${new URL(database.moduleUrl).username}";`,
    );
    await owner.query(paymentsGrants({ role: new URL(database.moduleUrl).username, schema }));
    await owner.destroy();

    const shop = await startHost(host());
    try {
      const { id, serviceId } = await shop.payments.create({
        order: { reference: 'order-1' },
        amount: { value: '10.00', currency: 'RUB' },
        returnUrl: 'https://shop.example/return',
      });
      sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
      expect(await shop.payments.refresh(id)).toMatchObject({ status: 'succeeded' });
    } finally {
      await shop.close();
    }
  });
});
