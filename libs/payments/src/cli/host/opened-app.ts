import type { Abstract, DynamicModule, INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Database } from '../../database/database.js';
import { withoutMigrations } from '../../database/without-migrations.js';
import { PaymentsOperator } from '../../operator/payments-operator.service.js';
import { PaymentsBootstrap } from '../../payments.bootstrap.js';
import { CommandLog } from './command-log.js';
import { NoServer } from './no-server.js';

/** The application's root module: its class, or what its `register()` returns. */
export type RootModule = Type<unknown> | DynamicModule;

/**
 * The host's application, made and never started: its providers are there, and no hook of theirs has run. So nothing sweeps, listens
 * or is scheduled, no handler is registered, and no migration runs.
 */
export class OpenedApp {
  constructor(private readonly context: INestApplicationContext) {}

  /** @throws whatever keeps the application from being made: a wrong option, a database that is away */
  static async open(root: RootModule, warn: (line: string) => void): Promise<OpenedApp> {
    return withoutMigrations(
      async () =>
        new OpenedApp(
          await NestFactory.create(root, new NoServer(), {
            logger: new CommandLog(warn),
            abortOnError: false,
          }),
        ),
    );
  }

  get operator(): PaymentsOperator {
    return this.get(PaymentsOperator);
  }

  get<T>(token: Type<T> | Abstract<T> | symbol): T {
    return this.context.get<T>(token, { strict: false });
  }

  /**
   * As a start of the module, as far as that writes nothing.
   * @throws PaymentsConfigurationError
   */
  async look(): Promise<void> {
    await this.get(PaymentsBootstrap).look();
  }

  /**
   * Likewise, whosever shop's the tables are.
   * @throws PaymentsConfigurationError
   */
  async lookAtTables(): Promise<void> {
    await this.get(PaymentsBootstrap).lookAtTables();
  }

  async close(): Promise<void> {
    await this.get(Database).close();
  }
}
