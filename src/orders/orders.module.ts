import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { ShopAddress } from '../config/shop-address.js';
import { OrderLimits } from './order-limits.js';
import { OrderMails } from './order-mails.js';
import { OrderPaymentHandlers } from './order-payment.handlers.js';
import { OrdersController } from './orders.controller.js';
import { OrdersService } from './orders.service.js';
import { ShopOrderEffect } from './shop-order-effect.entity.js';
import { ShopOrder } from './shop-order.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([ShopOrder, ShopOrderEffect])],
  controllers: [OrdersController],
  providers: [OrdersService, OrderLimits, OrderMails, OrderPaymentHandlers, ShopAddress],
  exports: [OrdersService],
})
export class OrdersModule {}
