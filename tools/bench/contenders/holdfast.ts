/** A shop with Holdfast in it, used as shops use it. */
import {
  PaymentsModule,
  PaymentsOperator,
  PaymentsService,
  protectWebhook,
  type PaymentsModuleOptions,
} from '@holdfast/payments';
import { PaymentsTelemetry } from '@holdfast/payments/telemetry';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';

import { percentile } from '../../common/percentile.js';
import { epochMs } from '../stage/call.js';
import { adapterOf, type AdapterName } from './adapter.js';
import { atOnce, perSecond, timed } from './at-once.js';
import { handlerSets, Runs, type HandlerSet } from './handlers.js';
import { MemoryWatch } from './memory-watch.js';
import { account } from './payment-object.js';
import { StatementLog } from './statement-log.js';
import { TOKEN_KEY_ID } from './token-key.js';

export interface HoldfastSettings {
  readonly databaseUrl: string;
  readonly serviceUrl: string;
  readonly poolSize: number;
  readonly adapter?: AdapterName;
  readonly handlers?: HandlerSet;
  /** What differs from a shop's ordinary options. */
  readonly options?: Partial<
    Pick<
      PaymentsModuleOptions,
      | 'sweeps'
      | 'rereads'
      | 'requestTimeoutMs'
      | 'callDeadlineMs'
      | 'handlerTimeoutMs'
      | 'trustedProxies'
      | 'notificationSenders'
      | 'requestsWaitForStandby'
    >
  >;
  /** The app also acts for the stores of others, whose tokens are encrypted with this key. */
  readonly tokenKey?: string;
  /** Gives its metrics to @opentelemetry/api; no SDK takes them. */
  readonly telemetry?: boolean;
  /** Keeps the statements that the module sends. */
  readonly recordStatements?: boolean;
}

export type Holdfast = Awaited<ReturnType<typeof open>>;

/** Calls of a shop on a payment it knows. */
export type Call =
  | 'create'
  | 'createPart'
  | 'capture'
  | 'refund'
  | 'reread'
  | 'currentPayment'
  | 'findByOrder'
  | 'timeline'
  | 'backlog';

const amount = { value: '100.00', currency: 'RUB' as const };

