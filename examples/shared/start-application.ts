import { protectWebhook, type PaymentsModuleOptions } from '@holdfast/payments';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';

import { explainListenError } from './config/port.js';
import { safeHeaders } from './web/safe-headers.js';

export interface RunningApplication {
  /** Without a trailing slash. */
  url: string;
  app: NestExpressApplication;
  /** Finishes the requests and payment work in progress, then closes the database connections. */
  close(): Promise<void>;
}

interface Listening {
  host: string;
  port: number;
  /** The proxies that the payments module trusts to name a sender may name any client. */
  payments: Pick<PaymentsModuleOptions, 'trustedProxies'>;
}

/** One process of an application that takes payments: its database is migrated, and it answers requests. */
export async function startApplication(
  module: DynamicModule,
  { host, port, payments: { trustedProxies = [] } }: Listening,
  urlOf: (app: NestExpressApplication) => string,
): Promise<RunningApplication> {
  const app = await NestFactory.create<NestExpressApplication>(module, {
    logger: ['error', 'warn'],
    abortOnError: false,
  });
  app.disable('x-powered-by');
  app.set('trust proxy', [...trustedProxies]);
  app.use(safeHeaders);
  try {
    protectWebhook(app);
    await app.listen(port, host);
  } catch (error) {
    await app.close();
    throw explainListenError(error, port, 'PORT');
  }
  return { url: urlOf(app), app, close: () => app.close() };
}
