import { OnPaymentEvent, type HandlerContext, type PaymentEvent } from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import { Not } from 'typeorm';

import { stateAfter, type OrderEffect } from './order-state.js';
import { ShopOrderEffect } from './shop-order-effect.entity.js';
import { ShopOrder } from './shop-order.entity.js';

/** What a payment event means to the shop's orders, written in the transaction that marks the event handled. */
@Injectable()
export class OrderPaymentHandlers {
  @OnPaymentEvent('payment.waiting_for_capture', { id: 'shop.mark-held' })
  async markHeld(event: PaymentEvent, context: HandlerContext): Promise<void> {
    await apply('held', event, context);
  }

  @OnPaymentEvent('payment.succeeded', { id: 'shop.mark-paid' })
  async markPaid(event: PaymentEvent, context: HandlerContext): Promise<void> {
    await apply('paid', event, context);
  }

  @OnPaymentEvent('payment.canceled', { id: 'shop.mark-canceled' })
  async markCanceled(event: PaymentEvent, context: HandlerContext): Promise<void> {
    // Only the shop cancels as "merchant"; every other party means that the buyer's payment failed.
    const byShop = event.payment.cancellation?.party === 'merchant';
    await apply(byShop ? 'canceled' : 'payment_failed', event, context);
  }
}

async function apply(effect: OrderEffect, { payment }: PaymentEvent, context: HandlerContext): Promise<void> {
  const { manager, effectKey } = context;
  const reference = payment.orderReference;
  const order = await manager.findOneOrFail(ShopOrder, {
    where: { reference },
    lock: { mode: 'pessimistic_write' },
  });
  const holdIsOver = await manager.existsBy(ShopOrderEffect, { paymentId: payment.id, effect: Not('held') });
  const state = stateAfter(order.state, effect, holdIsOver);
  await manager.update(ShopOrder, { reference }, { state, updatedAt: () => 'now()' });
  await manager.insert(ShopOrderEffect, {
    orderReference: reference,
    effect,
    paymentId: payment.id,
    effectKey,
  });
}
