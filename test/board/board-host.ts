import { PaymentsBoardModule, type BoardOptions } from '@holdfast/board';
import {
  PaymentsModule,
  PaymentsOperator,
  type Payment,
  type PaymentsModuleOptions,
  type ReceiptInput,
} from '@holdfast/payments';
import type { Sandbox, SandboxOptions } from '@holdfast/sandbox';
import { Injectable, UnauthorizedException, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import {
  paymentsOptions,
  startHost,
  startTestSandbox,
  typeOrm,
  type Host,
  type HostSettings,
} from '../hosts/host.js';
import { openDatabase, type OpenDatabase } from '../hosts/open-database.js';
import { eventually } from '../support/eventually.js';
import { PickyHandlers } from '../support/picky-handlers.js';

interface StaffRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** Who is who says a header, as a gateway sets it. */
@Injectable()
export class StaffGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<StaffRequest>();
    if (headers['x-staff'] === undefined) throw new UnauthorizedException('Sign in first.');
    return true;
  }
}

export const boardOptions: BoardOptions = {
  path: 'admin/payments',
  guard: StaffGuard,
  actor: ({ headers }: StaffRequest) => headers['x-staff'] ?? '',
  actions: ({ headers }: StaffRequest) => (headers['x-staff'] === 'reader' ? 'read' : 'all'),
  links: { order: (reference) => `https://shop.example/orders/${reference}` },
  timeZone: 'Europe/Moscow',
};

export interface BoardHost {
  readonly host: Host;
  readonly sandbox: Sandbox;
  readonly database: OpenDatabase;
  readonly operator: PaymentsOperator;
  readonly handlers: PickyHandlers;
  /** A page, as anna unless somebody else looks. */
  get(path: string, staff?: string | null): Promise<Response>;
  /** A form, as a browser sends it. */
  post(
    path: string,
    fields?: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>;
  paid(
    reference: string,
    input?: { capture?: false; value?: string; receipt?: ReceiptInput },
  ): Promise<Payment>;
  close(): Promise<void>;
}

type PaymentsSettings = Partial<PaymentsModuleOptions>;

export async function startBoardHost(
  http: () => AbstractHttpAdapter,
  options: Partial<BoardOptions> = {},
  settings: Pick<HostSettings, 'configure'> & {
    readonly base?: string;
    readonly payments?: PaymentsSettings | ((sandbox: Sandbox) => Promise<PaymentsSettings>);
    readonly sandbox?: Partial<SandboxOptions>;
  } = {},
): Promise<BoardHost> {
  const { configure, base = 'admin/payments', payments = {} } = settings;
  const sandbox = await startTestSandbox(settings.sandbox);
  const database = await openDatabase();
  const handlers = new PickyHandlers();
  const host = await startHost({
    http,
    ...(configure && { configure }),
    imports: [
      typeOrm(database.url),
      ScheduleModule.forRoot(),
      PaymentsModule.forRoot({
        isGlobal: true,
        ...paymentsOptions(sandbox),
        handlerAttempts: 1,
        ...(typeof payments === 'function' ? await payments(sandbox) : payments),
      }),
      PaymentsBoardModule.forRoot({ ...boardOptions, ...options }),
    ],
    providers: [{ provide: PickyHandlers, useValue: handlers }],
  });
  sandbox.setNotifyUrl(`${host.url}/webhooks/payments`);
  const address = (path: string) => `${host.url}/${base}/${path}`;
  return {
    host,
    sandbox,
    database,
    handlers,
    operator: host.app.get(PaymentsOperator, { strict: false }),
    get: (path, staff = 'anna') =>
      fetch(address(path), { redirect: 'manual', headers: staff === null ? {} : { 'x-staff': staff } }),
    post: (path, fields = {}, headers = {}) =>
      fetch(address(path), {
        method: 'POST',
        redirect: 'manual',
        headers: { 'x-staff': 'anna', 'sec-fetch-site': 'same-origin', ...headers },
        body: new URLSearchParams(fields),
      }),
    async paid(reference, { capture, value = '1234.50', receipt } = {}) {
      const { id, serviceId } = await host.payments.create({
        order: { reference },
        amount: { value, currency: 'RUB' },
        returnUrl: 'https://shop.example/return',
        ...(capture === false && { capture }),
        ...(receipt && { receipt }),
      });
      sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
      const wanted = capture === false ? 'waiting_for_capture' : 'succeeded';
      return eventually(
        () => host.payments.get(id),
        ({ status }) => status === wanted,
      );
    },
    async close() {
      await host.close();
      await sandbox.close();
      await database.close();
    },
  };
}
