import { PartnerService } from '@holdfast/payments/partner';
import {
  Body,
  Controller,
  Get,
  HttpStatus,
  Param,
  Post,
  Query,
  Redirect,
  Req,
  UseGuards,
} from '@nestjs/common';

import { formText } from '../../shared/pages/form.js';
import { Page } from '../../shared/pages/page.decorator.js';
import { PlainInputGuard } from '../../shared/web/plain-input.js';
import { Sessions } from '../owners/sessions.js';
import { salePage } from '../pages/sale-page.js';
import { shopPage } from '../pages/shop-page.js';
import { SalesService } from './sales.service.js';

interface SeeOther {
  url: string;
}

/** The pages of buyers. A shop is identified by its store. */
@Controller()
@UseGuards(PlainInputGuard)
export class SalesController {
  constructor(
    private readonly sales: SalesService,
    private readonly partner: PartnerService,
    private readonly sessions: Sessions,
  ) {}

  @Get('shops/:store')
  @Page()
  async showShop(@Param('store') store: string, @Req() request: object): Promise<string> {
    return shopPage(await this.partner.getStore(store), await this.sessions.ownerOf(request));
  }

  @Post('shops/:store/sales')
  @Redirect('', HttpStatus.SEE_OTHER)
  async buy(@Param('store') store: string, @Body() body: unknown): Promise<SeeOther> {
    const reference = formText(body, 'reference');
    await this.sales.place(reference, await this.partner.getStore(store), formText(body, 'item'));
    return { url: await this.sales.pay(reference) };
  }

  @Post('sales/:reference/pay')
  @Redirect('', HttpStatus.SEE_OTHER)
  async pay(@Param('reference') reference: string): Promise<SeeOther> {
    return { url: await this.sales.pay(reference) };
  }

  @Get('sales/:reference/return')
  @Redirect('', HttpStatus.SEE_OTHER)
  async returnFromPayment(@Param('reference') reference: string): Promise<SeeOther> {
    await this.sales.refresh(reference);
    return { url: `/sales/${reference}` };
  }

  @Get('sales/:reference')
  @Page()
  async show(
    @Param('reference') reference: string,
    @Req() request: object,
    @Query('looks') looks?: string,
  ): Promise<string> {
    const { view, store } = await this.sales.view(reference);
    return salePage(view, store, { visitor: await this.sessions.ownerOf(request), looks });
  }
}
