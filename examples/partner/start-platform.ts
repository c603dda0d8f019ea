import { protectWebhook } from '@holdfast/payments';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';

import { explainListenError } from '../../src/config/listen-error.js';
import type { PlatformOptions } from './config/platform-options.js';
import { PlatformModule } from './platform.module.js';

export interface RunningPlatform {
  /** Without a trailing slash. */
  url: string;
  app: NestExpressApplication;
  /** Finishes the requests and payment work under way, then closes the database connections. */
  close(): Promise<void>;
}

/** One process of the platform: its database is migrated, and it answers requests. */
export async function startPlatform(options: PlatformOptions): Promise<RunningPlatform> {
  const app = await NestFactory.create<NestExpressApplication>(PlatformModule.register(options), {
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
  return { url: options.publicUrl, app, close: () => app.close() };
}
