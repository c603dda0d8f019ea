import { Controller, Get, UseGuards } from '@nestjs/common';

import { Page } from '../../examples/shared/pages/page.decorator.js';
import { PlainInputGuard } from '../../examples/shared/web/plain-input.js';
import { OrdersService } from '../orders/orders.service.js';
import { staffPage } from '../pages/staff-page.js';
import { StaffGuard } from './staff.guard.js';

/** Where the shop's staff begin. */
@Controller('staff')
@UseGuards(StaffGuard, PlainInputGuard)
export class StaffController {
  constructor(private readonly orders: OrdersService) {}

  @Get()
  @Page()
  async show(): Promise<string> {
    return staffPage(await this.orders.waitingForStaff());
  }
}
