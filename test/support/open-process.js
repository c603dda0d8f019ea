/** The module in a process of its own, which a test starts and kills; compiled, since nothing compiles there. */
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { once } from 'node:events';
import { PaymentsModule } from '../../dist/libs/payments/src/index.js';

/** What a decorator does where there is a compiler for it. */
export const mark = (decorate, { prototype }, name) =>
  decorate(prototype, name, Object.getOwnPropertyDescriptor(prototype, name));

/** An application with this provider and without sweeps. */
export function openProcess(provider) {
  const { DATABASE_URL, PAYMENTS } = process.env;
  const payments = PaymentsModule.forRoot({ ...JSON.parse(PAYMENTS), sweeps: false });
  const database = TypeOrmModule.forRoot({ type: 'postgres', url: DATABASE_URL, autoLoadEntities: true });
  return NestFactory.createApplicationContext(
    {
      ...payments,
      imports: [database, ...(payments.imports ?? [])],
      providers: [...(payments.providers ?? []), provider],
    },
    { logger: false },
  );
}

/** Until its test says so. */
export async function untilTold() {
  const told = once(process, 'message');
  process.send('ready');
  await told;
}
