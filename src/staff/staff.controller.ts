import { PaymentInputError, PaymentsOperator } from '@holdfast/payments';
import {
  Body,
  Controller,
  Get,
  HttpCode,
  HttpStatus,
  NotFoundException,
  Param,
  Post,
  Query,
  Redirect,
  UseGuards,
} from '@nestjs/common';

import { isUUID } from 'class-validator';
import { Page } from '../../examples/shared/pages/page.decorator.js';
import { PlainInputGuard } from '../../examples/shared/web/plain-input.js';
import { booksPage } from '../pages/books-page.js';
import { deskPage } from '../pages/desk-page.js';
import { BooksService } from './books.service.js';
import { DeskService } from './desk.service.js';
import { noticeOfSending, parseSending } from './receipt-sending.js';
import { parseResolution } from './resolution.js';
import { StaffGuard } from './staff.guard.js';

/** The payments desk, for the shop's staff. */
@Controller('staff')
@UseGuards(StaffGuard, PlainInputGuard)
export class StaffController {
  constructor(
    private readonly desk: DeskService,
    private readonly books: BooksService,
    private readonly operator: PaymentsOperator,
  ) {}

  @Get()
  @Page()
  async show(@Query('notice') notice?: string): Promise<string> {
    return deskPage(await this.desk.read(), notice);
  }

  @Get('books')
  @Page()
  showBooks(): string {
    return booksPage(null);
  }

  /** Asks the payment service, so no other site's page may have a browser do it. */
  @Post('books')
  @HttpCode(HttpStatus.OK)
  @Page()
  async compareBooks(): Promise<string> {
    return booksPage(await this.books.compareLastDay());
  }

  @Post('notes/:id/done')
  @Redirect('/staff', HttpStatus.SEE_OTHER)
  async finishNote(@Param('id') id: string): Promise<void> {
    if (!/^\d{1,18}$/.test(id)) throw new NotFoundException();
    await this.desk.finishNote(id);
  }

  /** A second click has the same time read once more, which changes nothing. */
  @Post('recoveries/:id/read-again')
  @Redirect('', HttpStatus.SEE_OTHER)
  async readAgain(@Param('id') id: string): Promise<{ url: string }> {
    const isRead = await this.desk.readAgain(id);
    return { url: `/staff?notice=${isRead ? 'read_again' : 'nothing_to_read'}` };
  }

  /** What a person did about a receipt, with who it was: it is kept. */
  @Post('receipts/:id/resolved')
  @Redirect('', HttpStatus.SEE_OTHER)
  async resolveReceipt(@Param('id') id: string, @Body() body: unknown): Promise<{ url: string }> {
    if (!isUUID(id)) throw new NotFoundException();
    const resolution = parseResolution(body);
    if (resolution === null) return { url: '/staff?notice=who_and_what' };
    const resolved = await this.operator.resolveReceipt(id, resolution);
    return { url: `/staff?notice=${resolved ? 'receipt_resolved' : 'receipt_not_open'}` };
  }

  /** Records the next attempt and who asked for it; the module sends it. A second click finds nothing to do. */
  @Post('receipts/:id/send-again')
  @Redirect('', HttpStatus.SEE_OTHER)
  async sendReceiptAgain(@Param('id') id: string, @Body() body: unknown): Promise<{ url: string }> {
    if (!isUUID(id)) throw new NotFoundException();
    const again = parseSending(body);
    if (typeof again === 'string') return { url: `/staff?notice=${again}` };
    try {
      const receipt = await this.operator.sendReceiptAgain(id, again);
      return { url: `/staff?notice=${receipt ? 'receipt_sent_again' : 'receipt_not_open'}` };
    } catch (error) {
      const notice = noticeOfSending(error);
      if (notice === null) throw error;
      return { url: `/staff?notice=${notice}` };
    }
  }

  @Post('deliveries/:handlerId/:eventId/retry')
  @Redirect('', HttpStatus.SEE_OTHER)
  async retry(
    @Param('handlerId') handlerId: string,
    @Param('eventId') eventId: string,
  ): Promise<{ url: string }> {
    try {
      const runs = await this.operator.retryDelivery(eventId, handlerId);
      return { url: `/staff?notice=${runs ? 'runs_again' : 'nothing_to_run'}` };
    } catch (error) {
      throw error instanceof PaymentInputError ? new NotFoundException() : error;
    }
  }

  @Post('deliveries/retry')
  @Redirect('', HttpStatus.SEE_OTHER)
  async retryAll(): Promise<{ url: string }> {
    const count = await this.operator.retryAll();
    return { url: `/staff?notice=${count > 0 ? 'all_run_again' : 'nothing_to_run'}` };
  }
}
