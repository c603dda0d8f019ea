import { OnPaymentEvent, PaymentsModule } from '@holdfast/payments';
import type { Sandbox } from '@holdfast/sandbox';
import { jest } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SweepPulse } from '../../libs/payments/src/work/sweep-pulse.js';
import { eventually } from '../support/eventually.js';
import { paymentsOptions, startHost, startTestSandbox } from './host.js';
import { openDatabase, type OpenDatabase } from './open-database.js';

@Injectable()
class Shipping {
  @OnPaymentEvent('order.paid', { id: 'shipping.ship' })
  async ship(): Promise<void> {}
}

/** Looks of the sweeps. */
const LOOKS = 30;

describe('a host that has TypeORM log every statement', () => {
  let database: OpenDatabase;
  let sandbox: Sandbox;
  let printed: string[];
  beforeAll(async () => {
    database = await openDatabase();
    sandbox = await startTestSandbox();
  });
  beforeEach(() => {
    printed = [];
    jest.spyOn(console, 'log').mockImplementation((...words) => void printed.push(words.join(' ')));
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  afterAll(async () => {
    await sandbox.close();
    await database.close();
  });

  const start = (logger: 'advanced-console' | 'formatted-console') =>
    startHost({
      imports: [
        ScheduleModule.forRoot(),
        TypeOrmModule.forRoot({
          type: 'postgres',
          url: database.url,
          autoLoadEntities: true,
          logging: true,
          logger,
        }),
        PaymentsModule.forRoot({ ...paymentsOptions(sandbox), sweeps: { intervalMs: 50 } }),
      ],
      providers: [Shipping],
    });

  const loggers = ['advanced-console', 'formatted-console'] as const;
  it.each(loggers)(
    'finds nothing in it of sweeps that have nothing to do, and all of a payment: %s',
    async (logger) => {
      const beat = jest.spyOn(SweepPulse.prototype, 'beat');
      const looks = async (more: number) => {
        const until = beat.mock.calls.length + more;
        await eventually(
          async () => beat.mock.calls.length,
          (count) => count >= until,
        );
      };
      const host = await start(logger);
      // The first looks find what is due at a start.
      await looks(LOOKS);
      printed = [];
      await looks(LOOKS);
      expect(printed).toEqual([]);
      await host.payments.create({
        order: { reference: `logged-${logger}` },
        amount: { value: '10.00', currency: 'RUB' },
        returnUrl: 'https://shop.example/return',
      });
      expect(printed.filter((line) => /payments_payments/.test(line))).not.toEqual([]);
      await host.close();
    },
  );
});
