import {
  BadRequestException,
  Body,
  Controller,
  Get,
  Header,
  HttpStatus,
  Param,
  Post,
  Query,
  Redirect,
  Req,
  Res,
  UseGuards,
} from '@nestjs/common';
import type { Request, Response } from 'express';

import { formText } from '../../examples/shared/pages/form.js';
import { Page } from '../../examples/shared/pages/page.decorator.js';
import { PlainInputGuard } from '../../examples/shared/web/plain-input.js';
import { mustNotWait } from '../../examples/shared/web/rate-limit.js';
import { newReference } from '../../examples/shared/web/reference.js';
import { contentSecurityPolicy } from '../../examples/shared/web/safe-headers.js';
import { getProduct } from '../catalog/catalog.controller.js';
import { checkoutPage } from '../pages/checkout-page.js';
import { orderPage } from '../pages/order-page.js';
import { payHere } from '../pages/pay-here.js';
import { widgetScript } from '../pages/widget.text.js';
import { CheckoutForm, faultOfWay, parseCheckoutForm } from './checkout-form.js';
import { OrderLimits } from './order-limits.js';
import { openConfirmation, orderJson } from './order-view.js';
import { OrdersService } from './orders.service.js';
import { parseWay } from './ways-to-pay.js';

interface SeeOther {
  url: string;
}

/** What a buyer sees and does. The only key to an order is its reference, which nobody can guess. */
@Controller()
@UseGuards(PlainInputGuard)
export class OrdersController {
  constructor(
    private readonly orders: OrdersService,
    private readonly limits: OrderLimits,
  ) {}

  @Get('products/:slug/checkout')
  @Page()
  showCheckout(@Param('slug') slug: string): string {
    const product = getProduct(slug);
    return checkoutPage({
      product,
      reference: newReference(),
      form: new CheckoutForm(),
      faults: {},
      offered: this.orders.waysOffered(product),
    });
  }

  @Post('orders/:reference')
  @Page()
  async checkOut(
    @Param('reference') reference: string,
    @Body() body: unknown,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string | undefined> {
    const { form, faults: found } = parseCheckoutForm(body);
    const product = getProduct(form.productSlug);
    const offered = this.orders.waysOffered(product);
    const faults = { ...faultOfWay(form, offered), ...found };
    if (Object.keys(faults).length > 0) {
      response.status(HttpStatus.UNPROCESSABLE_ENTITY);
      return checkoutPage({ product, reference, form, faults, offered });
    }
    mustNotWait(this.limits.order(request.ip), response);
    await this.orders.place(reference, product, form);
    response.redirect(HttpStatus.SEE_OTHER, await this.orders.pay(reference));
    return undefined;
  }

  @Post('orders/:reference/pay')
  @Redirect('', HttpStatus.SEE_OTHER)
  async pay(
    @Param('reference') reference: string,
    @Body() body: unknown,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther> {
    mustNotWait(this.limits.click(reference, request.ip), response);
    const chosen = formText(body, 'wayToPay');
    if (chosen === '') return { url: await this.orders.pay(reference) };
    const way = parseWay(chosen);
    if (way === null) throw new BadRequestException();
    return { url: await this.orders.payBy(reference, way) };
  }

  @Get('orders/:reference/return')
  @Redirect('', HttpStatus.SEE_OTHER)
  async returnFromPayment(@Param('reference') reference: string): Promise<SeeOther> {
    await this.orders.refresh(reference);
    return { url: `/orders/${reference}` };
  }

  @Get('widget.js')
  @Header('Content-Type', 'text/javascript; charset=utf-8')
  @Header('Cache-Control', 'no-cache')
  widgetScript(): string {
    return widgetScript;
  }

  @Get('orders/:reference.json')
  async showJson(@Param('reference') reference: string): Promise<object> {
    return orderJson(await this.orders.view(reference));
  }

  @Get('orders/:reference')
  @Page()
  async show(
    @Param('reference') reference: string,
    @Res({ passthrough: true }) response: Response,
    @Query('notice') notice?: string,
    @Query('looks') looks?: string,
  ): Promise<string> {
    const view = await this.orders.view(reference);
    const { widget } = this.orders;
    const confirmation = openConfirmation(view);
    if (widget !== null && confirmation?.type === 'embedded')
      response.setHeader('Content-Security-Policy', contentSecurityPolicy(widget.origins));
    const here = await payHere(confirmation, { widget, returnUrl: this.orders.returnUrl(reference) });
    return orderPage(view, { here, otherWays: this.orders.otherWays(view), notice, looks });
  }
}
