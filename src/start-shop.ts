import { protectWebhook } from '@holdfast/payments';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';

import { AppModule } from './app.module.js';
import { explainListenError } from './config/listen-error.js';
import { ShopAddress } from './config/shop-address.js';
import type { ShopOptions } from './config/shop-options.js';

export interface RunningShop {
  /** Without a trailing slash. */
  url: string;
  app: NestExpressApplication;
  /** Finishes the requests and payment work under way, then closes the database connections. */
  close(): Promise<void>;
}

/** One shop process: its database is migrated, and it answers requests. */
export async function startShop(options: ShopOptions): Promise<RunningShop> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.register(options), {
    logger: ['error', 'warn'],
    abortOnError: false,
  });
  app.disable('x-powered-by');
  try {
    protectWebhook(app);
    await app.listen(options.port, options.host);
  } catch (error) {
    await app.close();
    throw explainListenError(error, options.port, 'PORT');
  }
  return { url: app.get(ShopAddress, { strict: false }).url, app, close: () => app.close() };
}
