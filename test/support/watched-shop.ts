import { PaymentsBoardModule } from '@holdfast/board';
import {
  PaymentsModule,
  PaymentsOperator,
  protectWebhook,
  type Payment,
  type PaymentsModuleOptions,
} from '@holdfast/payments';
import { PaymentsHealthIndicator } from '@holdfast/payments/health';
import { PaymentsTelemetry } from '@holdfast/payments/telemetry';
import { startSandbox, type Sandbox, type SandboxOptions } from '@holdfast/sandbox';
import { Controller, Get, Logger, Module, type LoggerService, type Provider } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { HealthCheck, HealthCheckService, TerminusModule } from '@nestjs/terminus';
import { boardOptions } from '../board/board-host.js';
import { paymentsOptions, startHost, typeOrm, type Host } from '../hosts/host.js';
import { openDatabase } from '../hosts/open-database.js';
import { startMonitor } from '../telemetry/monitor.js';
import { testAccount } from './account.js';
import { command } from './command-line.js';
import { startDatabaseProxy, type DatabaseProxy } from './database-proxy.js';

@Controller('health')
class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly payments: PaymentsHealthIndicator,
  ) {}

  @Get()
  @HealthCheck()
  check(): Promise<unknown> {
    return this.health.check([
      () => this.payments.database(),
      () => this.payments.sweep(),
      () => this.payments.backlog(),
    ]);
  }
}

/** What a shop is set up with. */
export interface Setting {
  readonly sandbox?: Partial<SandboxOptions>;
  readonly payments?: (
    sandbox: Sandbox,
  ) => Partial<PaymentsModuleOptions> | Promise<Partial<PaymentsModuleOptions>>;
  readonly providers?: readonly Provider[];
}

/** By the name of each indicator: its status, and what is wrong. */
type HealthAnswer = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** What a check of the doctor has found. */
interface Checked {
  readonly name: string;
  readonly state: string;
  readonly found: string;
}

/** A shop with all that a person at night may look at: its log, health answer, board, metrics and commands. One at a time. */
export interface WatchedShop {
  readonly host: Host;
  readonly sandbox: Sandbox;
  readonly proxy: DatabaseProxy;
  readonly operator: PaymentsOperator;
  /** What the shop has logged so far, as warnings and errors. */
  readonly log: readonly string[];
  /** The errors among them. */
  readonly errors: readonly string[];
  create(reference: string, input?: object): Promise<Payment>;
  /** A page of the board, as text. */
  board(path: string): Promise<string>;
  health(): Promise<HealthAnswer>;
  /** The metrics, as Prometheus reads them. */
  scrape(): Promise<string>;
  /** What a command prints on the same database, as JSON. */
  command(...args: readonly string[]): Promise<unknown>;
  /** What the command `doctor` finds there; `webhookUrl`: the notification URL, as the Merchant Profile has it. */
  doctor(webhookUrl: string): Promise<readonly Checked[]>;
  close(): Promise<void>;
}

@Module({})
class CommandModule {}

const quiet = (): void => undefined;

export async function openWatchedShop({
  sandbox: settings,
  payments,
  providers = [],
}: Setting): Promise<WatchedShop> {
  const sandbox = await startSandbox({ ...testAccount, ...settings });
  const database = await openDatabase();
  const proxy = await startDatabaseProxy(database.url);
  const log: string[] = [];
  const errors: string[] = [];
  const keep = (line: unknown): void => {
    // The handlers of other tests are in this program, and no providers of this shop.
    if (!String(line).startsWith('Marked with @')) log.push(String(line));
  };
  const logger: LoggerService = {
    log: quiet,
    debug: quiet,
    verbose: quiet,
    warn: keep,
    error(line) {
      keep(line);
      errors.push(String(line));
    },
    fatal: keep,
  };
  const options: PaymentsModuleOptions = {
    ...paymentsOptions(sandbox),
    ...testAccount,
    handlerAttempts: 1,
    ...(await payments?.(sandbox)),
  };
  const monitor = startMonitor();
  const host = await startHost({
    nest: { logger },
    configure: protectWebhook,
    imports: [
      typeOrm(proxy.url),
      ScheduleModule.forRoot(),
      PaymentsModule.forRoot({ isGlobal: true, ...options }),
      PaymentsBoardModule.forRoot(boardOptions),
      TerminusModule.forRoot({ logger: false }),
    ],
    controllers: [HealthController],
    providers: [PaymentsHealthIndicator, PaymentsTelemetry, ...providers],
  });
  sandbox.setNotifyUrl(`${host.url}/webhooks/payments`);
  const printed = async (...args: readonly string[]): Promise<string> => {
    const imports = [typeOrm(proxy.url), ScheduleModule.forRoot(), PaymentsModule.forRoot(options)];
    const { out } = await command({ module: CommandModule, imports, providers: [...providers] }, [
      ...args,
      '--json',
    ]);
    // A command logs for itself, and is a process of its own elsewhere.
    Logger.overrideLogger(logger);
    return out;
  };
  return {
    host,
    sandbox,
    proxy,
    log,
    errors,
    operator: host.app.get(PaymentsOperator, { strict: false }),
    create: (reference, input = {}) =>
      host.payments.create({
        order: { reference },
        amount: { value: '1234.50', currency: 'RUB' },
        returnUrl: 'https://shop.example/return',
        ...input,
      }),
    async board(path) {
      const answer = await fetch(`${host.url}/admin/payments/${path}`, { headers: { 'x-staff': 'anna' } });
      return textOf(await answer.text());
    },
    async health() {
      const answer = await fetch(`${host.url}/health`);
      const { details }: { readonly details: HealthAnswer } = JSON.parse(await answer.text());
      return details;
    },
    scrape: () => monitor.scrape(),
    command: async (...args) => JSON.parse(await printed(...args)),
    async doctor(webhookUrl) {
      const answer: { readonly checks: readonly Checked[] } = JSON.parse(
        await printed('doctor', '--webhook-url', webhookUrl),
      );
      return answer.checks;
    },
    async close() {
      await monitor.close();
      await host.close();
      await proxy.close();
      await sandbox.close();
      await database.close();
    },
  };
}

/** What is read on a page, its parts divided by line ends. */
function textOf(html: string): string {
  return html
    .replaceAll(/<(style|script)[^]*?<\/\1>/g, '')
    .replaceAll(/<[^>]*>/g, '\n')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s*\n\s*/g, '\n')
    .trim();
}
