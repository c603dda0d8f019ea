import {
  PaymentsService,
  type CreatePaymentInput,
  type Payment,
  type Refund,
  type RefundInput,
} from '@holdfast/payments';
import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';

/** The payments module over HTTP, one route for each thing a shop does with it. */
@Controller()
export class ShopController {
  constructor(private readonly payments: PaymentsService) {}

  @Post('payments')
  @HttpCode(200)
  create(@Body() input: CreatePaymentInput): Promise<Payment> {
    return this.payments.create(input);
  }

  @Get('payments/:id')
  get(@Param('id') id: string): Promise<Payment> {
    return this.payments.get(id);
  }

  @Post('payments/:id/capture')
  @HttpCode(200)
  capture(@Param('id') id: string, @Body() options: Pick<CreatePaymentInput, 'amount'>): Promise<Payment> {
    return this.payments.capture(id, options);
  }

  @Post('payments/:id/cancel')
  @HttpCode(200)
  cancel(@Param('id') id: string): Promise<Payment> {
    return this.payments.cancel(id);
  }

  @Post('payments/:id/refunds')
  @HttpCode(200)
  refund(@Param('id') id: string, @Body() input: RefundInput): Promise<Refund> {
    return this.payments.refund(id, input);
  }

  /** The buyer is back from the payment page. */
  @Post('payments/:id/return')
  @HttpCode(200)
  refresh(@Param('id') id: string): Promise<Payment> {
    return this.payments.refresh(id);
  }
}
