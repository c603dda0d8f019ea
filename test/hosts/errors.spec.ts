import {
  PaymentNotFoundError,
  PaymentsError,
  PaymentsExceptionFilter,
  PaymentsModule,
  PaymentsService,
  problemOf,
  type Payment,
} from '@holdfast/payments';
import type { Sandbox } from '@holdfast/sandbox';
import { jest } from '@jest/globals';
import {
  Catch,
  ConflictException,
  Controller,
  Get,
  Injectable,
  Logger,
  Module,
  Param,
  Post,
  UseFilters,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import { APP_FILTER, ExternalContextCreator, HttpAdapterHost } from '@nestjs/core';
import { problems } from '../../libs/payments/src/http/problems.js';
import { everyError, INSIDE } from './every-error.js';
import { httpAdapters, paymentsOptions, startHost, startTestSandbox, typeOrm, type Host } from './host.js';
import { openDatabase, type OpenDatabase } from './open-database.js';

const codes = Object.keys(everyError);
const codeOf = (text: string): keyof typeof everyError => {
  if (!isCode(text)) throw new Error(`No error has the code ${text}.`);
  return text;
};
const isCode = (text: string): text is keyof typeof everyError => Object.hasOwn(everyError, text);

class HostsOwnError extends PaymentsError {
  readonly code = 'hosts_own';
}

/** Answers in its own way, as a host's own filters do. */
@Injectable()
abstract class TeapotFilter implements ExceptionFilter<Error> {
  constructor(private readonly http: HttpAdapterHost) {}

  catch(error: Error, host: ArgumentsHost): void {
    const body = { error: error.name };
    this.http.httpAdapter.reply(host.switchToHttp().getResponse<object>(), body, 418);
  }
}

@Catch(PaymentsError)
class OfRouteFilter extends TeapotFilter {}

@Catch(PaymentNotFoundError)
class OfHostFilter extends TeapotFilter {}

@Catch(PaymentNotFoundError)
class OfMainFilter extends TeapotFilter {}

@Controller('errors')
class ErrorsController {
  constructor(private readonly payments: PaymentsService) {}

  @Get('of-host')
  ofHost(): never {
    throw new HostsOwnError(INSIDE);
  }

  @Get('of-http')
  ofHttp(): never {
    throw new ConflictException('of the host');
  }

  @Get('of-nobody')
  ofNobody(): never {
    throw new Error(INSIDE);
  }

  @Get('filtered')
  @UseFilters(OfRouteFilter)
  filtered(): never {
    throw everyError.order_already_paid;
  }

  @Get(':code')
  thrown(@Param('code') code: string): never {
    throw everyError[codeOf(code)];
  }

  @Post('orders/:reference')
  pay(@Param('reference') reference: string): Promise<Payment> {
    return this.payments.create({
      order: { reference },
      amount: { value: '10.00', currency: 'RUB' },
      returnUrl: 'https://shop.example/return',
    });
  }
}

@Module({ providers: [{ provide: APP_FILTER, useClass: OfHostFilter }] })
class ModuleWithFilter {}

describe.each(httpAdapters)('the errors of a host on %s', (_name, http) => {
  let database: OpenDatabase;
  let sandbox: Sandbox;
  let host: Host;
  const logged: [level: string, line: string][] = [];

  /** `registered`: what the host registers beside the filter of the module. */
  const start = (registered: Pick<Parameters<typeof startHost>[0], 'imports' | 'providers' | 'configure'>) =>
    startHost({
      http,
      imports: [
        typeOrm(database.url),
        PaymentsModule.forRoot({
          ...paymentsOptions(sandbox),
          serviceUrl: 'http://127.0.0.1:1',
          sweeps: false,
          circuit: false,
        }),
        ...(registered.imports ?? []),
      ],
      controllers: [ErrorsController],
      providers: [
        { provide: APP_FILTER, useClass: PaymentsExceptionFilter },
        ...(registered.providers ?? []),
      ],
      ...(registered.configure && { configure: registered.configure }),
    });
  const get = (path: string, { url } = host) => fetch(`${url}/errors/${path}`);

  beforeAll(async () => {
    database = await openDatabase();
    sandbox = await startTestSandbox();
    host = await start({});
    for (const level of ['warn', 'error'] as const)
      jest.spyOn(Logger.prototype, level).mockImplementation((...[line]: unknown[]) => {
        logged.push([level, String(line)]);
      });
  });
  afterEach(() => logged.splice(0));
  afterAll(async () => {
    await host.close();
    await sandbox.close();
    await database.close();
  });

  it.each(codes)(
    '%s has its status and its problem, and nothing that is meant for the host',
    async (code) => {
      const answer = await get(code);
      const text = await answer.text();
      const kind = problems[codeOf(code)];
      expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json(;|$)/);
      expect(answer.status).toBe(kind.status);
      expect(JSON.parse(text)).toEqual({
        type: `urn:problem-type:holdfast:${code}`,
        title: kind.title,
        status: kind.status,
        detail: code === 'payment_input' ? 'amount.value: must be above zero' : kind.detail,
        code,
        ...(code === 'recovery_in_progress' && { retryAfterSeconds: 60 }),
        ...(code === 'store_busy' && { retryAfterSeconds: 5 }),
        ...(code === 'service_too_many_requests' && { retryAfterSeconds: 3 }),
      });
      expect(text).not.toMatch(new RegExp(`${INSIDE}|ECONNREFUSED|730`));
      expect(logged.map(([level]) => level)).toEqual(
        kind.status < 500 ? [] : [kind.status < 503 ? 'error' : 'warn'],
      );
    },
  );

  it('says when to try again in a header too', async () => {
    const retryAfter = async (code: string) => (await get(code)).headers.get('retry-after');
    expect(await retryAfter('service_too_many_requests')).toBe('3');
    expect(await retryAfter('recovery_in_progress')).toBe('60');
    expect(await retryAfter('payment_outcome_unknown')).toBeNull();
  });

  it('says what the service asked for where its answer is the cause', () => {
    const cause = everyError.service_too_many_requests;
    const outcome = Object.assign(new HostsOwnError(INSIDE), { cause });
    expect(problemOf(outcome)).toMatchObject({ retryAfterSeconds: 3 });
  });

  it('logs what the network said, by the pattern of the route, and does not answer it', async () => {
    const answer = await fetch(`${host.url}/errors/orders/A-1`, { method: 'POST' });
    const text = await answer.text();
    expect(answer.status).toBe(503);
    expect(JSON.parse(text)).toMatchObject({ code: 'payment_outcome_unknown' });
    expect(text).not.toMatch(/ECONNREFUSED|127\.0\.0\.1|A-1/);
    expect(logged).toContainEqual([
      'warn',
      expect.stringMatching(
        /^POST \/errors\/orders\/:reference: PaymentOutcomeUnknownError: .*ECONNREFUSED 127\.0\.0\.1:1\b/,
      ),
    ]);
  });

  it('are 500 for a class of the host’s own that extends theirs', async () => {
    const answer = await get('of-host');
    expect([answer.status, await answer.json()]).toEqual([
      500,
      expect.objectContaining({ code: 'hosts_own', title: 'Something is wrong with the payment' }),
    ]);
  });

  it('and no others are answered by the filter', async () => {
    const ofHttp = await get('of-http');
    expect([ofHttp.status, await ofHttp.json()]).toEqual([
      409,
      expect.objectContaining({ message: 'of the host' }),
    ]);
    const ofNobody = await get('of-nobody');
    expect([ofNobody.status, ofNobody.headers.get('content-type')]).toEqual([
      500,
      expect.stringMatching(/^application\/json/),
    ]);
  });

  it('give way to the filter of a route', async () => {
    const answer = await get('filtered');
    expect([answer.status, await answer.json()]).toEqual([418, { error: 'OrderAlreadyPaidError' }]);
  });

  it.each<[string, Parameters<typeof start>[0]]>([
    ['in the root module', { providers: [{ provide: APP_FILTER, useClass: OfHostFilter }] }],
    ['in a module of the host', { imports: [ModuleWithFilter] }],
    [
      'by useGlobalFilters',
      { configure: (app) => app.useGlobalFilters(new OfMainFilter(app.get(HttpAdapterHost))) },
    ],
  ])('give way to a filter of the host’s own that is registered %s', async (_where, registered) => {
    const filtered = await start(registered);
    const answer = await get('payment_not_found', filtered);
    expect([answer.status, await answer.json()]).toEqual([418, { error: 'PaymentNotFoundError' }]);
    // What it does not catch is still the module's.
    expect((await get('order_already_paid', filtered)).status).toBe(409);
    await filtered.close();
  });

  it('come as they are where there is no HTTP request', async () => {
    const controller = host.app.get(ErrorsController);
    const creator = host.app.get(ExternalContextCreator, { strict: false });
    // As GraphQL calls its resolvers.
    const call = creator.create(
      controller,
      () => controller.ofHost(),
      'ofHost',
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      'graphql',
    );
    await expect(call()).rejects.toThrow(HostsOwnError);
  });
});
