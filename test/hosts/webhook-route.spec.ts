import { PaymentsModule, protectWebhook, type PaymentsModuleExtras } from '@holdfast/payments';
import { jest } from '@jest/globals';
import {
  Injectable,
  Logger,
  SetMetadata,
  UnauthorizedException,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
  type NestInterceptor,
} from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR, Reflector } from '@nestjs/core';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tap, type Observable } from 'rxjs';

import { canaries } from '../support/canaries.js';
import { eventually } from '../support/eventually.js';
import { httpAdapters, startHost, typeOrm, type HostSettings } from './host.js';
import { storedNotifications } from './notification.js';
import { openDatabase, type OpenDatabase } from './open-database.js';

const Public = () => SetMetadata('public', true);

@Injectable()
class SignedInGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    if (this.reflector.get<boolean | undefined>('public', context.getClass()) === true) return true;
    throw new UnauthorizedException();
  }
}

/** As a shop may have it that answers every POST with 201. */
@Injectable()
class CreatedInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const response = context.switchToHttp().getResponse<{ status(code: number): unknown }>();
    return next.handle().pipe(tap(() => response.status(201)));
  }
}

type Next = () => void;
const refusing =
  (status: number, of = '') =>
  ({ url = '' }: IncomingMessage, response: ServerResponse, next: Next): void => {
    if (!url.includes(of)) return next();
    response.statusCode = status;
    response.end();
  };

async function parsing(request: IncomingMessage & { body?: unknown }, _response: ServerResponse, next: Next) {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(Buffer.from(piece));
  request.body = JSON.parse(Buffer.concat(pieces).toString());
  next();
}

describe.each(httpAdapters)('an application on %s that listens', (name, http) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.close());

  /** What the start says of the webhook's route: the lines of the log, and the warnings. */
  async function said(
    { configure = (app) => protectWebhook(app), ...settings }: HostSettings,
    extras: PaymentsModuleExtras = {},
  ): Promise<{ told: string[]; warned: string[] }> {
    const log = jest.spyOn(Logger.prototype, 'log').mockReturnValue(undefined);
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    const linesOf = (spy: typeof log) => spy.mock.calls.map(([line]) => String(line));
    const ofRoute = /^(A notification to|Notifications are taken at)/;
    const host = await startHost({
      ...settings,
      http,
      configure,
      imports: [
        typeOrm(database.url),
        PaymentsModule.forRoot({
          ...extras,
          serviceUrl: 'https://pay.example',
          shopId: 'test_shop',
          secretKey: canaries.secretKey,
          sweeps: false,
        }),
      ],
    });
    try {
      await eventually(
        async () => [...linesOf(log), ...linesOf(warn)],
        (lines) => lines.some((line) => ofRoute.test(line)),
      );
      return { told: linesOf(log).filter((line) => ofRoute.test(line)), warned: linesOf(warn) };
    } finally {
      await host.close();
      log.mockRestore();
      warn.mockRestore();
      expect(await storedNotifications(database.sql)).toEqual([]);
    }
  }

  const prefixed = (app: INestApplication) => {
    protectWebhook(app);
    app.setGlobalPrefix('api', { exclude: ['health'] });
  };
  const excluded = (app: INestApplication) => {
    protectWebhook(app);
    app.setGlobalPrefix('api', { exclude: ['webhooks/payments'] });
  };

  it.each<[string, HostSettings, PaymentsModuleExtras, string]>([
    ['as it is', {}, {}, '/webhooks/payments'],
    ['below its prefix', { configure: prefixed }, {}, '/api/webhooks/payments'],
    ['beside its prefix', { configure: excluded }, {}, '/webhooks/payments'],
    ['at a path of its own', {}, { webhookPath: '/hooks/money' }, '/hooks/money'],
    [
      'past its guard',
      { providers: [{ provide: APP_GUARD, useClass: SignedInGuard }] },
      { webhookDecorators: [Public()] },
      '/webhooks/payments',
    ],
  ])('says where it takes notifications, %s', async (_how, settings, extras, path) => {
    expect(await said(settings, extras)).toEqual({
      told: [`Notifications are taken at ${path}.`],
      warned: [],
    });
  });

  const withMiddleware = (middleware: Parameters<INestApplication['use']>[0]) => ({
    configure: (app: INestApplication) => {
      app.use(middleware);
      protectWebhook(app);
    },
  });

  it.each<[string, HostSettings, RegExp]>([
    [
      'a global guard refuses them',
      { providers: [{ provide: APP_GUARD, useClass: SignedInGuard }] },
      /^A notification to \/webhooks\/payments is answered 401 by a guard .*webhookDecorators: \[Public\(\)\].* Global guards: SignedInGuard\.$/,
    ],
    [
      'a global guard refuses them below a prefix',
      { providers: [{ provide: APP_GUARD, useClass: SignedInGuard }], configure: prefixed },
      /^A notification to \/api\/webhooks\/payments is answered 401 by a guard .*webhookDecorators/,
    ],
    [
      'a middleware refuses them',
      withMiddleware(refusing(403)),
      /^A notification to \/webhooks\/payments is answered 403 by a guard or middleware .*leave this path alone\.$/,
    ],
    [
      'a middleware finds nothing there',
      withMiddleware(refusing(404, 'webhooks')),
      /^A notification to \/webhooks\/payments is answered 404, before the module sees it: a route or middleware .*webhookPath/,
    ],
    [
      'an interceptor answers 201',
      { providers: [{ provide: APP_INTERCEPTOR, useClass: CreatedInterceptor }] },
      /^A notification to \/webhooks\/payments is answered 201 once it is stored, by an interceptor .*not answered 200/,
    ],
  ])('warns where %s', async (_what, settings, expected) => {
    const { told, warned } = await said(settings);
    expect(told).toEqual([]);
    expect(warned.filter((line) => line.startsWith('A notification to'))).toEqual([
      expect.stringMatching(expected),
    ]);
  });

  it('warns where a parser of its own comes before the door, before any notification came', async () => {
    const { told, warned } = await said(withMiddleware(parsing));
    expect(warned).toEqual([expect.stringMatching(/before app\.use\(express\.json\(\)\)/)]);
    expect(told).toEqual(['Notifications are taken at /webhooks/payments.']);
  });

  it('warns where nothing parses them, as only Express leaves it', async () => {
    const configure = (): void => undefined;
    const { told, warned } = await said({ nest: { bodyParser: false }, configure });
    const unparsed =
      /^A notification to \/webhooks\/payments is answered 400, because it does not arrive as JSON\. Call protectWebhook\(app\)/;
    const withoutDoor = expect.stringMatching(/open without protectWebhook\(\)/);
    const answered400 = expect.stringMatching(unparsed);
    // Fastify's own parser is still there.
    const expected =
      name === 'Express'
        ? { told: [], warned: [withoutDoor, answered400] }
        : { told: ['Notifications are taken at /webhooks/payments.'], warned: [withoutDoor] };
    expect({ told, warned }).toEqual(expected);
  });
});
