import {
  Body,
  Controller,
  Get,
  HttpStatus,
  NotFoundException,
  Param,
  Post,
  Query,
  Redirect,
  Req,
  Res,
  UseGuards,
} from '@nestjs/common';
import { isUUID } from 'class-validator';
import type { Response } from 'express';

import { formText } from '../../shared/pages/form.js';
import { Page } from '../../shared/pages/page.decorator.js';
import { isAnswerTo, isSure } from '../../shared/pages/question.js';
import { PlainInputGuard } from '../../shared/web/plain-input.js';
import { Sessions } from '../owners/sessions.js';
import { questionPage } from '../pages/question-page.js';
import { storePage } from '../pages/store-page.js';
import { storesPage } from '../pages/stores-page.js';
import { SalesService } from '../sales/sales.service.js';
import { refundNotice } from './refund-notice.js';
import { refundQuestion } from './refund-question.js';
import { StoresService } from './stores.service.js';

interface SeeOther {
  url: string;
}

/** An owner's own pages. */
@Controller('stores')
@UseGuards(PlainInputGuard)
export class StoresController {
  constructor(
    private readonly stores: StoresService,
    private readonly sales: SalesService,
    private readonly sessions: Sessions,
  ) {}

  /** The redirect from the service ends here too, with `store` or `error`. */
  @Get()
  @Page()
  async list(
    @Req() request: object,
    @Query() { store, error }: { store?: string; error?: string },
  ): Promise<string> {
    const owner = await this.sessions.mustBeSignedIn(request);
    return storesPage(owner, await this.stores.list(owner), { store, error });
  }

  @Post('connect')
  @Redirect('', HttpStatus.SEE_OTHER)
  async connect(@Req() request: object): Promise<SeeOther> {
    return { url: await this.stores.connectUrl(await this.sessions.mustBeSignedIn(request)) };
  }

  @Get(':id')
  @Page()
  async show(
    @Req() request: object,
    @Param('id') id: string,
    @Query('notice') notice: string | undefined,
  ): Promise<string> {
    const owner = await this.sessions.mustBeSignedIn(request);
    const store = await this.stores.get(owner, id);
    const [sales, history] = await Promise.all([this.sales.ofStore(store), this.stores.history(store)]);
    return storePage(owner, { store, sales, history }, notice);
  }

  @Post(':id/refresh')
  @Redirect('', HttpStatus.SEE_OTHER)
  async refresh(@Req() request: object, @Param('id') id: string): Promise<SeeOther> {
    const store = await this.stores.get(await this.sessions.mustBeSignedIn(request), id);
    const answered = (await this.stores.refresh(store)) !== null;
    return storeAt(id, answered ? 'refreshed' : 'no_answer');
  }

  @Post(':id/disconnect')
  @Redirect('', HttpStatus.SEE_OTHER)
  async disconnect(@Req() request: object, @Param('id') id: string): Promise<SeeOther> {
    await this.stores.disconnect(await this.stores.get(await this.sessions.mustBeSignedIn(request), id));
    return storeAt(id, 'disconnected');
  }

  @Post(':id/payments/:payment/refund')
  @Page()
  async refund(
    @Req() request: object,
    @Param('id') id: string,
    @Param('payment') payment: string,
    @Body() body: unknown,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string | undefined> {
    const owner = await this.sessions.mustBeSignedIn(request);
    const store = await this.stores.get(owner, id);
    const refundKey = formText(body, 'refundKey');
    if (!isUUID(refundKey)) throw new NotFoundException();
    const question = refundQuestion(await this.sales.ofPayment(store, payment), refundKey);
    if (question !== null && !isAnswerTo(body, question)) {
      response.status(HttpStatus.OK);
      return questionPage(owner, store, question, isSure(body));
    }
    const notice =
      question === null
        ? 'nothing_left'
        : await refundNotice(this.sales.refund(store, payment, refundKey, question.amount));
    response.redirect(HttpStatus.SEE_OTHER, storeAt(id, notice).url);
    return undefined;
  }
}

function storeAt(id: string, notice: string): SeeOther {
  return { url: `/stores/${id}?notice=${notice}` };
}
