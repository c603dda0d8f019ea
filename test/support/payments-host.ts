import {
  OnPaymentEvent,
  PaymentsModule,
  PaymentsOperator,
  PaymentsService,
  type CreatePaymentInput,
  type HandlerContext,
  type Payment,
  type OrderEvent,
  type PaymentEvent,
  type PaymentStatus,
  type PaymentsModuleExtras,
  type PaymentsModuleOptions,
} from '@holdfast/payments';
import { startSandbox, type Sandbox, type SandboxOptions } from '@holdfast/sandbox';
import { Injectable, Module, type INestApplication, type Provider } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import type { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { testAccount } from './account.js';
import { watchedHooks } from './canary-watch.js';
import { createTestDatabase, type TestDatabase } from './database.js';
import { eventually } from './eventually.js';
import { loopbackProxies } from './listen.js';
import { startServiceProxy, type ServiceProxy } from './service-proxy.js';
import { closing } from './still-running.js';

/** A handler that leaves one row per run it commits: a doubled effect is a second row. */
@Injectable()
export class EffectHandlers {
  @OnPaymentEvent('payment.succeeded', { id: 'test.succeeded' })
  succeeded(event: PaymentEvent, context: HandlerContext): Promise<void> {
    return record(event, context);
  }

  @OnPaymentEvent('payment.waiting_for_capture', { id: 'test.held' })
  held(event: PaymentEvent, context: HandlerContext): Promise<void> {
    return record(event, context);
  }

  @OnPaymentEvent('payment.canceled', { id: 'test.canceled' })
  canceled(event: PaymentEvent, context: HandlerContext): Promise<void> {
    return record(event, context);
  }

  @OnPaymentEvent('order.overpaid', { id: 'test.overpaid' })
  overpaid(event: OrderEvent, context: HandlerContext): Promise<void> {
    return record(event, context);
  }

  @OnPaymentEvent('payment.anomaly', { id: 'test.anomaly' })
  anomaly(event: PaymentEvent, context: HandlerContext): Promise<void> {
    return record(event, context);
  }
}

async function record(event: PaymentEvent | OrderEvent, { manager }: HandlerContext): Promise<void> {
  await manager.query('INSERT INTO effects (event, payment_id) VALUES ($1, $2)', [
    event.name,
    event.payment.id,
  ]);
}

export interface PaymentsHost {
  readonly app: INestApplication;
  readonly url: string;
  readonly payments: PaymentsService;
  /** The module's own, under the role that owns nothing. */
  readonly dataSource: DataSource;
  close(): Promise<void>;
}

/** For hosts some of whose requests are never answered: a call gives up soon. */
export const hasty = { requestTimeoutMs: 1_000, callDeadlineMs: 2_000 };

type HostOptions = Partial<PaymentsModuleOptions> &
  Pick<PaymentsModuleExtras, 'cardData'> & {
    /** Default: the bench's own database. */
    databaseUrl?: string;
    /** Connections of the data source. Default: the driver's ten. */
    poolSize?: number;
    /** Options of those connections. Default: the driver's own. */
    connections?: typeof Client;
  };

/** The tools of one test file: a database, a sandbox, and any number of hosts (replicas) on them. */
export interface Bench {
  readonly database: TestDatabase;
  readonly sandbox: Sandbox;
  /** For what the hosts' role may not do. */
  readonly asOwner: TestDatabase['asOwner'];
  /** The notifications go to the host started last. With `retentionMs` it runs as the owner, who may remove old rows. */
  startHost(options?: HostOptions, providers?: Provider[]): Promise<PaymentsHost>;
  /** Stands between the sandbox and the hosts that are given its address; closed after them. */
  startProxy(): Promise<ServiceProxy>;
  /** Committed handler effects of a payment. */
  effects(host: PaymentsHost, paymentId: string): Promise<string[]>;
  close(): Promise<void>;
}

/** Default: a demo store. `settings`: of the sandbox. */
export async function openBench(
  account = testAccount,
  settings: Partial<SandboxOptions> = {},
): Promise<Bench> {
  const database = await createTestDatabase();
  const sandbox = await startSandbox({ ...account, ...settings });
  const closeSandbox = closing(() => sandbox.close());
  const hosts: PaymentsHost[] = [];
  const proxies: ServiceProxy[] = [];
  await database.asOwner('CREATE TABLE effects (event text NOT NULL, payment_id uuid NOT NULL)');

  const startHost: Bench['startHost'] = async (
    { databaseUrl = database.moduleUrl, poolSize, connections, ...options } = {},
    providers = [EffectHandlers],
  ) => {
    const url = options.retentionMs ? database.url : databaseUrl;
    @Module({
      imports: [
        ScheduleModule.forRoot(),
        TypeOrmModule.forRoot({
          type: 'postgres',
          url,
          autoLoadEntities: true,
          ...(poolSize !== undefined && { poolSize }),
          ...(connections && { extra: { Client: connections, idleTimeoutMillis: 0 } }),
        }),
        PaymentsModule.forRoot({
          ...account,
          serviceUrl: sandbox.url,
          trustedProxies: loopbackProxies,
          sweeps: { intervalMs: 200 },
          // No call gives up, however busy the machine is.
          requestTimeoutMs: 10_000,
          callDeadlineMs: 20_000,
          retentionMs: false,
          clock: sandbox.clock,
          hooks: watchedHooks,
          ...options,
        }),
      ],
      providers,
    })
    class HostModule {}

    const app = await NestFactory.create(HostModule, {
      logger: false,
      abortOnError: false,
      forceCloseConnections: true,
    });
    const close = closing(() => app.close());
    const dataSource = app.get<DataSource>(getDataSourceToken());
    await app.listen(0, '127.0.0.1');
    const ownUrl = await app.getUrl();
    sandbox.setNotifyUrl(`${ownUrl}/webhooks/payments`);
    const host = {
      app,
      url: ownUrl,
      dataSource,
      payments: app.get(PaymentsService),
      close,
    };
    hosts.push(host);
    return host;
  };

  return {
    database,
    sandbox,
    asOwner: database.asOwner,
    startHost,
    async startProxy() {
      const proxy = await startServiceProxy(sandbox.url);
      proxies.push(proxy);
      return proxy;
    },
    async effects({ dataSource }, paymentId) {
      const rows = await dataSource.query<{ event: string }[]>(
        'SELECT event FROM effects WHERE payment_id = $1 ORDER BY event',
        [paymentId],
      );
      return rows.map(({ event }) => event);
    },
    async close() {
      for (const host of hosts) await host.close();
      for (const proxy of proxies) await proxy.close();
      await closeSandbox();
      await database.drop();
    },
  };
}

let orders = 0;

/** Input for a create of 100.00 roubles, for an order of its own. */
export function orderInput(reference = `order-${(orders += 1)}`) {
  return {
    order: { reference },
    amount: { value: '100.00', currency: 'RUB' as const },
    returnUrl: 'https://shop.example/return',
  };
}

/** Sends what the service would send, with a sender address of its list by default. */
export function sendNotification(
  host: Pick<PaymentsHost, 'url'>,
  body: unknown,
  senderAddress = '185.71.76.1',
): Promise<Response> {
  return fetch(`${host.url}/webhooks/payments`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': senderAddress },
    body: JSON.stringify(body),
  });
}

