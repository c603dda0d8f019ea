import { PaymentsModule, type PaymentsModuleExtras } from '@holdfast/payments';
import type { Sandbox } from '@holdfast/sandbox';
import {
  Injectable,
  SetMetadata,
  UnauthorizedException,
  ValidationPipe,
  VersioningType,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
  type NestInterceptor,
} from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR, APP_PIPE, Reflector } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import { randomUUID } from 'node:crypto';
import { map, type Observable } from 'rxjs';

import {
  httpAdapters,
  paymentsOptions,
  startHost,
  startTestSandbox,
  typeOrm,
  type HostSettings,
} from './host.js';
import { notification, post, storedNotifications } from './notification.js';
import { openDatabase, type OpenDatabase } from './open-database.js';

const Public = () => SetMetadata('public', true);

@Injectable()
class SignedInGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const isPublic = this.reflector.getAllAndOverride<boolean | undefined>('public', [
      context.getHandler(),
      context.getClass(),
    ]);
    if (isPublic) return true;
    throw new UnauthorizedException();
  }
}

@Injectable()
class EnvelopeInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((data: unknown) => ({ ok: true, data })));
  }
}

const versioned = (app: INestApplication) =>
  app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
const prefixed = (app: INestApplication) => app.setGlobalPrefix('api');

const taken = { status: 200, stored: 1 };
const notFound = { status: 404, stored: 0 };
const path = '/webhooks/payments';

describe.each(httpAdapters)('on %s, a notification', (_name, http) => {
  let database: OpenDatabase;
  let sandbox: Sandbox;
  beforeAll(async () => {
    database = await openDatabase();
    sandbox = await startTestSandbox();
  });
  afterAll(async () => {
    await sandbox.close();
    await database.close();
  });

  /** Starts the host, sends one notification to each path in turn, and returns the answers and what was stored. */
  async function answers(
    settings: HostSettings,
    paths: string[],
    payments = PaymentsModule.forRoot(paymentsOptions(sandbox)),
  ): Promise<{ status: number; stored: number }[]> {
    const host = await startHost({
      ...settings,
      http,
      imports: [ScheduleModule.forRoot(), typeOrm(database.url), payments],
    });
    try {
      const results = [];
      for (const target of paths) {
        const id = randomUUID();
        const status = await post(host.url + target, notification('payment.succeeded', { id, amount: {} }));
        results.push({ status, stored: (await storedNotifications(database.sql, id)).length });
      }
      return results;
    } finally {
      await host.close();
    }
  }

  const withExtras = (extras: PaymentsModuleExtras) =>
    PaymentsModule.forRoot({ ...extras, ...paymentsOptions(sandbox) });

  it('passes a global validation pipe that forbids unknown fields', async () => {
    const pipe = new ValidationPipe({
      whitelist: true,
      forbidNonWhitelisted: true,
      forbidUnknownValues: true,
      transform: true,
    });
    expect(await answers({ configure: (app) => app.useGlobalPipes(pipe) }, [path])).toEqual([taken]);
    expect(await answers({ providers: [{ provide: APP_PIPE, useValue: pipe }] }, [path])).toEqual([taken]);
  });

  it('needs no version if the host versions its routes in the path', async () => {
    expect(await answers({ configure: versioned }, [path, `/v1${path}`])).toEqual([taken, notFound]);
  });

  it('passes a global guard by the mark in webhookDecorators, and not without it', async () => {
    const providers = [{ provide: APP_GUARD, useClass: SignedInGuard }];
    const marked = withExtras({ webhookDecorators: [Public()] });
    expect(await answers({ providers }, [path], marked)).toEqual([taken]);
    expect(await answers({ providers }, [path])).toEqual([{ status: 401, stored: 0 }]);
  });

  it('arrives below the global prefix', async () => {
    expect(await answers({ configure: prefixed }, [`/api${path}`, path])).toEqual([taken, notFound]);
  });

  it('arrives at the webhookPath of forRoot', async () => {
    const moved = withExtras({ webhookPath: 'hooks/money' });
    expect(await answers({}, ['/hooks/money', path], moved)).toEqual([taken, notFound]);
  });

  it('arrives at the default where webhookPath is undefined, and the routes of the host stay its own', async () => {
    // As of a configuration that has no such setting.
    const extras: object = { webhookPath: undefined };
    const unset = PaymentsModule.forRoot(Object.assign(paymentsOptions(sandbox), extras));
    expect(await answers({}, [path, '/'], unset)).toEqual([taken, notFound]);
  });

  it('arrives at the webhookPath beside forRootAsync', async () => {
    const moved = PaymentsModule.forRootAsync({
      webhookPath: '/hooks/money',
      useFactory: async () => paymentsOptions(sandbox),
    });
    expect(await answers({}, ['/hooks/money', path], moved)).toEqual([taken, notFound]);
  });

  it('is answered 200 through a global interceptor that wraps every answer', async () => {
    const providers = [{ provide: APP_INTERCEPTOR, useClass: EnvelopeInterceptor }];
    expect(await answers({ providers }, [path])).toEqual([taken]);
  });

  it('is accepted if the host keeps raw bodies', async () => {
    expect(await answers({ nest: { rawBody: true } }, [path])).toEqual([taken]);
  });

  it('is accepted by a process without sweeps', async () => {
    const webOnly = PaymentsModule.forRoot({ ...paymentsOptions(sandbox), sweeps: false });
    expect(await answers({}, [path], webOnly)).toEqual([taken]);
  });

  it('of the sandbox reaches a host that listens on ::1 only', async () => {
    const host = await startHost({
      http,
      address: '::1',
      imports: [
        ScheduleModule.forRoot(),
        typeOrm(database.url),
        PaymentsModule.forRoot(paymentsOptions(sandbox)),
      ],
    });
    try {
      sandbox.setNotifyUrl(`http://127.0.0.1:${new URL(host.url).port}${path}`);
      const { id } = sandbox.paymentMethods.bind();
      await sandbox.clock.advance(0);
      expect(sandbox.notifications.list().at(-1)).toMatchObject({
        objectId: id,
        attempts: [{ status: 200 }],
      });
      expect(await storedNotifications(database.sql, id)).toHaveLength(1);
    } finally {
      await host.close();
    }
  });

  it('is refused if no proxy is trusted, whatever its X-Forwarded-For says', async () => {
    const direct = PaymentsModule.forRoot({ ...paymentsOptions(sandbox), trustedProxies: [] });
    expect(await answers({}, [path], direct)).toEqual([{ status: 403, stored: 0 }]);
  });
});
