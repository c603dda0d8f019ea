import { PaymentsError, PaymentsModule, yookassaProfile, type Clock } from '@holdfast/payments';
import { type ArgumentsHost, Catch, type DynamicModule, type ExceptionFilter, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Response } from 'express';
import { IncomingMessage } from 'node:http';
import { EffectHandlers } from './effect.handlers.js';
import { OutsideEffects } from './outside-effects.js';
import { ReceiptKeeper } from './receipt-keeper.js';
import { fiscalization, type ShopSettings, limits, OWNER_HEADER, sweepIntervalMs } from './settings.js';
import { ShopController } from './shop.controller.js';

/** Passes the module's errors on to the caller; everything else stays a 500. */
@Catch(PaymentsError)
class PaymentsErrorFilter implements ExceptionFilter<PaymentsError> {
  catch({ code, message }: PaymentsError, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<Response>().status(409).json({ code, message });
  }
}

/** The smallest shop that does everything a shop can do with the payments module. */
@Module({})
export class ShopModule {
  static register(
    { databaseUrl, serviceUrl, account, partner, outsideEffects, scenario }: ShopSettings,
    clock: Clock,
  ): DynamicModule {
    const { tokenKey, ...app } = partner;
    return {
      module: ShopModule,
      imports: [
        ScheduleModule.forRoot(),
        TypeOrmModule.forRoot({
          type: 'postgres',
          url: databaseUrl,
          autoLoadEntities: true,
          // An unreachable database ends the process, and the process is started again.
          retryAttempts: 1,
        }),
        PaymentsModule.forRoot({
          ...account,
          ...limits,
          profile: yookassaProfile,
          fiscalization: { ...fiscalization, scenario },
          serviceUrl,
          tokenKeys: { current: 'soak', keys: { soak: tokenKey } },
          partner: { ...app, ownerOf },
          partnerCallbackPath: 'partner/callback',
          trustedProxies: ['127.0.0.1/32'],
          sweeps: { intervalMs: sweepIntervalMs },
          clock,
        }),
      ],
      controllers: [ShopController],
      providers: [
        EffectHandlers,
        ReceiptKeeper,
        { provide: OutsideEffects, useValue: new OutsideEffects(outsideEffects) },
        { provide: APP_FILTER, useClass: PaymentsErrorFilter },
      ],
    };
  }
}

function ownerOf(request: object): string | null {
  if (!(request instanceof IncomingMessage)) return null;
  const owner = request.headers[OWNER_HEADER];
  return typeof owner === 'string' ? owner : null;
}
