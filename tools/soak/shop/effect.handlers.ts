import {
  OperationInProgressError,
  OnPaymentEvent,
  parseAmount,
  PaymentNotHeldError,
  PaymentsError,
  PaymentsService,
  RecoveryInProgressError,
  type DatabaseEvent,
  type EventName,
  type HandlerContext,
  type HoldEvent,
  type OrderEvent,
  type PaymentEvent,
  type ReceiptEvent,
  type RefundEvent,
} from '@holdfast/payments';
import type { StoreEvent } from '@holdfast/payments/partner';
import { Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';

import { BY_HANDLER, CAPTURE_IN_HANDLER, REFUND_IN_HANDLER, REFUND_KEY } from './names.js';
import { OutsideEffects } from './outside-effects.js';
import { hangs, HANGING_HANDLER, limits } from './settings.js';
import { writeEffect } from './soak-effect.js';

/** How long such a handler still works afterwards, its transaction open: the buyer reloads the return page meanwhile. */
const WORK_MS = 400;

/** One handler for each event, each leaving one row for every run that took effect. */
@Injectable()
export class EffectHandlers {
  constructor(
    private readonly payments: PaymentsService,
    private readonly outside: OutsideEffects,
  ) {}

  @OnPaymentEvent('payment.pending', { id: 'soak.pending' })
  pending(event: PaymentEvent, context: HandlerContext): Promise<void> {
    return this.#record('soak.pending', event, context);
  }

  @OnPaymentEvent('payment.waiting_for_capture', { id: 'soak.held' })
  async held(event: PaymentEvent, context: HandlerContext): Promise<void> {
    await this.#record('soak.held', event, context);
    const { id, metadata, store } = event.payment;
    if (!(CAPTURE_IN_HANDLER in metadata)) return;
    try {
      await this.payments.capture(id, { store, manager: context.manager });
      await delay(WORK_MS);
    } catch (error) {
      // The hold was superseded or has ended meanwhile, which another event reports.
      if (!(error instanceof PaymentNotHeldError || error instanceof OperationInProgressError)) throw error;
    }
  }

  @OnPaymentEvent('payment.succeeded', { id: 'soak.succeeded' })
  async succeeded(event: PaymentEvent, context: HandlerContext): Promise<void> {
    await this.#record('soak.succeeded', event, context, parseAmount(event.payment.capturedAmount));
    const { id, metadata, store } = event.payment;
    if (!(REFUND_IN_HANDLER in metadata)) return;
    try {
      const terms = { refundKey: BY_HANDLER, metadata: { [REFUND_KEY]: BY_HANDLER } };
      await this.payments.refund(id, { ...terms, store, manager: context.manager });
      await delay(WORK_MS);
    } catch (error) {
      // Staff have refunded a part of it already, or all. While the database is read again, the delivery waits for it.
      if (error instanceof RecoveryInProgressError || !(error instanceof PaymentsError)) throw error;
    }
  }

  /** Fails at the first run of every third event, after it has written. */
  @OnPaymentEvent('payment.succeeded', { id: 'soak.succeeded-flaky' })
  async flaky(event: PaymentEvent, context: HandlerContext): Promise<void> {
    await this.#record('soak.succeeded-flaky', event, context, parseAmount(event.payment.capturedAmount));
    if (context.attempt === 1 && Number(event.id) % 3 === 0) throw new Error('The first run fails.');
  }

  /**
   * Hangs after it has written, in the first two runs of every second event: the first never ends, the second comes back
   * when its transaction is long over, and writes again.
   */
  @OnPaymentEvent('payment.succeeded', { id: HANGING_HANDLER })
  async hanging(event: PaymentEvent, context: HandlerContext): Promise<void> {
    const amountMinor = parseAmount(event.payment.capturedAmount);
    await this.#record(HANGING_HANDLER, event, context, amountMinor);
    if (!hangs(event.id, context.attempt)) return;
    if (context.attempt === 1) await new Promise(() => undefined);
    await delay(2 * limits.handlerTimeoutMs);
    await this.#record(HANGING_HANDLER, event, context, amountMinor);
  }

  @OnPaymentEvent('payment.canceled', { id: 'soak.canceled' })
  canceled(event: PaymentEvent, context: HandlerContext): Promise<void> {
    return this.#record('soak.canceled', event, context);
  }

  @OnPaymentEvent('payment.rejected', { id: 'soak.rejected' })
  rejected(event: PaymentEvent, context: HandlerContext): Promise<void> {
    return this.#record('soak.rejected', event, context);
  }

  @OnPaymentEvent('payment.anomaly', { id: 'soak.anomaly' })
  anomaly(event: PaymentEvent, context: HandlerContext): Promise<void> {
    return this.#record('soak.anomaly', event, context);
  }

  @OnPaymentEvent('order.paid', { id: 'soak.order-paid' })
  orderPaid(event: OrderEvent, context: HandlerContext): Promise<void> {
    return this.#record('soak.order-paid', event, context);
  }

  @OnPaymentEvent('order.unpaid', { id: 'soak.order-unpaid' })
  orderUnpaid(event: OrderEvent, context: HandlerContext): Promise<void> {
    return this.#record('soak.order-unpaid', event, context);
  }

  @OnPaymentEvent('order.refunded', { id: 'soak.order-refunded' })
  orderRefunded(event: OrderEvent, context: HandlerContext): Promise<void> {
    return this.#record('soak.order-refunded', event, context);
  }

  @OnPaymentEvent('order.overpaid', { id: 'soak.overpaid' })
  overpaid(event: OrderEvent, context: HandlerContext): Promise<void> {
    return this.#record('soak.overpaid', event, context);
  }

  @OnPaymentEvent('hold.expiring', { id: 'soak.hold-expiring' })
  holdExpiring(event: HoldEvent, context: HandlerContext): Promise<void> {
    return this.#record('soak.hold-expiring', event, context);
  }

  @OnPaymentEvent('hold.expired', { id: 'soak.hold-expired' })
  holdExpired(event: HoldEvent, context: HandlerContext): Promise<void> {
    return this.#record('soak.hold-expired', event, context);
  }

  @OnPaymentEvent('refund.succeeded', { id: 'soak.refunded' })
  refunded(event: RefundEvent, context: HandlerContext): Promise<void> {
    return this.#record('soak.refunded', event, context, parseAmount(event.refund.amount));
  }

  @OnPaymentEvent('refund.canceled', { id: 'soak.refund-canceled' })
  refundCanceled(event: RefundEvent, context: HandlerContext): Promise<void> {
    return this.#record('soak.refund-canceled', event, context);
  }

  @OnPaymentEvent('refund.rejected', { id: 'soak.refund-rejected' })
  refundRejected(event: RefundEvent, context: HandlerContext): Promise<void> {
    return this.#record('soak.refund-rejected', event, context);
  }

  @OnPaymentEvent('receipt.succeeded', { id: 'soak.receipt-succeeded' })
  receiptSucceeded(event: ReceiptEvent, context: HandlerContext): Promise<void> {
    return this.#record('soak.receipt-succeeded', event, context);
  }

  @OnPaymentEvent('receipt.failed', { id: 'soak.receipt-failed' })
  receiptFailed(event: ReceiptEvent, context: HandlerContext): Promise<void> {
    return this.#record('soak.receipt-failed', event, context);
  }

  @OnPaymentEvent('receipt.late', { id: 'soak.receipt-late' })
  receiptLate(event: ReceiptEvent, context: HandlerContext): Promise<void> {
    return this.#record('soak.receipt-late', event, context);
  }

  @OnPaymentEvent('store.connected', { id: 'soak.store-connected' })
  storeConnected(event: StoreEvent, context: HandlerContext): Promise<void> {
    return write('soak.store-connected', event, context);
  }

  @OnPaymentEvent('database.rolled_back', { id: 'soak.rolled-back' })
  rolledBack(event: DatabaseEvent, context: HandlerContext): Promise<void> {
    return write('soak.rolled-back', event, context);
  }

  async #record(
    handlerId: string,
    event: PaymentEvent | OrderEvent | HoldEvent | RefundEvent | ReceiptEvent,
    context: HandlerContext,
    amountMinor = 0,
  ): Promise<void> {
    const { name, orderReference, payment } = event;
    await this.outside.write({
      effectKey: context.effectKey,
      handlerId,
      event: name,
      orderReference,
      // Which payment moved an order depends on which is found first.
      paymentId: isMove(name) ? null : payment.serviceId,
      subjectId: subjectOf(event),
    });
    await write(handlerId, event, context, payment.id, amountMinor);
  }
}

/** Of the order as a whole. */
const isMove = (name: EventName): boolean =>
  name === 'order.paid' || name === 'order.unpaid' || name === 'order.refunded';

function write(
  handlerId: string,
  { id: eventId, name }: Pick<PaymentEvent, 'id'> & { readonly name: EventName },
  { manager }: HandlerContext,
  paymentId: string | null = null,
  amountMinor = 0,
): Promise<void> {
  return writeEffect(manager, { eventId, event: name, handlerId, paymentId, amountMinor });
}

/** What the event is about beside the payment, by the service's id. */
function subjectOf(event: PaymentEvent | OrderEvent | HoldEvent | RefundEvent | ReceiptEvent): string | null {
  if ('receipt' in event && event.receipt !== null) return event.receipt.serviceId;
  return 'refund' in event ? (event.refund?.serviceId ?? null) : null;
}