export async function open(settings: HoldfastSettings) {
  const {
    databaseUrl,
    serviceUrl,
    poolSize,
    adapter = 'express',
    handlers = 'none',
    options = {},
    tokenKey,
  } = settings;
  let offsetMs = 0;
  let firstRequestAt: number | null = null;
  const runs = new Runs();
  const memory = new MemoryWatch();
  const statements = settings.recordStatements ? new StatementLog() : null;

  @Module({
    imports: [
      ScheduleModule.forRoot(),
      TypeOrmModule.forRoot({
        type: 'postgres',
        url: databaseUrl,
        autoLoadEntities: true,
        poolSize,
        ...(statements && { logger: statements }),
      }),
      PaymentsModule.forRoot({
        ...account,
        serviceUrl,
        notificationSenders: ['127.0.0.1/32', '::1/128'],
        clock: { offsetMs: () => offsetMs },
        hooks: { onRequest: () => void (firstRequestAt ??= epochMs()) },
        ...(tokenKey !== undefined && {
          partnerCallbackPath: 'partner/callback',
          partner: {
            clientId: 'bench',
            clientSecret: 'bench_secret',
            permissions: ['payments_create'],
            webhookUrl: 'http://127.0.0.1/webhooks/payments',
            authUrl: serviceUrl,
            ownerOf: () => null,
          },
          tokenKeys: { current: TOKEN_KEY_ID, keys: { [TOKEN_KEY_ID]: tokenKey } },
        }),
        ...options,
      }),
    ],
    providers: [
      { provide: Runs, useValue: runs },
      ...(settings.telemetry ? [PaymentsTelemetry] : []),
      ...handlerSets[handlers],
    ],
  })
  class ShopModule {}

  const app = await NestFactory.create(ShopModule, adapterOf(adapter), {
    logger: ['fatal'],
    abortOnError: false,
    forceCloseConnections: true,
  });
  protectWebhook(app);
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const payments = app.get(PaymentsService);
  const operator = app.get(PaymentsOperator);
  const dataSource = app.get<DataSource>(getDataSourceToken());

  const create = (reference: string, capture = true) =>
    payments.create({ order: { reference }, amount, capture, returnUrl: 'https://shop.example/return' });

  const calls: Readonly<Record<Call, (subject: { id: string; reference: string }) => Promise<unknown>>> = {
    create: () => create(randomUUID()),
    createPart: ({ reference }) =>
      payments.create({
        order: { reference, totalDue: { value: '1000000000.00', currency: 'RUB' } },
        part: randomUUID(),
        amount,
        returnUrl: 'https://shop.example/return',
      }),
    capture: ({ id }) => payments.capture(id),
    refund: ({ id }) => payments.refund(id, { refundKey: 'bench' }),
    reread: ({ id }) => operator.reread(id),
    currentPayment: ({ reference }) => payments.currentPayment(reference),
    findByOrder: ({ reference }) => payments.findByOrder(reference),
    timeline: ({ id }) => payments.timeline(id),
    backlog: () => operator.backlog(),
  };

  return {
    webhookUrl: () => `${url}/webhooks/payments`,

    /** Moves business time, which makes payments due. */
    setOffset: (ms: number) => {
      firstRequestAt = null;
      runs.forget();
      offsetMs = ms;
    },
    firstRequestAt: () => firstRequestAt,
    handlerRuns: () => ({ firstAt: runs.firstAt, count: runs.count }),

    async create({ reference, capture }: { reference: string; capture?: boolean }) {
      const startedAt = performance.now();
      const { id, serviceId } = await create(reference, capture);
      return { id, serviceId: serviceId ?? '', ms: performance.now() - startedAt };
    },
    handled: (paymentId: string) => runs.of(paymentId),
    /** The refunding handler gives this order's money back once it is paid, and then works on for so long. */
    refundOncePaid: ({ reference, workMs }: { reference: string; workMs: number }) =>
      void runs.workMs.set(reference, workMs),

    /** Buyers load the return page of this payment, this many at once. Returns how long that takes, in ms. */
    returnPage: ({ id, count = 1 }: { id: string; count?: number }) =>
      timed(() => Promise.all(Array.from({ length: count }, () => payments.refresh(id)))),

    async creates({ count, workers }: { count: number; workers: number }) {
      const times: number[] = [];
      for (let made = 0; made < count; made += 1) times.push(await timed(() => create(randomUUID())));
      const more = Array.from({ length: 2 * count }, () => randomUUID());
      const ms = await timed(() => atOnce(workers, more, (reference) => create(reference)));
      return { p50: percentile(times, 50), perSecond: perSecond(more.length, ms) };
    },

    /** Makes this call for each of them, one after the other. */
    async calls({ call, subjects }: { call: Call; subjects: readonly { id: string; reference: string }[] }) {
      const times: number[] = [];
      for (const subject of subjects) times.push(await timed(() => calls[call](subject)));
      return { p50: percentile(times, 50) };
    },

    /** How many differences the module's own audit of this period finds; times as ISO strings, or as dates before they are sent. */
    async audit({ from, to }: { from: Date | string; to: Date | string }) {
      let differences = 0;
      for await (const slice of operator.audit({ from: new Date(from), to: new Date(to) }))
        differences += slice.differences.length;
      return { differences };
    },

    /** Makes every connection of the pool report its statistics now, in one statement each. */
    async flushStatistics(): Promise<number> {
      const runners = await Promise.all(
        Array.from({ length: poolSize }, async () => {
          const runner = dataSource.createQueryRunner();
          await runner.connect();
          return runner;
        }),
      );
      for (const runner of runners) await runner.query('SELECT pg_stat_force_next_flush()');
      for (const runner of runners) await runner.release();
      return runners.length;
    },

    watchMemory: () => memory.start(),
    /** The maximum that was resident since, in bytes. */
    mostMemory: () => memory.stop(),

    /** Those sent since the last call, in their order. */
    statements: () => statements?.take() ?? [],
  };
}
