import { SetMetadata } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Payment } from '../payment/payment.view.js';

/** Events a handler can ask for. */
export const paymentEventNames = [
  'payment.pending',
  'payment.waiting_for_capture',
  'payment.succeeded',
  'payment.canceled',
  'payment.rejected',
  'payment.anomaly',
  'order.overpaid',
] as const;
/** One of {@link paymentEventNames}; docs/handlers.md tells when each is raised. */
export type PaymentEventName = (typeof paymentEventNames)[number];

/** A change as merchant code sees it. */
export interface PaymentEvent {
  /** Stable, also when the delivery is repeated. */
  readonly id: string;
  readonly name: PaymentEventName;
  /** The payment as it is when the handler runs: it may have moved on since the event. */
  readonly payment: Payment;
  /** What was seen; for `payment.anomaly` and `order.overpaid` the reason and the sums. */
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly occurredAt: Date;
}

/** What a handler works with beside its event. */
export interface HandlerContext {
  /** Writes through it take effect exactly once: it is the transaction in which the delivery is marked done. */
  readonly manager: EntityManager;
  /** The same for every attempt of this handler at this event: the key for effects outside the database. */
  readonly effectKey: string;
  /** 1 for the first run. */
  readonly attempt: number;
}

/** What {@link OnPaymentEvent} marks. */
export type PaymentEventHandler = (event: PaymentEvent, context: HandlerContext) => Promise<void> | void;

export interface HandlerMark {
  readonly event: PaymentEventName;
  readonly id: string;
}

export const HANDLER_MARK = 'holdfast:payment-event-handler';

/**
 * Calls this method of a provider for every such event, in one transaction with the delivery's mark: what it writes
 * through `context.manager` happens exactly once. A run that throws or hangs is repeated with growing delays, then
 * parked. Events of one payment come in their order.
 *
 * @param options.id names the handler for good, e.g. `orders.mark-paid`: it outlives renames of class and method
 */
export function OnPaymentEvent(event: PaymentEventName, { id }: { id: string }) {
  const mark: HandlerMark = { event, id };
  return <T extends PaymentEventHandler>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<T>,
  ): void => {
    SetMetadata(HANDLER_MARK, mark)(target, key, descriptor);
  };
}
