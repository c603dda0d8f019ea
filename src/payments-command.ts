/** `npm run payments -- <command>`: the commands of the payments module, on the shop as its environment describes it. */
import { runPaymentsCommand, type RootModule } from '@holdfast/payments/cli';
import { openPostgres, type RunningPostgres } from '../examples/shared/database/postgres.js';
import { AppModule } from './app.module.js';
import { loadEnvironment } from './config/environment.js';
import { serviceFromEnvironment } from './config/service-from-environment.js';

const opened: RunningPostgres[] = [];

async function shop(): Promise<RootModule> {
  const environment = loadEnvironment();
  if (!environment.usesService)
    throw new Error('PAYMENTS_SHOP_ID must be set: without it there is no service, and nothing to work on.');
  const postgres = await openPostgres();
  opened.push(postgres);
  return AppModule.register(serviceFromEnvironment(environment, postgres.url));
}

try {
  process.exitCode = await runPaymentsCommand({ app: shop, name: 'npm run payments --' });
} finally {
  for (const postgres of opened) await postgres.close();
}
