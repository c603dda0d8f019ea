import { PaymentsOperator } from '@holdfast/payments';
import { NestFactory } from '@nestjs/core';

import { openPostgres } from '../examples/shared/database/postgres.js';
import { plainLog } from '../examples/shared/plain-log.js';
import { AppModule } from './app.module.js';
import { loadEnvironment } from './config/environment.js';
import { serviceFromEnvironment } from './config/service-from-environment.js';

/** For commands: the shop as its environment describes it, with no web server and no sweeps, while the work runs. */
export async function withOperator<T>(work: (operator: PaymentsOperator) => Promise<T>): Promise<T> {
  const environment = loadEnvironment();
  if (!environment.usesService)
    throw new Error('PAYMENTS_SHOP_ID must be set: without it there is no service, and nothing to work on.');
  const postgres = await openPostgres();
  try {
    const options = serviceFromEnvironment(environment, postgres.url);
    const module = AppModule.register({ ...options, payments: { ...options.payments, sweeps: false } });
    const app = await NestFactory.createApplicationContext(module, {
      logger: plainLog(['error']),
      abortOnError: false,
    });
    try {
      return await work(app.get(PaymentsOperator, { strict: false }));
    } finally {
      await app.close();
    }
  } finally {
    await postgres.close();
  }
}
