import {
  PaymentsOperator,
  PaymentsService,
  type AuditSlice,
  type CreatePaymentInput,
  type OwnReceiptInput,
  type Payment,
  type Receipt,
  type Refund,
  type RefundInput,
  type StoreScope,
} from '@holdfast/payments';
import { PartnerService } from '@holdfast/payments/partner';
import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ReceiptKeeper } from './receipt-keeper.js';

/** The payments module over HTTP, one route for each thing a shop does with it. */
@Controller()
export class ShopController {
  constructor(
    private readonly payments: PaymentsService,
    private readonly partner: PartnerService,
    private readonly operator: PaymentsOperator,
    private readonly receipts: ReceiptKeeper,
  ) {}

  @Post('payments')
  @HttpCode(200)
  create(@Body() input: CreatePaymentInput): Promise<Payment> {
    return this.payments.create(input);
  }

  @Get('payments/:id')
  get(@Param('id') id: string, @Query() scope: StoreScope): Promise<Payment> {
    return this.payments.get(id, scope);
  }

  @Post('payments/:id/capture')
  @HttpCode(200)
  capture(
    @Param('id') id: string,
    @Body() options: StoreScope & Pick<CreatePaymentInput, 'amount' | 'receipt'>,
  ): Promise<Payment> {
    return this.payments.capture(id, options);
  }

  @Post('payments/:id/cancel')
  @HttpCode(200)
  cancel(@Param('id') id: string, @Body() scope: StoreScope): Promise<Payment> {
    return this.payments.cancel(id, scope);
  }

  @Post('payments/:id/refunds')
  @HttpCode(200)
  refund(@Param('id') id: string, @Body() input: RefundInput & StoreScope): Promise<Refund> {
    return this.payments.refund(id, input);
  }

  /** Goods that were paid before are handed over. */
  @Post('payments/:id/settlement')
  @HttpCode(200)
  settle(@Param('id') id: string, @Body() scope: StoreScope): Promise<Receipt> {
    return this.payments.settlePrepayment(id, scope);
  }

  /** Likewise, but not all at once. */
  @Post('payments/:id/receipts')
  @HttpCode(200)
  sendReceipt(@Param('id') id: string, @Body() input: OwnReceiptInput & StoreScope): Promise<Receipt> {
    return this.payments.receipts.create(id, input);
  }

  /** The buyer is back from the payment page. */
  @Post('payments/:id/return')
  @HttpCode(200)
  refresh(@Param('id') id: string, @Body() scope: StoreScope): Promise<Payment> {
    return this.payments.refresh(id, scope);
  }

  /** A person takes care of every receipt that failed or is missing. */
  @Post('receipt-problems')
  @HttpCode(200)
  async takeCare(): Promise<object> {
    await this.receipts.takeCare();
    return {};
  }

  /** The books of a store are compared, and nothing is open any more. */
  @Post('audit')
  @HttpCode(200)
  async audit(
    @Body() { from, to, ...scope }: StoreScope & { readonly from: string; readonly to: string },
  ): Promise<AuditSlice[]> {
    await this.receipts.closeAll();
    const slices: AuditSlice[] = [];
    const period = { from: new Date(from), to: new Date(to), ...scope };
    for await (const slice of this.operator.audit(period)) slices.push(slice);
    return slices;
  }

  /** Where an owner sets out to connect a store. */
  @Post('stores/connect')
  @HttpCode(200)
  async connect(@Body('ownerRef') ownerRef: string): Promise<{ url: string }> {
    return { url: await this.partner.authorizeUrl({ ownerRef, returnTo: '/stores' }) };
  }
}
