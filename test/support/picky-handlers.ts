import { OnPaymentEvent, type HandlerContext, type PaymentEvent } from '@holdfast/payments';
import { Injectable } from '@nestjs/common';

/** The id of their handler. */
export const MARK_PAID = 'shop.mark-paid';

/** Fails for the orders that it is told. */
@Injectable()
export class PickyHandlers {
  readonly refused = new Set<string>();

  @OnPaymentEvent('payment.succeeded', { id: MARK_PAID })
  async markPaid({ orderReference }: PaymentEvent, _context: HandlerContext): Promise<void> {
    if (this.refused.has(orderReference)) throw new Error('no <paper>');
  }
}
