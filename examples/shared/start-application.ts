import { protectWebhook, type PaymentsModuleOptions } from '@holdfast/payments';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';

import { explainListenError } from './config/port.js';
import { plainLog } from './plain-log.js';
import { Connections } from './web/connections.js';
import { safeHeaders } from './web/safe-headers.js';

export interface RunningApplication {
  /** Without a trailing slash. */
  url: string;
  app: NestExpressApplication;
  /**
   * Takes no more requests, finishes those in progress and the payment work, then closes the database connections. Connections
   * that are still in use after `callDeadlineMs` are cut off.
   */
  close(): Promise<void>;
}

/** What an answer takes besides. */
const ANSWER_MS = 2_000;

interface Listening {
  host: string;
  port: number;
  /** The proxies that the payments module trusts to name a sender may name any client. */
  payments: Pick<PaymentsModuleOptions, 'trustedProxies' | 'callDeadlineMs'>;
}

/** One process of an application that takes payments: its database is migrated, and it answers requests. */
export async function startApplication(
  module: DynamicModule,
  { host, port, payments: { trustedProxies = [], callDeadlineMs = 45_000 } }: Listening,
  urlOf: (app: NestExpressApplication) => string,
): Promise<RunningApplication> {
  const app = await NestFactory.create<NestExpressApplication>(module, {
    logger: plainLog(['error', 'warn']),
    abortOnError: false,
  });
  app.disable('x-powered-by');
  app.set('trust proxy', [...trustedProxies]);
  app.use(safeHeaders);
  const connections = new Connections(app.getHttpServer());
  try {
    protectWebhook(app);
    await app.listen(port, host);
  } catch (error) {
    await app.close();
    throw explainListenError(error, port, 'PORT');
  }
  const close = async (): Promise<void> => {
    // A call that a request waits for has ended by then, and its answer is written.
    await connections.end(callDeadlineMs + ANSWER_MS);
    await app.close();
  };
  return { url: urlOf(app), app, close };
}
