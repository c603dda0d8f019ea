/** A process that asks for one refund; its test kills it on the way. Configured by its environment. */
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PaymentsModule, PaymentsService } from '../../dist/libs/payments/src/index.js';

const { DATABASE_URL, PAYMENTS, REFUND, PAYMENT_ID } = process.env;

const payments = PaymentsModule.forRoot({ ...JSON.parse(PAYMENTS), sweeps: false });
const database = TypeOrmModule.forRoot({ type: 'postgres', url: DATABASE_URL, autoLoadEntities: true });
const app = await NestFactory.createApplicationContext(
  { ...payments, imports: [database, ...(payments.imports ?? [])] },
  { logger: false },
);
await app.get(PaymentsService).refund(PAYMENT_ID, JSON.parse(REFUND));
await app.close();
