import { Module } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SignInAttempts } from '../../examples/shared/web/sign-in-attempts.js';
import type { ShopOptions } from '../config/shop-options.js';
import { OrdersModule } from '../orders/orders.module.js';
import { ShopOrder } from '../orders/shop-order.entity.js';
import { BooksService } from './books.service.js';
import { DeskService } from './desk.service.js';
import { StaffNote } from './staff-note.entity.js';
import { StaffNoteHandlers } from './staff-note.handlers.js';
import { StaffOrdersController } from './staff-orders.controller.js';
import { StaffOrdersService } from './staff-orders.service.js';
import { StaffController } from './staff.controller.js';

@Module({
  imports: [TypeOrmModule.forFeature([ShopOrder, StaffNote]), OrdersModule],
  controllers: [StaffController, StaffOrdersController],
  providers: [
    DeskService,
    BooksService,
    StaffOrdersService,
    StaffNoteHandlers,
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
