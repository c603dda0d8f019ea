/**
 * An application that cannot be made by its root module alone: it needs a variable, and a call that its main file makes before. Compiled,
 * since nothing compiles where a command loads it.
 */
import 'reflect-metadata';
import { ScheduleModule } from '@nestjs/schedule';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { addTransactionalDataSource } from 'typeorm-transactional';
import { PaymentsModule } from '../../../dist/libs/payments/src/index.js';

const { NEEDY_DATABASE_URL: url, NEEDY_SERVICE_URL: serviceUrl, NEEDY_SECRET_KEY: secretKey } = process.env;
if (!url) throw new Error('NEEDY_DATABASE_URL must be set');

const payments = PaymentsModule.forRoot({ serviceUrl, shopId: 'test_shop', secretKey, retentionMs: false });
const database = TypeOrmModule.forRootAsync({
  useFactory: () => ({ type: 'postgres', url, autoLoadEntities: true, retryAttempts: 1 }),
  dataSourceFactory: async (options) => addTransactionalDataSource(new DataSource(options)),
});

export default { ...payments, imports: [ScheduleModule.forRoot(), database, ...(payments.imports ?? [])] };
