import { PaymentsExceptionFilter, PaymentsModule, yookassaProfile, type Clock } from '@holdfast/payments';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IncomingMessage } from 'node:http';
import { EffectHandlers } from './effect.handlers.js';
import { OutsideEffects } from './outside-effects.js';
import { ReceiptKeeper } from './receipt-keeper.js';
import { fiscalization, type ShopSettings, limits, OWNER_HEADER, sweepIntervalMs } from './settings.js';
import { ShopController } from './shop.controller.js';

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
        { provide: APP_FILTER, useClass: PaymentsExceptionFilter },
      ],
    };
  }
}

function ownerOf(request: object): string | null {
  if (!(request instanceof IncomingMessage)) return null;
  const owner = request.headers[OWNER_HEADER];
  return typeof owner === 'string' ? owner : null;
}
