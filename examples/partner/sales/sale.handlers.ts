import {
  OnPaymentEvent,
  type HandlerContext,
  type OrderEvent,
  type PaymentEvent,
  type RefundEvent,
} from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import { Not } from 'typeorm';

import { LogEntry } from '../stores/log-entry.entity.js';
import { Sale } from './sale.entity.js';

/** What a payment event means to the platform's sales, written in the transaction that marks the event handled. */
@Injectable()
export class SaleHandlers {
  @OnPaymentEvent('order.paid', { id: 'market.mark-paid' })
  async markPaid(event: OrderEvent, context: HandlerContext): Promise<void> {
    const { affected } = await context.manager.update(Sale, saleOf(event), { state: 'paid' });
    if (affected !== 1) throw new Error(`There is no sale ${event.orderReference}.`);
    await addToLog(event, context);
  }

  @OnPaymentEvent('payment.canceled', { id: 'market.mark-failed' })
  async markFailed(event: PaymentEvent, context: HandlerContext): Promise<void> {
    // Its buyer may have tried again, and paid, before this handler ran.
    await context.manager.update(Sale, { ...saleOf(event), state: Not('paid') }, { state: 'payment_failed' });
    await addToLog(event, context);
  }

  @OnPaymentEvent('refund.succeeded', { id: 'market.log-refunded' })
  async logRefunded(event: RefundEvent, context: HandlerContext): Promise<void> {
    await addToLog(event, context);
  }
}

/** References are the platform's own, but an order of a payment is identified only by its store and reference together. */
function saleOf({ orderReference, payment }: OrderEvent | PaymentEvent): {
  reference: string;
  storeId: string;
} {
  return { reference: orderReference, storeId: payment.store };
}

async function addToLog(
  { name, orderReference: sale, payment, occurredAt }: OrderEvent | PaymentEvent | RefundEvent,
  { manager, effectKey }: HandlerContext,
): Promise<void> {
  await manager.insert(LogEntry, { storeId: payment.store, event: name, sale, effectKey, occurredAt });
}
