import {
  OnPaymentEvent,
  receiptOfCart,
  type HandlerContext,
  type ReceiptEvent,
  type ReceiptInput,
} from '@holdfast/payments';
import { Injectable, type Type } from '@nestjs/common';

export const rub = (value: string) => ({ value, currency: 'RUB' as const });
export const customer = { email: 'anna@buyer.example' };
/** Three cups for 100.00: no price times three hits it. */
export const cups: ReceiptInput = receiptOfCart(
  { customer, items: [{ description: 'Cup', amount: rub('35.00'), quantity: 3, vatCode: 11 }] },
  rub('100.00'),
);

const item = { quantity: 1, vatCode: 11 } as const;
/** A cup and a spoon for 100.00. */
export const cupAndSpoon: ReceiptInput = {
  customer,
  items: [
    { ...item, description: 'Cup', amount: rub('40.00') },
    { ...item, description: 'Spoon', amount: rub('60.00') },
  ],
};

/** Handlers of all that is emitted of receipts. Each run that commits leaves a row, `effects`, of what `words` says. */
export function receiptHandlers(words: (event: ReceiptEvent) => string): Type {
  @Injectable()
  class ReceiptHandlers {
    @OnPaymentEvent('receipt.succeeded', { id: 'receipt.succeeded' })
    succeeded(event: ReceiptEvent, context: HandlerContext): Promise<void> {
      return this.#record(event, context);
    }

    @OnPaymentEvent('receipt.failed', { id: 'receipt.failed' })
    failed(event: ReceiptEvent, context: HandlerContext): Promise<void> {
      return this.#record(event, context);
    }

    @OnPaymentEvent('receipt.late', { id: 'receipt.late' })
    late(event: ReceiptEvent, context: HandlerContext): Promise<void> {
      return this.#record(event, context);
    }

    async #record(event: ReceiptEvent, { manager }: HandlerContext): Promise<void> {
      const row = [`${event.name}: ${words(event)}`, event.payment.id];
      await manager.query('INSERT INTO effects (event, payment_id) VALUES ($1, $2)', row);
    }
  }
  return ReceiptHandlers;
}
