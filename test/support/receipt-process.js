/** A process that sends one receipt by itself, or settles a prepayment; its test kills it on the way. Configured by its environment. */
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PaymentsModule, PaymentsService, yookassaProfile } from '../../dist/libs/payments/src/index.js';

const { DATABASE_URL, PAYMENTS, RECEIPT, PAYMENT_ID } = process.env;

const payments = PaymentsModule.forRoot({
  ...JSON.parse(PAYMENTS),
  profile: yookassaProfile,
  sweeps: false,
});
const database = TypeOrmModule.forRoot({ type: 'postgres', url: DATABASE_URL, autoLoadEntities: true });
const app = await NestFactory.createApplicationContext(
  { ...payments, imports: [database, ...(payments.imports ?? [])] },
  { logger: false },
);
const service = app.get(PaymentsService);
await (RECEIPT
  ? service.receipts.create(PAYMENT_ID, JSON.parse(RECEIPT))
  : service.settlePrepayment(PAYMENT_ID));
await app.close();
