import { PaymentsModule } from '@holdfast/payments';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import { TypeOrmModule } from '@nestjs/typeorm';

import { openMigrated } from '../shared/database/migrate.js';
import { SignInAttempts } from '../shared/web/sign-in-attempts.js';
import { OWNER_SIGN_IN, PlatformAddress, type PlatformOptions } from './config/platform-options.js';
import { dataSourceOptions } from './database/data-source-options.js';
import { OwnersController } from './owners/owners.controller.js';
import { SameSiteGuard } from './owners/same-site.guard.js';
import { Sessions } from './owners/sessions.js';
import { SessionsModule } from './owners/sessions.module.js';
import { ErrorPagesFilter } from './pages/error-pages.filter.js';
import { Sale } from './sales/sale.entity.js';
import { SaleHandlers } from './sales/sale.handlers.js';
import { SalesController } from './sales/sales.controller.js';
import { SalesService } from './sales/sales.service.js';
import { LogEntry } from './stores/log-entry.entity.js';
import { StoreHandlers } from './stores/store.handlers.js';
import { StoresController } from './stores/stores.controller.js';
import { StoresService } from './stores/stores.service.js';

@Module({})
export class PlatformModule {
  static register(options: PlatformOptions): DynamicModule {
    const { publicUrl, signIn } = options;
    const nowMs = () => Date.now() + (options.payments.clock?.offsetMs() ?? 0);
    const database = dataSourceOptions(options.databaseUrl);
    const sessionsModule = SessionsModule.register(publicUrl);
    return {
      module: PlatformModule,
      imports: [
        ScheduleModule.forRoot(),
        TypeOrmModule.forRootAsync({
          // An unreachable database is reported at once; a process manager is better at trying again.
          useFactory: () => ({ ...database, retryAttempts: 1 }),
          dataSourceFactory: () => openMigrated(database),
        }),
        TypeOrmModule.forFeature([Sale, LogEntry]),
        sessionsModule,
        PaymentsModule.forRootAsync({
          partnerCallbackPath: 'partner/callback',
          imports: [sessionsModule],
          inject: [Sessions],
          useFactory: (sessions: Sessions) => ({
            ...options.payments,
            partner: {
              ...options.app,
              webhookUrl: `${publicUrl}/webhooks/payments`,
              ownerOf: async (request) => (await sessions.ownerOf(request))?.id ?? null,
            },
          }),
        }),
      ],
      controllers: [OwnersController, StoresController, SalesController],
      providers: [
        { provide: OWNER_SIGN_IN, useValue: signIn },
        { provide: SignInAttempts, useValue: new SignInAttempts(nowMs) },
        { provide: PlatformAddress, useValue: new PlatformAddress(publicUrl) },
        StoresService,
        StoreHandlers,
        SalesService,
        SaleHandlers,
        { provide: APP_GUARD, useClass: SameSiteGuard },
        { provide: APP_FILTER, useClass: ErrorPagesFilter },
      ],
    };
  }
}
