import { OnPaymentEvent, PaymentsModule, type PaymentsModuleOptions } from '@holdfast/payments';
import { PaymentsHealthIndicator } from '@holdfast/payments/health';
import type { Sandbox } from '@holdfast/sandbox';
import { Controller, Get, Injectable, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { HealthCheck, HealthCheckService, TerminusModule } from '@nestjs/terminus';
import { isLate } from '../../libs/payments/src/health/is-late.js';
import { startDatabaseProxy, type DatabaseProxy } from '../support/database-proxy.js';
import { eventually } from '../support/eventually.js';
import { httpAdapters, paymentsOptions, startHost, startTestSandbox, typeOrm, type Host } from './host.js';
import { openDatabase, type OpenDatabase } from './open-database.js';

@Injectable()
class BrokenHandlers {
  @OnPaymentEvent('payment.pending', { id: 'test.broken' })
  pending(): void {
    throw new Error('no paper');
  }
}

@Controller('health')
class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly payments: PaymentsHealthIndicator,
  ) {}

  @Get('ready')
  @HealthCheck()
  ready(): Promise<unknown> {
    return this.health.check([() => this.payments.database(), () => this.payments.sweep()]);
  }

  @Get('shop')
  @HealthCheck()
  shop(): Promise<unknown> {
    return this.health.check([() => this.payments.backlog()]);
  }
}

@Module({
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [HealthController],
  providers: [PaymentsHealthIndicator],
})
class HealthModule {}

interface Health {
  readonly status: number;
  readonly details: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const read = async ({ url }: Host, check: string): Promise<Health> => {
  const answer = await fetch(`${url}/health/${check}`);
  const { details }: Pick<Health, 'details'> = JSON.parse(await answer.text());
  return { status: answer.status, details };
};

describe.each(httpAdapters)('the health of the payments, on %s,', (_name, http) => {
  let sandbox: Sandbox;
  let database: OpenDatabase;
  let proxy: DatabaseProxy;
  let host: Host;
  const open = (options: Partial<PaymentsModuleOptions> = {}) =>
    startHost({
      http,
      imports: [
        typeOrm(proxy.url),
        ScheduleModule.forRoot(),
        PaymentsModule.forRoot({
          isGlobal: true,
          ...paymentsOptions(sandbox),
          handlerAttempts: 1,
          ...options,
        }),
        HealthModule,
      ],
      providers: [BrokenHandlers],
    });
  beforeAll(async () => {
    sandbox = await startTestSandbox();
    database = await openDatabase();
    proxy = await startDatabaseProxy(database.url);
    host = await open();
  });
  afterAll(async () => {
    await host.close();
    await proxy.close();
    await database.close();
  });

  it('is well, also where a process does not sweep', async () => {
    const ready = await eventually(
      () => read(host, 'ready'),
      ({ status }) => status === 200,
    );
    expect(ready.details).toEqual({
      payments_database: { status: 'up' },
      payments_sweep: { status: 'up', sweeps: true, ageMs: expect.any(Number) },
    });
    expect(await read(host, 'shop')).toMatchObject({ status: 200 });
    const web = await open({ sweeps: false });
    expect((await read(web, 'ready')).details['payments_sweep']).toEqual({ status: 'up', sweeps: false });
    await web.close();
  });

  it('says what needs a person, with what helps, and stays ready', async () => {
    await host.payments.create({
      order: { reference: 'A-1' },
      amount: { value: '10.00', currency: 'RUB' },
      returnUrl: 'https://shop.example/return',
    });
    const shop = await eventually(
      () => read(host, 'shop'),
      ({ details }) => details['payments_backlog']?.['deliveries_parked'] !== undefined,
    );
    expect(shop).toMatchObject({
      status: 503,
      details: {
        payments_backlog: {
          status: 'down',
          deliveries_parked: '1 delivery given up. Fix what the error says, then run them again.',
        },
      },
    });
    expect((await read(host, 'ready')).status).toBe(200);
  });

  it('stays ready while the service is down, and does not while the database is', async () => {
    await sandbox.close();
    expect((await read(host, 'ready')).status).toBe(200);
    await proxy.close();
    const ready = await read(host, 'ready');
    expect(ready).toMatchObject({ status: 503, details: { payments_database: { status: 'down' } } });
    expect((await read(host, 'shop')).status).toBe(503);
  });
});

describe('a sweep', () => {
  it.each([
    [null, 5_000, true],
    [59_999, 5_000, false],
    [60_001, 5_000, true],
    [60_001, 60_000, false],
    [360_001, 60_000, true],
  ])('that looked %s ms ago and should every %s ms is late: %s', (sinceMs, intervalMs, late) => {
    expect(isLate(sinceMs, intervalMs)).toBe(late);
  });
});
