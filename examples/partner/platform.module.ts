import { PaymentsModule } from '@holdfast/payments';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import { TypeOrmModule } from '@nestjs/typeorm';

import { openMigrated } from '../../src/database/migrate.js';
import { PlatformAddress } from './config/platform-address.js';
import type { PlatformOptions } from './config/platform-options.js';
import { dataSourceOptions } from './database/data-source-options.js';
import { OwnersController } from './owners/owners.controller.js';
import { SameSiteGuard } from './owners/same-site.guard.js';
import { Sessions } from './owners/sessions.js';
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
    const { publicUrl, sessionSecret } = options;
    const database = dataSourceOptions(options.databaseUrl);
    const sessions = new Sessions({ secret: sessionSecret, overHttps: publicUrl.startsWith('https:') });
    return {
      module: PlatformModule,
      imports: [
        ScheduleModule.forRoot(),
        TypeOrmModule.forRootAsync({
          // A database that is not there is told at once; a process manager is better at trying again.
          useFactory: () => ({ ...database, retryAttempts: 1 }),
          dataSourceFactory: () => openMigrated(database),
        }),
        TypeOrmModule.forFeature([Sale, LogEntry]),
        PaymentsModule.forRoot({
          ...options.payments,
          partner: {
            ...options.app,
            webhookUrl: `${publicUrl}/webhooks/payments`,
            ownerOf: (request) => sessions.ownerOf(request)?.id ?? null,
          },
        }),
      ],
      controllers: [OwnersController, StoresController, SalesController],
      providers: [
        { provide: Sessions, useValue: sessions },
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
