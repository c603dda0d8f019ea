import { PaymentsModule } from '@holdfast/payments';
import { ScheduleModule } from '@nestjs/schedule';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSourceOptions } from 'typeorm';

import { startHost, typeOrm } from './host.js';
import { openDatabase, type OpenDatabase } from './open-database.js';
import { refusal } from './refusal.js';
import { canaries } from '../support/canaries.js';

const options = { serviceUrl: 'https://pay.example', shopId: 'test_shop', secretKey: canaries.secretKey };

type Replication = Extract<DataSourceOptions, { type: 'postgres' }>['replication'];

describe('a host', () => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.close());

  const replicated = (mode: 'master' | 'slave') => {
    const { url } = database;
    const replication: Replication = { master: { url }, slaves: [{ url }], defaultMode: mode };
    const dataSource = TypeOrmModule.forRoot({ type: 'postgres', autoLoadEntities: true, replication });
    return { imports: [ScheduleModule.forRoot(), dataSource, PaymentsModule.forRoot(options)] };
  };

  it('whose data source answers every read from a cache is told to turn that off', async () => {
    const cached = TypeOrmModule.forRoot({
      type: 'postgres',
      url: database.url,
      autoLoadEntities: true,
      cache: { alwaysEnabled: true },
    });
    const { faults } = await refusal({
      imports: [ScheduleModule.forRoot(), cached, PaymentsModule.forRoot(options)],
    });
    expect(faults).toEqual([expect.stringMatching(/cache\.alwaysEnabled to false/)]);
  });

  it('whose data source renames tables is told to give the module one of its own', async () => {
    const prefixed = TypeOrmModule.forRoot({
      type: 'postgres',
      url: database.url,
      autoLoadEntities: true,
      entityPrefix: 'app_',
    });
    const { faults } = await refusal({
      imports: [ScheduleModule.forRoot(), prefixed, PaymentsModule.forRoot(options)],
    });
    expect(faults).toEqual([expect.stringMatching(/sets entityPrefix.*a data source of its own/)]);
  });

  it('whose data source reads from replicas is told to read from the master', async () => {
    const { faults } = await refusal(replicated('slave'));
    expect(faults).toEqual([expect.stringMatching(/replication\.defaultMode to 'master'/)]);
  });

  it('whose data source has replicas and reads from the master starts', async () => {
    const host = await startHost(replicated('master'));
    expect(await host.payments.getOrder('none')).toBeNull();
    await host.close();
  });

  it('that registers the module twice is told to import it once', async () => {
    const { faults } = await refusal({
      imports: [
        ScheduleModule.forRoot(),
        typeOrm(database.url),
        PaymentsModule.forRoot(options),
        PaymentsModule.forRoot({ ...options, webhookPath: 'other' }),
      ],
    });
    expect(faults).toEqual([expect.stringMatching(/registered twice.*import it once.*isGlobal: true/)]);
  });
});
