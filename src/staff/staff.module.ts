import { Module } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { SignInAttempts } from '../../examples/shared/web/sign-in-attempts.js';
import type { ShopOptions } from '../config/shop-options.js';
import { OrdersModule } from '../orders/orders.module.js';
import { StaffOrdersController } from './staff-orders.controller.js';
import { StaffOrdersService } from './staff-orders.service.js';
import { StaffController } from './staff.controller.js';

@Module({
  imports: [OrdersModule],
  controllers: [StaffController, StaffOrdersController],
  providers: [
    StaffOrdersService,
    {
      provide: SignInAttempts,
      inject: [ConfigService],
      useFactory: (config: ConfigService<ShopOptions, true>) => {
        const { clock } = config.get('payments', { infer: true });
        return new SignInAttempts(() => Date.now() + (clock?.offsetMs() ?? 0));
      },
    },
  ],
  // The board has the same guard.
  exports: [SignInAttempts],
})
export class StaffModule {}
