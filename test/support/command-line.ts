import { PaymentsModule, type PaymentsModuleOptions } from '@holdfast/payments';
import { Module, type Provider } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { TypeOrmModule } from '@nestjs/typeorm';
// What only the package's own bin calls is not public.
import { OpenedApp, type RootModule } from '../../libs/payments/src/cli/host/opened-app.js';
import { rootModuleOf, type AppSource } from '../../libs/payments/src/cli/host/root-module.js';
import { runProgram } from '../../libs/payments/src/cli/program.js';
import { testAccount } from './account.js';
import { loopbackProxies } from './listen.js';
import type { Bench } from './payments-host.js';

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** Runs a command on an application; `width`: characters in a line of the screen. */
export async function command(
  app: AppSource,
  args: readonly string[],
  { width = null }: { width?: number | null } = {},
): Promise<Ended> {
  let out = '';
  let error = '';
  const code = await runProgram(args, {
    terminal: {
      write: (text) => (out += text),
      warn: (text) => (error += text),
      width,
      paint: (_tone, text) => text,
    },
    name: 'payments',
    takesApp: false,
    open: async (_named, warn) => OpenedApp.open(await rootModuleOf(app), warn),
  });
  return { code, out, error };
}

/** What is different from an application that takes payments beside the bench. */
export interface Difference {
  readonly payments?: Partial<PaymentsModuleOptions>;
  readonly database?: {
    readonly url?: string;
    readonly autoLoadEntities?: boolean;
    readonly migrations?: Function[];
    readonly migrationsRun?: boolean;
    readonly synchronize?: boolean;
    readonly entityPrefix?: string;
  };
  readonly providers?: Provider[];
  readonly withoutSchedule?: boolean;
}

/** An application on the bench's database and sandbox, as a command would find it in the host's files. */
export function appBeside(
  { database, sandbox }: Pick<Bench, 'database' | 'sandbox'>,
  { payments = {}, database: connection = {}, providers = [], withoutSchedule = false }: Difference = {},
): RootModule {
  @Module({
    imports: [
      ...(withoutSchedule ? [] : [ScheduleModule.forRoot()]),
      TypeOrmModule.forRoot({
        type: 'postgres',
        url: database.moduleUrl,
        autoLoadEntities: true,
        retryAttempts: 1,
        ...connection,
      }),
      PaymentsModule.forRoot({
        ...testAccount,
        serviceUrl: sandbox.url,
        trustedProxies: loopbackProxies,
        retentionMs: false,
        clock: sandbox.clock,
        ...payments,
      }),
    ],
    providers,
  })
  class HostModule {}
  return HostModule;
}