/** Asks the service for a payment now, whatever its status is: one that has ended is asked for by nobody's page. */
export function reread({ app }: Pick<PaymentsHost, 'app'>, paymentId: string): Promise<Payment> {
  return app.get(PaymentsOperator).reread(paymentId);
}

/** Waits until our payment has this status. */
export function paymentBecomes(
  { payments }: PaymentsHost,
  id: string,
  status: PaymentStatus,
): Promise<Payment> {
  return eventually(
    () => payments.get(id),
    (payment) => payment.status === status,
  );
}

/** A payment that its buyer has paid, known here as succeeded; or as held, if it is not captured at once. */
export async function paidPayment(
  { sandbox }: Bench,
  host: PaymentsHost,
  input: Partial<CreatePaymentInput> = {},
): Promise<Payment> {
  const { id, serviceId } = await host.payments.create({ ...orderInput(), ...input });
  sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
  return paymentBecomes(host, id, input.capture === false ? 'waiting_for_capture' : 'succeeded');
}

/** Waits until this many effects of a payment's handlers are committed. */
export function effectsBecome(
  bench: Bench,
  host: PaymentsHost,
  paymentId: string,
  count: number,
): Promise<string[]> {
  return eventually(
    () => bench.effects(host, paymentId),
    ({ length }) => length === count,
  );
}

/** Cancels a hold as staff would in the Merchant Profile, its notification lost. */
export async function cancelBehindOurBack(
  { sandbox }: Bench,
  { serviceId }: Payment,
  { shopId, secretKey } = testAccount,
): Promise<void> {
  sandbox.faults.order({ on: 'notification', fault: 'drop' });
  const answer = await fetch(`${sandbox.url}/v3/payments/${serviceId}/cancel`, {
    method: 'POST',
    headers: {
      Authorization: `Basic ${Buffer.from(`${shopId}:${secretKey}`).toString('base64')}`,
      'Idempotence-Key': crypto.randomUUID(),
      'Content-Type': 'application/json',
    },
    body: '{}',
  });
  if (answer.status !== 200) throw new Error(`The cancel was answered ${answer.status}.`);
}
