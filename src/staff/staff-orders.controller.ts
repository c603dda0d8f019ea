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
import { isAnswerTo, isSure } from '../../examples/shared/pages/question.js';
import { PlainInputGuard } from '../../examples/shared/web/plain-input.js';
import { questionPage } from '../pages/question-page.js';
import { staffOrderPage } from '../pages/staff-order-page.js';
import { questionOfHold, questionOfRefund, type Question } from './asked.js';
import { faultOfAmount, parseRefundForm, type RefundForm, type RefundRequest } from './refund-form.js';
import { staffOrderJson, type StaffOrderView } from './staff-order-view.js';
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
  async show(
    @Param('reference') reference: string,
    @Query('notice') notice?: string,
    @Query('looks') looks?: string,
  ): Promise<string> {
    return staffOrderPage(await this.orders.view(reference), { notice, looks });
  }

  @Post(':reference/ship')
  @Page()
  ship(
    @Param('reference') reference: string,
    @Body() body: unknown,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string | undefined> {
    return this.#finish('ship', reference, { body, response });
  }

  @Post(':reference/cancel')
  @Page()
  cancel(
    @Param('reference') reference: string,
    @Body() body: unknown,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string | undefined> {
    return this.#finish('cancel', reference, { body, response });
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
    const { form, request } = parseRefundForm(body);
    const view = await this.orders.view(reference);
    const found = request === null ? form : await this.#refundOrQuestion(view, { form, request, body });
    if (found === null) return seeOrder(reference, response);
    if ('act' in found) return answerQuestion(view, found, response);
    response.status(HttpStatus.UNPROCESSABLE_ENTITY);
    // A refund that was refused for its sum: others were made meanwhile.
    return staffOrderPage(await this.orders.view(reference), { refundForm: found });
  }

  /** Asked once more first, unless there is nothing to ask about: then it says so itself. */
  async #finish(
    act: 'ship' | 'cancel',
    reference: string,
    { body, response }: { body: unknown; response: Response },
  ): Promise<string | undefined> {
    if (!isSure(body)) {
      const view = await this.orders.view(reference);
      const question = questionOfHold(act, view);
      if (question !== null) return answerQuestion(view, question, response);
    }
    await this.orders[act](reference);
    return seeOrder(reference, response);
  }

  /**
   * The form with its fault, or the question; null: it is refunded. The order is seen once, so what was asked is what is done: the
   * payments module takes no more than is left.
   */
  async #refundOrQuestion(
    view: StaffOrderView,
    { form, request, body }: { form: RefundForm; request: RefundRequest; body: unknown },
  ): Promise<RefundForm | Question | null> {
    const asked = questionOfRefund(view, { form, request });
    if (asked !== null && !('act' in asked)) return asked;
    if (asked !== null && !isAnswerTo(body, asked)) return { ...asked, hasChanged: isSure(body) };
    try {
      await this.orders.refund(view, request);
      return null;
    } catch (error) {
      const fault = faultOfAmount(error);
      if (fault === null) throw error;
      return { ...form, fault };
    }
  }
}

function answerQuestion(view: StaffOrderView, question: Question, response: Response): string {
  response.status(HttpStatus.OK);
  return questionPage(view.order, question);
}

function seeOrder(reference: string, response: Response): undefined {
  response.redirect(HttpStatus.SEE_OTHER, orderAt(reference).url);
  return undefined;
}

function orderAt(reference: string, notice?: string): SeeOther {
  return { url: `/staff/orders/${reference}${notice === undefined ? '' : `?notice=${notice}`}` };
}
