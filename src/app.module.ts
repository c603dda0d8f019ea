import { PaymentsBoardModule } from '@holdfast/board';
import { PaymentsModule } from '@holdfast/payments';
import { PaymentsTelemetry } from '@holdfast/payments/telemetry';
import { type DynamicModule, Module } from '@nestjs/common';
import { ConfigModule, ConfigService } from '@nestjs/config';
import { APP_FILTER } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import { TypeOrmModule } from '@nestjs/typeorm';

import { openMigrated } from '../examples/shared/database/migrate.js';
import { CatalogModule } from './catalog/catalog.module.js';
import type { ShopOptions } from './config/shop-options.js';
import { dataSourceOptions } from './database/data-source-options.js';
import { OrdersModule } from './orders/orders.module.js';
import { ErrorPagesFilter } from './pages/error-pages.filter.js';
import { nameOf, StaffGuard } from './staff/staff.guard.js';
import { StaffModule } from './staff/staff.module.js';

@Module({})
export class AppModule {
  static register(options: ShopOptions): DynamicModule {
    const database = dataSourceOptions(options.databaseUrl);
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot({
          isGlobal: true,
          ignoreEnvFile: true,
          skipProcessEnv: true,
          load: [() => options],
        }),
        ScheduleModule.forRoot(),
        TypeOrmModule.forRootAsync({
          // An unreachable database is reported at once; a process manager is better at trying again.
          useFactory: () => ({ ...database, retryAttempts: 1 }),
          dataSourceFactory: () => openMigrated(database),
        }),
        PaymentsModule.forRootAsync({
          isGlobal: true,
          inject: [ConfigService],
          useFactory: (config: ConfigService<ShopOptions, true>) => config.get('payments', { infer: true }),
        }),
        CatalogModule,
        OrdersModule,
        StaffModule,
        PaymentsBoardModule.forRoot({
          path: 'staff/payments',
          guard: StaffGuard,
          imports: [StaffModule],
          actor: nameOf,
          actions: () => 'all',
          links: { order: (reference) => `/staff/orders/${encodeURIComponent(reference)}` },
        }),
      ],
      providers: [PaymentsTelemetry, { provide: APP_FILTER, useClass: ErrorPagesFilter }],
    };
  }
}
