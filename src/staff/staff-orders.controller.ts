import {
  Body,
  Controller,
  Get,
  HttpStatus,
  Param,
  Post,
  Query,
  Redirect,
  Res,
  UseGuards,
} from '@nestjs/common';
import type { Response } from 'express';

import { Page } from '../../examples/shared/pages/page.decorator.js';
import { PlainInputGuard } from '../../examples/shared/web/plain-input.js';
import { staffOrderPage } from '../pages/staff-order-page.js';
import { faultOfAmount, parseRefundForm, type RefundForm } from './refund-form.js';
import { parseResolution } from './resolution.js';
import { staffOrderJson } from './staff-order-view.js';
import { StaffOrdersService } from './staff-orders.service.js';
import { StaffGuard } from './staff.guard.js';

interface SeeOther {
  url: string;
}

/** An order for the shop's staff: its buyer's page, what only the staff know about it, and what moves its money. */
@Controller('staff/orders')
@UseGuards(StaffGuard, PlainInputGuard)
export class StaffOrdersController {
  constructor(private readonly orders: StaffOrdersService) {}

  @Get(':reference.json')
  async showJson(@Param('reference') reference: string): Promise<object> {
    return staffOrderJson(await this.orders.view(reference));
  }

  @Get(':reference')
  @Page()
  async show(@Param('reference') reference: string, @Query('notice') notice?: string): Promise<string> {
    return staffOrderPage(await this.orders.view(reference), { notice });
  }

  @Post(':reference/ship')
  @Redirect('', HttpStatus.SEE_OTHER)
  async ship(@Param('reference') reference: string): Promise<SeeOther> {
    await this.orders.ship(reference);
    return orderAt(reference);
  }

  @Post(':reference/cancel')
  @Redirect('', HttpStatus.SEE_OTHER)
  async cancel(@Param('reference') reference: string): Promise<SeeOther> {
    await this.orders.cancel(reference);
    return orderAt(reference);
  }

  @Post(':reference/hand-over')
  @Redirect('', HttpStatus.SEE_OTHER)
  async handOver(@Param('reference') reference: string): Promise<SeeOther> {
    await this.orders.handOver(reference);
    return orderAt(reference);
  }

  @Post(':reference/refund')
  @Page()
  async refund(
    @Param('reference') reference: string,
    @Body() body: unknown,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string | undefined> {
    const refundForm = await this.#tryRefund(reference, body);
    if (refundForm.fault !== undefined) {
      response.status(HttpStatus.UNPROCESSABLE_ENTITY);
      return staffOrderPage(await this.orders.view(reference), { refundForm });
    }
    response.redirect(HttpStatus.SEE_OTHER, orderAt(reference).url);
    return undefined;
  }

  /** The service has made it with another sum, and somebody says that it is right. */
  @Post(':reference/refunds/:id/accept')
  @Redirect('', HttpStatus.SEE_OTHER)
  async acceptRefund(
    @Param('reference') reference: string,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<SeeOther> {
    const resolution = parseResolution(body);
    if (resolution === null) return orderAt(reference, 'who_and_why');
    const isAccepted = await this.orders.acceptRefund(reference, id, resolution);
    return orderAt(reference, isAccepted ? 'refund_accepted' : 'refund_over');
  }

  /** The form, with its fault if there is one. */
  async #tryRefund(reference: string, body: unknown): Promise<RefundForm> {
    const { form, request } = parseRefundForm(body);
    if (request === null) return form;
    try {
      await this.orders.refund(reference, request);
      return form;
    } catch (error) {
      const fault = faultOfAmount(error);
      if (fault === null) throw error;
      return { ...form, fault };
    }
  }
}

function orderAt(reference: string, notice?: string): SeeOther {
  return { url: `/staff/orders/${reference}${notice === undefined ? '' : `?notice=${notice}`}` };
}
