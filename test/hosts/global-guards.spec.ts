import { PaymentsBoardModule } from '@holdfast/board';
import { PaymentsModule } from '@holdfast/payments';
import { jest } from '@jest/globals';
import {
  Catch,
  Controller,
  Get,
  Injectable,
  Logger,
  UnauthorizedException,
  UseFilters,
  type ArgumentsHost,
  type CanActivate,
  type ExceptionFilter,
  type INestApplication,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { startHostProcess } from '../security/hostile/host-process.js';
import { canaries } from '../support/canaries.js';
import { eventually } from '../support/eventually.js';
import { loopbackProxies } from '../support/listen.js';
import { closing } from '../support/still-running.js';
import { httpAdapters, startHost, typeOrm, type HostSettings } from './host.js';
import { notification, post, unlistedSender } from './notification.js';
import { openDatabase, type OpenDatabase } from './open-database.js';

const payments = {
  serviceUrl: 'https://pay.example',
  shopId: 'test_shop',
  secretKey: canaries.secretKey,
  trustedProxies: loopbackProxies,
  sweeps: false as const,
};

/** Those of an outage that has just ended: more than any throttler here lets through. */
const BURST = 30;
const path = '/webhooks/payments';

/** As a host's own may be that knows one kind of error, and throws on what it does not know. */
@Catch()
@Injectable()
class RethrowingFilter implements ExceptionFilter {
  catch(exception: unknown): void {
    throw exception;
  }
}

/** As a host with pages has it. */
@Catch()
@Injectable()
class PageFilter implements ExceptionFilter {
  catch(_exception: unknown, host: ArgumentsHost): void {
    host
      .switchToHttp()
      .getResponse<{ status(code: number): { send(body: string): unknown } }>()
      .status(500)
      .send('Sorry');
  }
}

@Injectable()
class ClosedGuard implements CanActivate {
  canActivate(): boolean {
    throw new UnauthorizedException();
  }
}

/** As a guard around a middleware refuses, which has http-errors. */
@Injectable()
class ForeignGuard implements CanActivate {
  canActivate(): boolean {
    throw Object.assign(new Error('no session'), { statusCode: 401 });
  }
}

@Injectable()
class BrokenGuard implements CanActivate {
  canActivate(): boolean {
    throw new TypeError('no session store');
  }
}

@Controller('orders')
class OrdersController {
  @Get()
  list(): string[] {
    return [];
  }
}

/** As their options are given, and how. */
const throttlers: [name: string, given: { options: unknown; isAsync?: boolean }][] = [
  ['one throttler', { options: [{ ttl: 60_000, limit: 3 }] }],
  [
    'throttlers with names',
    {
      options: {
        throttlers: [
          { name: 'short', ttl: 60_000, limit: 2 },
          { name: 'long', ttl: 600_000, limit: 5 },
        ],
      },
    },
  ],
  [
    'throttlers whose options come from a factory',
    { options: [{ name: 'later', ttl: 60_000, limit: 1 }], isAsync: true },
  ],
];

describe.each(httpAdapters)('a host on %s', (adapter, http) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.close());

  let lines: string[] = [];
  beforeEach(() => {
    lines = [];
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((line) => void lines.push(String(line)));
    jest.spyOn(Logger.prototype, 'log').mockImplementation((line) => void lines.push(String(line)));
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** Resolves once it has looked at its own route. */
  async function start({ imports = [], ...settings }: HostSettings, decorators: ClassDecorator[] = []) {
    const host = await startHost({
      ...settings,
      http,
      imports: [
        ...imports,
        typeOrm(database.url),
        PaymentsModule.forRoot({ ...payments, isGlobal: true, webhookDecorators: decorators }),
      ],
    });
    await eventually(
      async () => lines,
      (told) => told.some((line) => /notification/i.test(line) && !line.startsWith('Handlers')),
    );
    return host;
  }

  /** In a process of its own; resolves once it has looked at its own route. */
  async function startThrottled(
    given: object,
  ): Promise<{ url: string; logged: readonly string[]; close: () => Promise<void> }> {
    const host = await startHostProcess(
      {
        DATABASE_URL: database.url,
        PAYMENTS: JSON.stringify(payments),
        ADAPTER: adapter,
        THROTTLERS: JSON.stringify(given),
      },
      fileURLToPath(new URL('../support/throttled-host.js', import.meta.url)),
    );
    const { port, logged } = host;
    await eventually(
      async () => logged,
      (told) => told.some((line) => line.includes('Notifications are taken at')),
    );
    return { url: `http://127.0.0.1:${port}`, logged, close: closing(() => host.close()) };
  }

  async function burst(url: string): Promise<number[]> {
    const statuses: number[] = [];
    for (let at = 0; at < BURST; at += 1) {
      const body = notification('payment.succeeded', { id: `throttled-${at}` });
      statuses.push(await post(`${url}${path}`, body));
    }
    return [...new Set(statuses)];
  }

  // How their options are given is the same thing under every adapter, and each is a process of its own.
  it.each(adapter === 'Express' ? throttlers : throttlers.slice(0, 1))(
    'with %s for all its routes has every notification of a burst answered 200',
    async (_name, given) => {
      const { url, logged, close } = await startThrottled(given);
      expect(await burst(url)).toEqual([200]);
      expect(logged.filter((line) => line.includes('limiter'))).toEqual([]);
      const others = await Promise.all(Array.from({ length: BURST }, () => fetch(`${url}/orders`)));
      expect(others.map(({ status }) => status)).toContain(429);
      await close();
    },
  );

  it('that has its throttler count notifications after all is warned at the start, and where one is answered 429', async () => {
    const { url, logged, close } = await startThrottled({
      options: [{ ttl: 60_000, limit: 3 }],
      counts: true,
    });
    const told = () => logged.filter((line) => line.includes('leave the path of the webhook alone'));
    expect(told()).toEqual([
      expect.stringMatching(
        /A rate limiter of the application counts notifications \(x-ratelimit-limit: 3\)/i,
      ),
    ]);
    expect(await burst(url)).toEqual([200, 429]);
    expect(
      await eventually(
        async () => told(),
        ({ length }) => length === 2,
      ),
    ).toContainEqual(
      expect.stringMatching(
        /A notification was answered 429 by a rate limiter of the application \(ThrottlerException\)/,
      ),
    );
    await close();
  });

  it('whose limiter is a middleware is warned at the start', async () => {
    const limiting = (_request: IncomingMessage, response: ServerResponse, next: () => void): void => {
      response.setHeader('RateLimit-Policy', '100;w=60');
      next();
    };
    const host = await start({ configure: (app) => app.use(limiting) });
    expect(lines).toContainEqual(
      expect.stringMatching(/counts notifications \(ratelimit-policy: 100;w=60\)/i),
    );
    await host.close();
  });

  it.each([
    ['throws what it is given', RethrowingFilter],
    ['answers all with a page and 500', PageFilter],
  ])('whose global filter %s has refusals of the webhook answered as such', async (_what, filter) => {
    const host = await start({ providers: [{ provide: APP_FILTER, useClass: filter }] });
    const body = notification('payment.succeeded', { id: 'filtered' });
    expect(await post(`${host.url}${path}`, body, unlistedSender)).toBe(403);
    expect(await post(`${host.url}${path}`, '{}')).toBe(400);
    expect(await post(`${host.url}${path}/no-such-store`, body)).toBe(404);
    await host.close();
  });

  it('whose guard refuses them beside such a filter is told what the guard answered', async () => {
    const host = await start({
      providers: [
        { provide: APP_FILTER, useClass: PageFilter },
        { provide: APP_GUARD, useClass: ClosedGuard },
      ],
    });
    expect(lines).toContainEqual(
      expect.stringMatching(/answered 401 by a guard .*webhookDecorators.* Global guards: ClosedGuard\.$/),
    );
    await host.close();
  });

  it('whose guard refuses them by an error of another package is told what it answered, as Nest answers it', async () => {
    const host = await start({ providers: [{ provide: APP_GUARD, useClass: ForeignGuard }] });
    expect(await post(`${host.url}${path}`, notification('payment.succeeded', { id: 'foreign' }))).toBe(401);
    expect(lines).toContainEqual(expect.stringMatching(/answered 401 by a guard .* ForeignGuard\.$/));
    await host.close();
  });

  it('whose guard breaks beside such a filter is told so, with what it threw', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
    const host = await start({
      providers: [
        { provide: APP_FILTER, useClass: RethrowingFilter },
        { provide: APP_GUARD, useClass: BrokenGuard },
      ],
    });
    expect(await post(`${host.url}${path}`, notification('payment.succeeded', { id: 'broken' }))).toBe(500);
    expect(error.mock.calls.map(([line]) => line)).toEqual([
      'A notification was answered 500, by what a guard or interceptor of the application threw: no session store',
    ]);
    await host.close();
  });

  it('that puts a filter of its own on the webhook has that one asked first', async () => {
    const host = await start({}, [UseFilters(PageFilter)]);
    const body = notification('payment.succeeded', { id: 'filtered' });
    expect(await post(`${host.url}${path}`, body, unlistedSender)).toBe(500);
    await host.close();
  });

  it('that documents its routes documents its own alone', async () => {
    let app: INestApplication | undefined;
    const host = await start({
      imports: [
        PaymentsBoardModule.forRoot({
          path: 'admin/payments',
          guard: ClosedGuard,
          actor: () => 'ann',
          actions: () => 'read',
        }),
      ],
      controllers: [OrdersController],
      configure: (made) => {
        app = made;
      },
    });
    const document = app && SwaggerModule.createDocument(app, new DocumentBuilder().build());
    expect(Object.keys(document?.paths ?? {})).toEqual(['/orders']);
    await host.close();
  });
});
