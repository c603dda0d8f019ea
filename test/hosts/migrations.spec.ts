import { PaymentsModule, paymentsEntities, paymentsMigrations } from '@holdfast/payments';
import type { Sandbox } from '@holdfast/sandbox';
import { ScheduleModule } from '@nestjs/schedule';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource, type DataSourceOptions } from 'typeorm';

import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { paymentsOptions, startHost, startTestSandbox } from './host.js';
import { openEmptyDatabase, type OpenDatabase } from './open-database.js';
import { describeSchema } from './schema.js';

const own = (url: string) =>
  ({
    type: 'postgres',
    url,
    entities: paymentsEntities,
    migrations: paymentsMigrations,
  }) satisfies DataSourceOptions;

const kinds: [name: string, schema: string, options: (url: string) => DataSourceOptions][] = [
  ['only the module', 'public', own],
  ['the whole shop', 'public', dataSourceOptions],
  ['a schema of its own', 'billing', (url) => ({ ...own(url), schema: 'billing' })],
  ['a schema that needs quotes', 'My Billing', (url) => ({ ...own(url), schema: 'My Billing' })],
];

async function withDataSource<T>(
  options: DataSourceOptions,
  use: (dataSource: DataSource) => Promise<T>,
): Promise<T> {
  const dataSource = await new DataSource(options).initialize();
  try {
    return await use(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

describe('the migrations', () => {
  let database: OpenDatabase;
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startTestSandbox();
  });
  afterAll(() => sandbox.close());
  beforeEach(async () => {
    database = await openEmptyDatabase();
  });
  afterEach(() => database.close());

  it.each(kinds)(
    'of %s leave nothing for migration:generate to find, and nothing behind after they are reverted',
    async (_name, schema, options) => {
      await database.sql.query(`CREATE SCHEMA IF NOT EXISTS ${database.sql.escapeIdentifier(schema)}`);
      await withDataSource(options(database.url), async (dataSource) => {
        const done = await dataSource.runMigrations();
        expect((await dataSource.driver.createSchemaBuilder().log()).upQueries).toEqual([]);
        expect(await describeSchema(database.sql, schema)).toContainEqual(
          expect.stringContaining('payments_payments_one_open_key'),
        );
        for (let undone = 0; undone < done.length; undone += 1) await dataSource.undoLastMigration();
        expect(await describeSchema(database.sql, schema)).toEqual([]);
        expect(await dataSource.runMigrations()).toHaveLength(done.length);
      });
    },
  );

  /** Starts a host that lets TypeORM synchronize; this also runs the module's own check. */
  async function startSynchronizing(): Promise<void> {
    const host = await startHost({
      imports: [
        ScheduleModule.forRoot(),
        TypeOrmModule.forRoot({
          type: 'postgres',
          url: database.url,
          autoLoadEntities: true,
          synchronize: true,
        }),
        PaymentsModule.forRoot(paymentsOptions(sandbox)),
      ],
    });
    await host.close();
  }

  it('make what synchronize would: a host that synchronizes changes nothing in a migrated database', async () => {
    await withDataSource(own(database.url), (dataSource) => dataSource.runMigrations());
    const migrated = await describeSchema(database.sql);
    await startSynchronizing();
    expect(await describeSchema(database.sql)).toEqual(migrated);

    await database.sql.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    await startSynchronizing();
    expect(await describeSchema(database.sql)).toEqual(migrated);
  });
});
