import {
  OnPaymentEvent,
  parseAmount,
  type HandlerContext,
  type OrderEvent,
  type PaymentEvent,
  type RefundEvent,
} from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import { Not, type EntityManager } from 'typeorm';

import type { OrderMail } from './order-mails.js';
import { stateAfter, stateAfterRefund, type OrderState, type PaymentEffect } from './order-state.js';
import { ShopOrderEffect } from './shop-order-effect.entity.js';
import { ShopOrder } from './shop-order.entity.js';

/** What a payment event means to the shop's orders, written in the transaction that marks the event handled. */
@Injectable()
export class OrderPaymentHandlers {
  @OnPaymentEvent('payment.waiting_for_capture', { id: 'shop.mark-held' })
  async markHeld(event: PaymentEvent, context: HandlerContext): Promise<void> {
    await apply('held', event, context);
  }

  @OnPaymentEvent('order.paid', { id: 'shop.mark-paid' })
  async markPaid(event: OrderEvent, context: HandlerContext): Promise<void> {
    await apply('paid', event, context);
    const mail: OrderMail = { orderReference: event.orderReference };
    await context.effects.record('shop.mail-paid', mail);
  }

  @OnPaymentEvent('payment.canceled', { id: 'shop.mark-canceled' })
  async markCanceled(event: PaymentEvent, context: HandlerContext): Promise<void> {
    // Only the shop cancels as "merchant"; every other party means that the buyer's payment failed.
    const byShop = event.payment.cancellation?.party === 'merchant';
    await apply(byShop ? 'canceled' : 'payment_failed', event, context);
  }

  @OnPaymentEvent('refund.succeeded', { id: 'shop.mark-refunded' })
  async markRefunded(
    { orderReference, payment, refund }: RefundEvent,
    context: HandlerContext,
  ): Promise<void> {
    const { manager, effectKey } = context;
    const { reference } = await lockOrder(manager, orderReference);
    await manager.insert(ShopOrderEffect, {
      orderReference: reference,
      effect: 'refunded',
      paymentId: payment.id,
      refundId: refund.id,
      refundedMinor: parseAmount(refund.amount),
      effectKey,
    });
    // The shop's own count: the payment may include a refund whose event this handler has not handled yet.
    const refundedMinor = await manager.sum(ShopOrderEffect, 'refundedMinor', { paymentId: payment.id });
    await setState(
      manager,
      reference,
      stateAfterRefund(refundedMinor ?? 0, parseAmount(payment.capturedAmount)),
    );
  }
}

async function apply(
  effect: PaymentEffect,
  { orderReference, payment }: OrderEvent | PaymentEvent,
  context: HandlerContext,
): Promise<void> {
  const { manager, effectKey } = context;
  const { reference, state } = await lockOrder(manager, orderReference);
  const holdIsOver = await manager.existsBy(ShopOrderEffect, { paymentId: payment.id, effect: Not('held') });
  await setState(manager, reference, stateAfter(state, effect, holdIsOver));
  await manager.insert(ShopOrderEffect, {
    orderReference: reference,
    effect,
    paymentId: payment.id,
    refundId: null,
    refundedMinor: 0,
    effectKey,
  });
}

function lockOrder(manager: EntityManager, reference: string): Promise<ShopOrder> {
  return manager.findOneOrFail(ShopOrder, { where: { reference }, lock: { mode: 'pessimistic_write' } });
}

async function setState(manager: EntityManager, reference: string, state: OrderState): Promise<void> {
  await manager.update(ShopOrder, { reference }, { state, updatedAt: () => 'now()' });
}
