import { protectWebhook } from '@holdfast/payments';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';

import { explainListenError } from './config/listen-error.js';

export interface RunningApplication {
  /** Without a trailing slash. */
  url: string;
  app: NestExpressApplication;
  /** Finishes the requests and payment work under way, then closes the database connections. */
  close(): Promise<void>;
}

/** One process of an application that takes payments: its database is migrated, and it answers requests. */
export async function startApplication(
  module: DynamicModule,
  { host, port }: { host: string; port: number },
  urlOf: (app: NestExpressApplication) => string,
): Promise<RunningApplication> {
  const app = await NestFactory.create<NestExpressApplication>(module, {
    logger: ['error', 'warn'],
    abortOnError: false,
  });
  app.disable('x-powered-by');
  try {
    protectWebhook(app);
    await app.listen(port, host);
  } catch (error) {
    await app.close();
    throw explainListenError(error, port, 'PORT');
  }
  return { url: urlOf(app), app, close: () => app.close() };
}
